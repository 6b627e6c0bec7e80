/** The client of `latchkey login`: the service makes it, and nobody changes it. */
import { makeSalt } from '../crypto/digest.ts'
import { type Client, commandLineId, publicMethod } from '../model/client.ts'
import type { Given } from '../model/ids.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { findClient } from './find.ts'
import { invalidMetadata } from './invalid.ts'

/** A login counts for so long, and ends earlier with the login of the browser. */
export const commandLoginSeconds = 12 * 3600

/** Members that differ between two services, or change by ending and disabling. */
type Free = 'salt' | 'familySalt' | 'shortened' | 'hasEndings' | 'createdAt' | 'disabled'

/**
 * No registration makes this record, since an operator pins only documents. Its rights are those of
 * the role, so its scope has none. The port of the redirect URI is whatever is free (RFC 8252 section 7.3).
 */
const record: Omit<Required<Client>, Free | 'ownChanges' | 'document'> = {
  id: commandLineId,
  name: 'Latchkey command line',
  authenticationMethod: publicMethod,
  secretDigest: null,
  sealedSecret: null,
  oldSecret: null,
  redirectUris: ['http://127.0.0.1/callback'],
  grantTypes: ['authorization_code', 'refresh_token'],
  responseTypes: ['code'],
  scope: [],
  scopeLimits: true,
  requiredScope: [],
  accessTokenSeconds: 600,
  refreshTokenSeconds: commandLoginSeconds,
  trusted: false,
  mayIntrospect: false,
  registeredBy: 'operator',
  registrationDigest: null,
  setByOperator: [],
  display: { application_type: 'native' },
  openid: {},
  identity: {},
  pinned: true,
}

const members = Object.entries(record).map(
  ([name, value]) => [name, JSON.stringify(value)] as const,
)

/** Compares every member. */
export const isCommandLine = (client: Client): boolean =>
  client.id === commandLineId &&
  client.document === undefined &&
  members.every(([name, value]) => JSON.stringify(Reflect.get(client, name)) === value)

const makeCommandLine = (parts: Given): Client => ({
  ...record,
  salt: makeSalt(parts.random),
  familySalt: '',
  shortened: null,
  hasEndings: false,
  disabled: false,
  createdAt: Math.floor(parts.clock() / 1000),
})

type ClientParts = Given & { readonly store: Pick<Store, 'findClient' | 'createClient'> }

/**
 * The client, also before it is stored: an owner with a role is the first who stores it, and a stranger writes
 * nothing.
 */
export const findCommandLine = async (parts: ClientParts): Promise<Client> =>
  (await findClient(commandLineId, parts, 'disabled')) ?? makeCommandLine(parts)

/**
 * An operator may have registered another client of this id in an older version.
 *
 * @throws Refusal `foreign_command_line`
 */
export const refuseForeign = (
  client: Client,
  code: 'invalid_request' | 'insufficient_scope',
): void => {
  if (client.id !== commandLineId || isCommandLine(client)) return
  const said = `the client ${commandLineId} is not the one of latchkey login: delete it (latchkey client delete ${commandLineId}), and the next login makes the right one`
  throw new Refusal(code, 'foreign_command_line', said)
}

/**
 * The client of an authorization request.
 *
 * @param stored the client of this id; null before it is stored
 * @throws Refusal `foreign_command_line`
 */
export const requireCommandLine = (stored: Client | null, parts: Given): Client => {
  const client = stored ?? makeCommandLine(parts)
  refuseForeign(client, 'invalid_request')
  return client
}

/** Stores the client. Of two at once, one does. A disabled one stays disabled. */
export const keepCommandLine = async (trace: Trace, parts: ClientParts): Promise<void> => {
  if ((await findClient(commandLineId, parts, 'disabled')) === null) {
    await parts.store.createClient(makeCommandLine(parts), trace)
  }
}

/**
 * A program that may write clients could otherwise take over the rights of an operator.
 *
 * @param given the members of a change; none for a new client
 * @throws Refusal `invalid_client_metadata`
 */
export const refuseBuiltIn = (id: string, given: object = { client_id: id }): void => {
  if (id !== commandLineId || Object.keys(given).every((name) => name === 'disabled')) return
  throw invalidMetadata(
    'built_in_client',
    `${commandLineId} is the id of the client of latchkey login: it can be disabled, enabled and deleted, and nothing else`,
  )
}

/**
 * The next login would make it again, enabled.
 *
 * @throws Refusal `conflict`
 */
export const refuseForgotten = (client: Client): void => {
  if (!client.disabled || !isCommandLine(client)) return
  const said =
    'a disabled client of latchkey login is not deleted, since a login makes it again: enable it first'
  throw new Refusal('conflict', 'disabled_command_line', said)
}
