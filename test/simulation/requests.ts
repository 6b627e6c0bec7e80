/** A client's requests with its codes and tokens, each with its claims. */

import { accessTokenType, exchangeGrant } from '../support/exchange.ts'
import { verifier } from '../support/gallery.ts'
import { basic } from '../support/start.ts'
import { listActions, makeDetails } from './details.ts'
import type { Actor, Claim, Front, Judge, Meaning, Outcome } from './front.ts'
import {
  type HeldAccess,
  type HeldRefresh,
  type Holding,
  keep,
  listTicked,
  type TokenBody,
} from './holdings.ts'
import type { SimulatedNode } from './node.ts'
import { helper, type SimulatedClient } from './people.ts'
import { prove, proveClient, proveToken, sendSigned } from './signing.ts'

/** Yes with 200, no with whatever says so. */
const granted =
  (read: (body: TokenBody) => Partial<Meaning> = () => ({})): Judge =>
  ({ status, body }) =>
    status === 200 ? { result: 'yes', ...read(body) } : { result: 'no' }

const pollForm = ({ polls }: SimulatedClient, code: string) => {
  if (polls === null) throw new Error('the client does not poll')
  return { grant_type: polls.grant, [polls.parameter]: code }
}

export const requestsOf = (front: Front, actor: Actor, at?: SimulatedNode) => {
  /** Only at the token endpoint a key is proved, too. */
  const send = (
    path: string,
    form: Readonly<Record<string, string>>,
    client: SimulatedClient,
    claim: Claim,
  ): Promise<Outcome> => {
    const { id, secret } = client
    if (secret !== null) {
      const headers = { authorization: basic([id, secret]) }
      return front.ask(actor, path, { form, headers }, [claim], at)
    }
    const own = proveClient(front, client)
    const key = path === '/token' ? proveToken(front, actor) : null
    const headers: Record<string, string> = key === null ? {} : { dpop: key.proof }
    const init = { form: { ...form, ...own.form }, headers }
    const signed = [own.claim, ...(key?.claims ?? [])]
    return sendSigned(front, actor, path, init, [claim], signed, at)
  }

  const redeemCode = (holding: Holding, client: SimulatedClient, proof: string, claim: Claim) => {
    const { code } = holding
    const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri }
    return send('/token', { ...form, code_verifier: proof }, client, claim)
  }

  /** An API request with an access token, and what it does to an item. */
  const call = (
    { line, client }: Holding,
    { text, id, expiresAt }: HeldAccess,
    permission: string,
    path: string,
    init: { readonly method?: string; readonly json?: unknown; readonly ifNoneMatch?: string },
    also: readonly Claim[],
  ): Promise<Outcome> => {
    const { ifNoneMatch, ...rest } = init
    const isBound = client.secret === null
    const headers = {
      authorization: `${isBound ? 'DPoP' : 'Bearer'} ${text}`,
      ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
    }
    const use: Claim = {
      deed: { kind: 'use', line: line.id, token: id, permission, expiresAt, within: [] },
      judge: ({ status }) => ({ result: status === 401 || status === 403 ? 'no' : 'yes' }),
    }
    const claims = [use, ...also]
    if (!isBound) return front.ask(actor, path, { ...rest, headers }, claims, at)
    const key = prove(front, actor, rest.method ?? 'GET', path, text)
    const sent = { ...rest, headers: { ...headers, dpop: key.proof } }
    return sendSigned(front, actor, path, sent, claims, key.claims, at)
  }

  const introspect = ({ line, client }: Holding, { text, id, expiresAt, actions }: HeldAccess) =>
    send('/introspect', { token: text }, client, {
      deed: {
        kind: 'use',
        line: line.id,
        token: id,
        permission: null,
        expiresAt,
        within: actions,
      },
      judge: ({ body }) =>
        body.active === true
          ? { result: 'yes', told: listActions(body.authorization_details) }
          : { result: 'no' },
    })

  return {
    /** Where nobody sees the decision itself, a poll without tokens says nothing about its line. */
    poll: (holding: Holding) => {
      const { line, client, code, codeEnd: expiresAt, codeEndsFrom, asked: within } = holding
      const end = codeEndsFrom === undefined ? {} : { endsFrom: codeEndsFrom }
      return send('/token', pollForm(client, code), client, {
        deed: { kind: 'poll', line: line.id, expiresAt, within, ...end },
        judge: ({ status, body }) => {
          if (status === 200) return { result: 'yes', ...keep(holding, body) }
          return line.begins === 'asked' ? { result: 'no', error: String(body.error) } : null
        },
      })
    },

    /** An exchange of an access token, for some of its scope. */
    exchange: (holding: Holding, token: HeldAccess, part: readonly string[]) => {
      const form = {
        grant_type: exchangeGrant,
        subject_token: token.text,
        subject_token_type: accessTokenType,
        scope: part.join(' '),
      }
      const { line } = holding
      const { id, expiresAt } = token
      return send('/token', form, helper, {
        deed: { kind: 'exchange', line: line.id, token: id, part, expiresAt },
        judge: granted(({ scope }) => ({ told: listTicked(scope) })),
      })
    },

    /** Another client with the same grant polls. */
    pollForeign: ({ code }: Holding, stranger: SimulatedClient) =>
      send('/token', pollForm(stranger, code), stranger, {
        deed: { kind: 'trespass' },
        judge: granted(),
      }),

    /** Asks for a code to poll with. */
    ask: (path: string, client: SimulatedClient, form: Readonly<Record<string, string>>) =>
      send(path, form, client, { deed: { kind: 'visit' }, judge: () => ({ result: 'yes' }) }),

    redeem: (holding: Holding) =>
      redeemCode(holding, holding.client, verifier, {
        deed: {
          kind: 'redeem',
          line: holding.line.id,
          expiresAt: holding.codeEnd,
          within: holding.asked,
        },
        judge: granted((body) => keep(holding, body)),
      }),

    burn: (holding: Holding) =>
      redeemCode(holding, holding.client, verifier.replaceAll('B', 'C'), {
        deed: { kind: 'burn', line: holding.line.id, expiresAt: holding.codeEnd },
        judge: granted(),
      }),

    /** Somebody else tries a code or a refresh token, or a bound token without its key. */
    trespass: (holding: Holding, stranger: SimulatedClient) => {
      const claim: Claim = { deed: { kind: 'trespass' }, judge: granted() }
      const bound = holding.client.secret === null ? holding.access.at(-1) : undefined
      if (bound !== undefined && actor.chance.flip(0.7)) {
        const path = '/api/photos'
        const isBearer = actor.chance.flip(0.5)
        const authorization = `${isBearer ? 'Bearer' : 'DPoP'} ${bound.text}`
        const { proof } = prove(front, actor, 'GET', path, bound.text, 'thief')
        const headers = isBearer ? { authorization } : { authorization, dpop: proof }
        return front.ask(actor, path, { headers }, [claim], at)
      }
      const newest = holding.refresh.at(-1)
      if (newest === undefined) return redeemCode(holding, stranger, verifier, claim)
      const form = { grant_type: 'refresh_token', refresh_token: newest.text }
      return send('/token', form, stranger, claim)
    },

    /** Now and then only one action in detail is asked for: the next refresh may ask for the rest. */
    refresh: (holding: Holding, { text, generation, expiresAt }: HeldRefresh) => {
      const told = holding.access.at(-1)?.actions ?? []
      const narrow = told.length > 0 && actor.chance.flip(0.3) ? actor.chance.pick(told) : null
      const form = { grant_type: 'refresh_token', refresh_token: text }
      const asked =
        narrow === null ? {} : { authorization_details: JSON.stringify(makeDetails(narrow)) }
      const isKept = (name: string): boolean =>
        narrow === null || name === narrow || !name.includes('/')
      const within = holding.asked.filter(isKept)
      return send('/token', { ...form, ...asked }, holding.client, {
        deed: { kind: 'refresh', line: holding.line.id, generation, expiresAt, within },
        judge: granted((body) => keep(holding, body)),
      })
    },

    /** Pushes an authorization request. */
    push: (client: SimulatedClient, form: Readonly<Record<string, string>>) =>
      send('/par', form, client, { deed: { kind: 'visit' }, judge: () => ({ result: 'yes' }) }),

    introspect,

    introspectNewest: async (holding: Holding) => {
      const newest = holding.access.at(-1)
      if (newest !== undefined) await introspect(holding, newest)
    },

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
