/** `latchkey client ...`: the clients of the service. */

import { UsageFault } from '../../config/remote.ts'
import { publicMethod } from '../../model/client.ts'
import { type AdminApi, ApiFault, pathTo } from '../api.ts'
import { renderTime } from '../counts.ts'
import { type CommandOutput, type JsonRow, renderRows, saidMembers, shown } from '../said.ts'
import type { Flags } from '../store.ts'
import type { ApiWork } from '../tree.ts'
import { confirmDeletion } from './confirm.ts'

/** The client with a new secret, in two lines. */
const saySecret = ({ client_id: id, client_secret: secret }: JsonRow): string =>
  [
    `client_id      ${shown(id)}`,
    ...(secret === undefined
      ? []
      : [`client_secret  ${shown(secret)}`, '', 'The secret is shown this once.']),
  ].join('\n')

/**
 * A client with redirect URIs wants codes, and tokens that outlast an hour. Other response types need
 * the implicit grant beside them (OpenID Connect Registration section 2).
 */
const defaultGrants = ({ responseType }: Flags): readonly string[] => {
  const types = Array.isArray(responseType) ? responseType : ['code']
  return [
    ...(types.some((type) => /\bcode\b/.test(type)) ? ['authorization_code', 'refresh_token'] : []),
    ...(types.some((type) => type !== 'code') ? ['implicit'] : []),
  ]
}

const joined = (value: unknown): string | undefined =>
  Array.isArray(value) ? value.join(' ') : undefined

/** Seconds, or `unlimited`. The service refuses anything else. */
const secondsOf = (value: unknown): unknown => {
  if (value === undefined) return undefined
  return value === 'unlimited' ? null : Number(value)
}

/** `--set name=JSON`: any member that has no flag of its own. */
const membersSet = (given: unknown): JsonRow => {
  if (!Array.isArray(given)) return {}
  const entries = given.map((text: string) => {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageFault(`--set is written member=value, not ${text}`)
    const value = text.slice(at + 1)
    try {
      return [text.slice(0, at), JSON.parse(value)]
    } catch {
      return [text.slice(0, at), value]
    }
  })
  return Object.fromEntries(entries)
}

