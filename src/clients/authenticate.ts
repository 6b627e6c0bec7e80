/** Client authentication (RFC 6749 section 2.3): by Basic, in the body, or none for a public client. */

import { limits } from '../config/limits.ts'
import { digest, equalDigests, noDigest } from '../crypto/digest.ts'
import type { Exchange } from '../http/exchange.ts'
import type { HttpRequest } from '../http/request.ts'
import { type Client, isPublic, withOldSecret } from '../model/client.ts'
import type { ClientId } from '../model/ids.ts'
import type { Parts } from '../parts.ts'
import { mixedUp } from '../protocol/kinds.ts'
import { formDecoded, type Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'

/** RFC 9110 asks every 401 for a challenge; Basic is what any client can answer. */
const challenge = { 'WWW-Authenticate': 'Basic realm="latchkey", charset="UTF-8"' }

/** One description for every way to fail, so that nobody learns which client ids exist. */
export const invalidClient = (
  reason: string,
  description = 'client authentication failed',
): Refusal => new Refusal('invalid_client', reason, description, { headers: challenge })

interface Credentials {
  readonly id: string
  readonly secret: string | null
}

/** RFC 6749 section 2.3.1: id and secret are form-encoded before they go into Basic. */
const readBasic = (header: string): Credentials => {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1] ?? ''
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon === -1 || text.includes('\0') || text.includes('\ufffd')) {
    throw invalidClient('bad_basic')
  }
  const id = formDecoded(text.slice(0, colon))
  const secret = formDecoded(text.slice(colon + 1))
  if (id === null || secret === null) throw invalidClient('bad_basic')
  return { id, secret }
}

/** Finds the one way in which the client says who it is. */
const readCredentials = (request: HttpRequest, parameters: Parameters): Credentials => {
  const header = request.headers.get('authorization')
  const id = parameters.find('client_id')
  const secret = parameters.find('client_secret')
  if (parameters.find('client_assertion') !== null) {
    throw invalidClient('unsupported_method', 'client_assertion is not supported')
  }
  if (header === null) {
    if (id === null) {
      throw invalidClient(
        'missing_client_id',
        'parameter client_id is missing, and there is no Authorization header',
      )
    }
    return { id, secret }
  }
  if (secret !== null) {
    throw new Refusal(
      'invalid_request',
      'two_authentication_methods',
      'client_secret came in the body beside an Authorization header: use one of the two',
    )
  }
  const basic = readBasic(header)
  if (id !== null && id !== basic.id) {
    throw new Refusal(
      'invalid_request',
      'two_client_ids',
      'client_id in the body differs from the one in the Authorization header',
    )
  }
  return basic
}

const findAuthenticated = async (
  request: HttpRequest,
  parameters: Parameters,
  at: number,
  { store }: Pick<Parts, 'store'>,
): Promise<Client> => {
  const { id, secret } = readCredentials(request, parameters)
  if (id.length > limits.clientIdCharacters || (secret ?? '').length > limits.tokenCharacters) {
    throw invalidClient('oversized_credentials')
  }
  const mixed = mixedUp(secret ?? '', 'lk_cs_')
  if (mixed !== null) throw invalidClient('other_kind_of_secret', mixed)
  const client = await store.findClient(id as ClientId, 'disabled')
  const given = digest(secret ?? '')
  const right = equalDigests(given, client?.secretDigest ?? noDigest)
  if (client === null) throw invalidClient('unknown_client')
  if (client.disabled) throw invalidClient('disabled_client')
  if (isPublic(client)) {
    if (secret === null) return client
    throw invalidClient('secret_of_public_client')
  }
  if (secret === null || client.secretDigest === null) throw invalidClient('missing_secret')
  if (right) return client
  const { oldSecret } = client
  if (oldSecret === null || !equalDigests(given, oldSecret.digest)) {
    throw invalidClient('wrong_secret')
  }
  if (oldSecret.expiresAt <= at) throw invalidClient('old_secret')
  return withOldSecret(client, oldSecret)
}

/**
 * Tells which client sent a request, having checked its secret, and notes that it is in use.
 *
 * @throws Refusal `invalid_client`, `invalid_request`
 */
export const authenticateClient = async (
  { request, caller, at }: Pick<Exchange, 'request' | 'caller' | 'at'>,
  parameters: Parameters,
  parts: Pick<Parts, 'store' | 'noteClientUse'>,
): Promise<Client> => {
  const client = await findAuthenticated(request, parameters, at, parts)
  caller.proven = { type: 'client', clientId: client.id }
  if (!isPublic(client)) await parts.noteClientUse(client, at, parts.store)
  return client
}
