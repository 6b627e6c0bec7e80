/**
 * Pushed authorization requests (RFC 9126). The service hands the request back as its `request_uri`,
 * encrypted: nothing is stored, and nobody on the way can read or change it (decision 97).
 */
import { findClient } from '../clients/find.ts'
import type { Settings } from '../config/settings.ts'
import { hashText } from '../crypto/digest.ts'
import {
  decryptStatement,
  type EncryptedStatement,
  encryptStatement,
} from '../crypto/encrypted-statement.ts'
import type { Keyring } from '../crypto/seal.ts'
import type { Client } from '../model/client.ts'
import { digest, field, id, number, record, text, type ValueOf } from '../model/codec/types.ts'
import { type ClientId, type FamilyId, type Given, makeId } from '../model/ids.ts'
import type { Explanation } from '../protocol/explanation.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { checkProfile, getProfile, isForbidden } from '../protocol/profile.ts'
import { invalidRequest, Refusal } from '../protocol/refusal.ts'
import type { Store } from '../store/store.ts'
import { requestLimits } from './limits.ts'

/** RFC 9126 section 2.2. */
const uriStart = 'urn:ietf:params:oauth:request_uri:'

const pushedType = record({
  /** All journeys that begin with the request have this id, so it earns one redemption. */
  id: field(1, id<FamilyId>()),
  clientId: field(2, text<ClientId>()),
  /** Digest of the salt of the client as it authenticated. */
  clientSalt: field(3, digest),
  /** Form-encoded, with those of a request object in place of the object. */
  parameters: field(4, text()),
  /** Unix seconds. */
  expiresAt: field(5, number),
})

type PushedRequest = ValueOf<typeof pushedType>

const statement: EncryptedStatement<PushedRequest> = { kind: 'pushed request', says: pushedType }

/** @throws Refusal 413 (RFC 9126 section 2.3) */
export const checkPushedLength = (parameters: string): void => {
  const most = requestLimits.pushedRequestCharacters
  if (parameters.length <= most) return
  const said = `the pushed request is longer than ${most} characters`
  throw new Refusal('invalid_request', 'pushed_request_too_long', said, { status: 413 })
}

/** @param client as it authenticated @param at unix seconds */
export const makeRequestUri = (
  client: Client,
  parameters: string,
  at: number,
  parts: Given & { readonly settings: Settings; readonly keyring: Keyring },
) => {
  const { pushedRequestSeconds } = parts.settings.limits
  const isStrict = isForbidden('unpushed_request', getProfile(client, parts.settings))
  const seconds = isStrict
    ? Math.min(pushedRequestSeconds, requestLimits.strictPushedSeconds)
    : pushedRequestSeconds
  const pushed = {
    id: makeId<FamilyId>(parts),
    clientId: client.id,
    clientSalt: hashText(client.salt),
    parameters,
    expiresAt: at + seconds,
  }
  return { request_uri: uriStart + encryptStatement(statement, parts, pushed), expires_in: seconds }
}

/** A pushed request in a journey: its text, which only the service can read. */
export interface PushedText {
  readonly request: string
}

/** The pushed request of a journey; null if its key is gone. */
export const openPushed = (
  { request }: PushedText,
  { keyring }: { readonly keyring: Keyring },
): Promise<PushedRequest | null> => decryptStatement(statement, request, keyring)

/** The parameters that name a pushed request. @param parameters its own, form-encoded */
export const formatPushed = ({ request }: PushedText, parameters: string): string => {
  const clientId = new URLSearchParams(parameters).get('client_id') ?? ''
  return new URLSearchParams({ client_id: clientId, request_uri: uriStart + request }).toString()
}

/** Under which the store notes that the client got its answer. */
export const getAnsweredId = (requestId: FamilyId): string =>
  hashText(`pushed request\n${requestId}`)

const explain = (received: readonly string[]): Explanation => ({
  by: 'developer',
  received,
  expected: { is: 'pushedRequest' },
  remedies: [{ say: 'pushAnew' }],
  command: null,
})

/** All look alike, so that nobody learns what others pushed. */
const refusePushed = (reason: string): Refusal =>
  new Refusal(
    'invalid_request_uri',
    reason,
    'request_uri is unknown, expired, used, or was pushed by another client',
    { explanation: explain([`${uriStart}...`]) },
  )

/** What was pushed with a secret ends with it. */
const isOfSecret = ({ clientSalt }: PushedRequest, client: Client, at: number): boolean => {
  const { salt, oldSecret } = client
  if (clientSalt === hashText(salt)) return true
  return oldSecret !== null && oldSecret.expiresAt > at && clientSalt === hashText(oldSecret.salt)
}

interface FindingParts {
  readonly store: Store
  readonly keyring: Keyring
}

/**
 * The pushed request that the parameters name; null if they name none, or no single client. Further
 * parameters do not count.
 *
 * @throws Refusal for a page: nothing of such a request proves where its sender may be sent
 */
export const findPushedRequest = async (
  outer: Parameters,
  at: number,
  parts: FindingParts,
): Promise<(PushedRequest & PushedText) | null> => {
  const uris = outer.all('request_uri')
  const uri = uris.find((one) => one.startsWith(uriStart))
  const [clientId = '', second] = outer.all('client_id')
  const client =
    uri === undefined || second !== undefined ? null : await findClient(clientId, parts)
  if (uri === undefined || client === null) return null
  if (uris.length > 1) throw refusePushed('repeated_pushed_request')
  const request = uri.slice(uriStart.length)
  const pushed = await decryptStatement(statement, request, parts.keyring)
  if (pushed === null) throw refusePushed('unknown_pushed_request')
  if (pushed.clientId !== client.id) throw refusePushed('foreign_pushed_request')
  if (!isOfSecret(pushed, client, at)) throw refusePushed('ended_pushed_request')
  if (pushed.expiresAt <= at) throw refusePushed('expired_pushed_request')
  if (await parts.store.isFinished(getAnsweredId(pushed.id)))
    throw refusePushed('used_pushed_request')
  return { ...pushed, request }
}

/**
 * Refuses a request that should have been pushed (RFC 9126 sections 5 and 6). One without a known client is left
 * to the refusals of others.
 *
 * @throws Refusal `invalid_request`
 */
export const refuseUnpushed = async (
  outer: Parameters,
  parts: { readonly store: Store; readonly settings: Settings },
): Promise<void> => {
  const [clientId = '', second] = outer.all('client_id')
  const client = second === undefined ? await findClient(clientId, parts) : null
  if (client === null) return
  checkProfile('unpushed_request', getProfile(client, parts.settings))
  if (parts.settings.requirePar || client.openid.require_pushed_authorization_requests === true) {
    throw new Refusal(
      'invalid_request',
      'request_not_pushed',
      'the request has to be pushed first: send the request_uri that it gets',
      { explanation: explain([]) },
    )
  }
}

/** A pushed request names no other one (RFC 9126 section 2.1). @throws Refusal `invalid_request` */
export const refuseNested = (form: Parameters): void => {
  if (form.find('request_uri') === null) return
  const said = 'request_uri cannot be pushed: push the parameters, or a request object'
  throw invalidRequest('pushed_request_uri', said)
}
