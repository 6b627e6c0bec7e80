/** A client's requests with its codes and tokens, each with its claims. */

import { verifier } from '../support/gallery.ts'
import { basic } from '../support/start.ts'
import type { Actor, Claim, Front, Judge, Outcome } from './front.ts'
import { type HeldAccess, type HeldRefresh, type Holding, keep } from './holdings.ts'
import type { SimulatedNode } from './node.ts'
import type { SimulatedClient } from './people.ts'

const as = ({ id, secret }: SimulatedClient) => ({ authorization: basic([id, secret]) })

/** Yes with 200, no with whatever says so. */
const granted =
  (brought: (body: Record<string, string>) => number | null = () => null): Judge =>
  ({ status, body }) =>
    status === 200 ? { result: 'yes', brought: brought(body) } : { result: 'no' }

export const requestsOf = (front: Front, actor: Actor, at?: SimulatedNode) => {
  const send = (
    path: string,
    form: Readonly<Record<string, string>>,
    client: SimulatedClient,
    claim: Claim,
  ): Promise<Outcome> => front.ask(actor, path, { form, headers: as(client) }, [claim], at)

  const exchange = (holding: Holding, client: SimulatedClient, proof: string, claim: Claim) => {
    const { code } = holding
    const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri }
    return send('/token', { ...form, code_verifier: proof }, client, claim)
  }

  /** An API request with an access token, and what it does to an item. */
  const call = (
    { line }: Holding,
    { text, id, expiresAt }: HeldAccess,
    permission: string,
    path: string,
    init: { readonly method?: string; readonly json?: unknown; readonly ifNoneMatch?: string },
    also: readonly Claim[],
  ): Promise<Outcome> => {
    const { ifNoneMatch, ...rest } = init
    const headers = {
      authorization: `Bearer ${text}`,
      ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    }
    const use: Claim = {
      deed: { kind: 'use', line: line.id, token: id, permission, expiresAt },
      judge: ({ status }) => ({ result: status === 401 || status === 403 ? 'no' : 'yes' }),
    }
    return front.ask(actor, path, { ...rest, headers }, [use, ...also], at)
  }

  return {
    redeem: (holding: Holding) =>
      exchange(holding, holding.client, verifier, {
        deed: { kind: 'redeem', line: holding.line.id, expiresAt: holding.codeEnd },
        judge: granted((body) => keep(holding, body)),
      }),

    burn: (holding: Holding) =>
      exchange(holding, holding.client, verifier.replaceAll('B', 'C'), {
        deed: { kind: 'burn', line: holding.line.id, expiresAt: holding.codeEnd },
        judge: granted(),
      }),

    /** Somebody else tries a code or a refresh token. */
    trespass: (holding: Holding, stranger: SimulatedClient) => {
      const claim: Claim = { deed: { kind: 'trespass' }, judge: granted() }
      const newest = holding.refresh.at(-1)
      if (newest === undefined) return exchange(holding, stranger, verifier, claim)
      const form = { grant_type: 'refresh_token', refresh_token: newest.text }
      return send('/token', form, stranger, claim)
    },

    refresh: (holding: Holding, { text, generation, expiresAt }: HeldRefresh) =>
      send('/token', { grant_type: 'refresh_token', refresh_token: text }, holding.client, {
        deed: { kind: 'refresh', line: holding.line.id, generation, expiresAt },
        judge: granted((body) => keep(holding, body)),
      }),

    introspect: ({ line, client }: Holding, { text, id, expiresAt }: HeldAccess) =>
      send('/introspect', { token: text }, client, {
        deed: { kind: 'use', line: line.id, token: id, permission: null, expiresAt },
        judge: ({ body }) => ({ result: body.active === true ? 'yes' : 'no' }),
      }),

    introspectRefresh: ({ line, client }: Holding, { text, generation, expiresAt }: HeldRefresh) =>
      send('/introspect', { token: text }, client, {
        deed: { kind: 'hold', line: line.id, generation, expiresAt },
        judge: ({ body }) => ({ result: body.active === true ? 'yes' : 'no' }),
      }),

    revokeAccess: ({ line, client }: Holding, { text, id, expiresAt }: HeldAccess) =>
      send('/revoke', { token: text }, client, {
        deed: { kind: 'revoke', line: line.id, token: id, expiresAt },
        judge: granted(),
      }),

    revokeRefresh: ({ line, client }: Holding, { text, expiresAt }: HeldRefresh) =>
      send('/revoke', { token: text }, client, {
        deed: { kind: 'revoke', line: line.id, token: null, expiresAt },
        judge: granted(),
      }),

    put: (holding: Holding, token: HeldAccess, id: string, value: number, onlyNew: boolean) => {
      const item = `${holding.line.owner}/${id}`
      const put: Claim = {
        deed: { kind: 'put', item, value, onlyNew },
        judge: ({ status }) => {
          if (status === 200 || status === 201) return { result: 'yes' }
          return status === 412 ? { result: 'no' } : null
        },
      }
      const init = { method: 'PUT', json: { value }, ...(onlyNew ? { ifNoneMatch: '*' } : {}) }
      return call(holding, token, 'photos:write', `/api/photos/${id}`, init, [put])
    },

    get: (holding: Holding, token: HeldAccess, id: string) => {
      const item = `${holding.line.owner}/${id}`
      const get: Claim = {
        deed: { kind: 'get', item },
        judge: ({ status, body }) => {
          if (status === 200) return { result: 'yes', brought: body.value }
          return status === 404 ? { result: 'yes', brought: null } : null
        },
      }
      return call(holding, token, 'photos:read', `/api/photos/${id}`, {}, [get])
    },
  }
}