/** Flags in the words of RFC 7591; what is not said is left to the service. */
const metadataOf = (flags: Flags): JsonRow => {
  const given: JsonRow = {
    client_name: flags.name,
    redirect_uris: flags.redirect,
    grant_types: flags.grant,
    response_types: flags.responseType,
    id_token_signed_response_alg: flags.idTokenAlg,
    post_logout_redirect_uris: flags.postLogoutRedirect,
    backchannel_logout_uri: flags.backChannelLogout,
    frontchannel_logout_uri: flags.frontChannelLogout,
    scope: joined(flags.scope),
    required_scope: joined(flags.requiredScope),
    token_endpoint_auth_method: flags.public === true ? publicMethod : undefined,
    trusted: flags.trusted,
    may_introspect: flags.mayIntrospect,
    access_token_seconds: secondsOf(flags.accessTokenSeconds),
    refresh_token_seconds: secondsOf(flags.refreshTokenSeconds),
    ...membersSet(flags.set),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Names the client in the fault. */
const orUnknown =
  (id: string) =>
  (fault: unknown): never => {
    if (fault instanceof ApiFault && fault.title === 'not_found') {
      throw new ApiFault(`there is no client ${id}`, fault.status, fault.title)
    }
    throw fault
  }

const ask = (
  api: AdminApi,
  method: 'GET' | 'PATCH' | 'DELETE',
  id: string,
  body?: object,
): Promise<JsonRow> => api.ask(method, pathTo('clients', id), body).catch(orUnknown(id))

const post = (api: AdminApi, id: string, action: string, body?: object): Promise<JsonRow> =>
  api.ask('POST', pathTo('clients', id, action), body).catch(orUnknown(id))

export const addClient: ApiWork = async (api, flags) => {
  const metadata = metadataOf({
    ...flags,
    grant: flags.grant ?? (flags.redirect ? defaultGrants(flags) : undefined),
  })
  const id = typeof flags.id === 'string' ? { client_id: flags.id } : {}
  const added = await api.ask('POST', 'clients', { ...id, ...metadata }).catch((fault: unknown) => {
    if (fault instanceof ApiFault && fault.title === 'conflict') {
      throw new ApiFault(`there is already a client ${flags.id}`, fault.status, fault.title)
    }
    throw fault
  })
  return { json: added, text: saySecret(added) }
}

export const listClients: ApiWork = async (api, { search }) => {
  const rows = await api.list('clients', {
    search: typeof search === 'string' ? search : undefined,
  })
  const text =
    rows.length === 0
      ? 'There are no clients.'
      : renderRows(rows.map((row) => [shown(row.client_id), shown(row.client_name)]))
  return { json: rows, text }
}

export const showClient: ApiWork = async (api, _flags, [id = '']) =>
  saidMembers(await ask(api, 'GET', id))

export const changeClient: ApiWork = async (api, flags, [id = '']) => {
  const change = metadataOf(flags)
  if (Object.keys(change).length === 0) throw new UsageFault('name what to change: see --help')
  return saidMembers(await ask(api, 'PATCH', id, change))
}

export const setDisabled =
  (disabled: boolean): ApiWork =>
  async (api, _flags, [id = '']) => {
    const json = await ask(api, 'PATCH', id, { disabled })
    const text = disabled
      ? `${id} is disabled: it gets no tokens, and its tokens are refused until it is enabled.`
      : `${id} is enabled.`
    return { json, text }
  }

export const deleteClient: ApiWork = async (api, flags, [id = '']) => {
  const { client_name: name } = await ask(api, 'GET', id)
  const called = shown(name) === '' ? id : `${shown(name)} (${id})`
  await confirmDeletion(
    `${called} goes, with its tokens and all that owners approved for it.`,
    flags,
  )
  await ask(api, 'DELETE', id)
  return { json: { deleted: id }, text: `${id} is deleted, with all that owners approved for it.` }
}

const sayRotated = (rotated: JsonRow): string => {
  const until = rotated.old_secret_expires_at
  const old =
    typeof until === 'number'
      ? `The old secret ends at ${renderTime(until)}, and so do the tokens that the client got for itself with it.`
      : 'The old secret has ended, and so have the tokens that the client got for itself.'
  return `${saySecret(rotated)}\n${old}`
}

export const rotateSecret: ApiWork = async (api, { keepOldSeconds }, [id = '']) => {
  const keep = keepOldSeconds === undefined ? {} : { keep_old_seconds: Number(keepOldSeconds) }
  const rotated = await post(api, id, 'rotate-secret', keep)
  return { json: rotated, text: sayRotated(rotated) }
}

export const endTokens: ApiWork = async (api, _flags, [id = '']) => ({
  json: await post(api, id, 'end-tokens'),
  text: `All codes and tokens of ${id} have ended, its own and those of its owners. What owners approved stays.`,
})

export const revokeRegistration: ApiWork = async (
  api,
  _flags,
  [id = ''],
): Promise<CommandOutput> => {
  const { manages_itself: had } = await ask(api, 'GET', id)
  const json = await post(api, id, 'revoke-registration')
  const text =
    had === true
      ? `The registration token of ${id} has ended: the client cannot change or delete its registration any more.`
      : `${id} has no registration token.`
  return { json, text }
}

export const setPinned =
  (pinned: boolean): ApiWork =>
  async (api, _flags, [id = '']) => {
    const json = await ask(api, 'PATCH', id, { pinned })
    const text = pinned
      ? `${id} is pinned: its document is not fetched any more.`
      : `${id} is not pinned: its document is fetched again.`
    return { json, text }
  }
