/** `request` and `request_uri` at `/authorize` (RFC 9101 section 5): resolved once, before anything is asked. */
import { findClient } from '../clients/find.ts'
import type { ClientKeys } from '../clients/keys.ts'
import type { FetchAsker } from '../clients/site-fetch.ts'
import type { RequestObjects } from '../clients/sites.ts'
import type { Settings } from '../config/settings.ts'
import type { Client } from '../model/client.ts'
import type { RefusalCounter } from '../model/kept-refusal.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Store } from '../store/store.ts'
import { refusedObject } from './mistakes.ts'
import { readRequestObject } from './request-object.ts'

type ResolvingParts = {
  readonly store: Store
  readonly settings: Settings
  readonly clientKeys: ClientKeys
  readonly requestObjects: RequestObjects
  readonly refusedObjects: RefusalCounter
}

/** Checking a signature costs more than making a wrong one. */
const refuseFlood = ({ address, at }: FetchAsker, { refusedObjects }: ResolvingParts): void => {
  const seconds = address === null ? 0 : refusedObjects.secondsOver(address, at)
  if (seconds === 0) return
  const said = 'too many refused request objects: slow down'
  const headers = { 'Retry-After': String(seconds) }
  throw new Refusal('too_many_requests', 'too_many_refusals', said, { headers })
}

const invalidUri = (reason: string, description: string): Refusal =>
  new Refusal('invalid_request_uri', reason, description)

const withoutFragment = (uri: string): string => uri.replace(/#.*$/s, '')

const fetchObject = async (
  uri: string,
  client: Client,
  asker: FetchAsker,
  { requestObjects }: ResolvingParts,
): Promise<string> => {
  const registered = client.openid.request_uris ?? []
  // The fragment is a hash for caches (OpenID Connect Core section 6.2), and never sent.
  if (!registered.map(withoutFragment).includes(withoutFragment(uri))) {
    throw invalidUri('unregistered_request_uri', 'request_uri is not registered for this client')
  }
  const answer = await requestObjects.find(withoutFragment(uri), client, asker)
  switch (answer.is) {
    case 'fetched':
      return answer.text.trim()
    case 'unusable':
      throw invalidUri('request_uri_unusable', `request_uri cannot be used: ${answer.said}`)
    case 'unreachable':
      throw invalidUri('request_uri_unreachable', 'the host of request_uri does not answer')
  }
}

const one = (values: readonly string[], name: string): string | null => {
  const [first = null, second] = values
  if (second === undefined) return first
  const said = `parameter ${name} came more than once`
  throw new Refusal('invalid_request', 'repeated_parameter', said)
}

/**
 * The parameters of the request object, form-encoded; null for a request without one. A request
 * without one known client is left to the refusals of an ordinary one.
 *
 * @throws Refusal `invalid_request`, `invalid_request_object`, `invalid_request_uri`, `too_many_requests`
 */
export const resolveRequest = async (
  outer: Parameters,
  asker: FetchAsker,
  parts: ResolvingParts,
): Promise<string | null> => {
  const [id = '', second] = outer.all('client_id')
  const client = second === undefined ? await findClient(id, parts) : null
  if (client === null) return null
  const object = one(outer.all('request'), 'request')
  const uri = one(outer.all('request_uri'), 'request_uri')
  if (object !== null && uri !== null) {
    const said = 'request and request_uri exclude each other'
    throw new Refusal('invalid_request', 'two_request_objects', said)
  }
  if (object === null && uri === null) {
    if (client.openid.require_signed_request_object !== true) return null
    const said = 'the client is registered for signed request objects only'
    throw new Refusal('invalid_request', 'missing_request_object', said)
  }
  refuseFlood(asker, parts)
  try {
    const text = object ?? (await fetchObject(uri ?? '', client, asker, parts))
    return await readRequestObject(text, client, asker, parts)
  } catch (fault) {
    if (asker.address !== null) parts.refusedObjects.count(asker.address, asker.at)
    throw fault instanceof Refusal ? refusedObject(fault, object ?? uri ?? '') : fault
  }
}
