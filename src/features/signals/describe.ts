/** A stream as its receiver writes and reads it (SSF 1.0 section 8.1.1). */
import { isFetchable } from '../../clients/openid-metadata.ts'
import { getStreamPurpose, type Vault } from '../../crypto/wrap.ts'
import { isObject, type JsonObject } from '../../model/json.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { SignalStream, SignalStreamChange } from './contract.ts'
import { signalEvents } from './events.ts'
import { signalLimits } from './limits.ts'

export const deliveryMethods = { push: 'urn:ietf:rfc:8935', poll: 'urn:ietf:rfc:8936' } as const

const supported: readonly string[] = Object.values(signalEvents)

const refuseStream = (description: string): Refusal =>
  new Refusal('invalid_request', 'malformed_stream', description)

/** What a receiver may send along goes into one line of a header (RFC 9110 section 5.5). */
const headerValue = /^[\x20-\x7e]{1,1000}$/

/** Why the service itself paused a stream: what is sent along was wrapped under another root secret. */
export const unreadableCredential =
  'the authorization_header cannot be read any more: send it again'

export const unwrapCredential = ({ id, credential }: SignalStream, vault: Vault): string | null => {
  const bytes = credential === null ? null : vault.unwrap(credential, getStreamPurpose(id))
  return bytes && new TextDecoder().decode(bytes)
}

/** Neither control characters nor halves of surrogate pairs: no store keeps both. */
const plain = /^[^\p{Cc}\p{Cs}]*$/u

const parseText = (name: string, given: unknown): string => {
  if (given === undefined || given === null) return ''
  const isText = typeof given === 'string' && given.length <= signalLimits.textCharacters
  if (isText && plain.test(given)) return given
  throw refuseStream(
    `${name} has to be a text of at most ${signalLimits.textCharacters} characters without control characters`,
  )
}

/** Unknown events are left out (SSF 1.0 section 8.1.1). */
const parseRequested = (given: unknown): readonly string[] | null => {
  if (given === undefined || given === null) return null
  if (Array.isArray(given) && given.length <= 100) {
    return supported.filter((uri) => given.includes(uri))
  }
  throw refuseStream('events_requested has to be a list of URIs')
}

type Delivery = Partial<Pick<SignalStream, 'endpointUrl' | 'credential'>>

/** A stream before the change; a new one is polled. */
type Before = Pick<SignalStream, 'id' | 'endpointUrl'>

/** The header of a URL stays unless the receiver sends another one: no answer shows it. */
const parsePush = (
  { endpoint_url: url, authorization_header: header }: JsonObject,
  { id, endpointUrl }: Before,
  vault: Vault,
): Delivery => {
  const isUrl = typeof url === 'string' && url.length <= signalLimits.endpointCharacters
  if (!isUrl || url.includes('#') || !isFetchable(url)) {
    throw refuseStream('delivery.endpoint_url has to be an https URL without a fragment')
  }
  if (header === undefined && url === endpointUrl) return { endpointUrl: url }
  if (header === undefined || header === null) return { endpointUrl: url, credential: null }
  if (typeof header !== 'string' || !headerValue.test(header)) {
    throw refuseStream('delivery.authorization_header has to be one line of visible characters')
  }
  const credential = vault.wrap(new TextEncoder().encode(header), getStreamPurpose(id))
  return { endpointUrl: url, credential }
}

/** Without a method a stream is polled. The URL of polls is ours. */
const parseDelivery = (given: unknown, before: Before, vault: Vault): Delivery => {
  if (given === undefined || given === null) return { endpointUrl: '', credential: null }
  if (!isObject(given)) throw refuseStream('delivery has to be an object')
  const { method = deliveryMethods.poll } = given
  if (method === deliveryMethods.push) return parsePush(given as JsonObject, before, vault)
  if (method === deliveryMethods.poll) return { endpointUrl: '', credential: null }
  const methods = Object.values(deliveryMethods).join(' or ')
  throw refuseStream(`delivery.method has to be ${methods}`)
}

/**
 * The members that a receiver may set. Further members are ignored.
 *
 * @param only whether absent members stay as they are
 */
export const parseStream = (
  given: Readonly<Record<string, unknown>>,
  before: Before,
  vault: Vault,
  only: boolean,
): SignalStreamChange => ({
  ...(only && given.description === undefined
    ? {}
    : { description: parseText('description', given.description) }),
  ...(only && given.events_requested === undefined
    ? {}
    : { requested: parseRequested(given.events_requested) }),
  ...(only && given.delivery === undefined ? {} : parseDelivery(given.delivery, before, vault)),
})

const makePollUrl = ({ id }: Pick<SignalStream, 'id'>, issuer: string): string =>
  `${issuer}/ssf/poll/${id}`

/** The credential of a receiver is never shown. */
export const describeStream = (
  { id, clientId, endpointUrl, requested, description }: SignalStream,
  issuer: string,
): JsonObject => ({
  stream_id: id,
  iss: issuer,
  aud: clientId,
  delivery:
    endpointUrl === ''
      ? { method: deliveryMethods.poll, endpoint_url: makePollUrl({ id }, issuer) }
      : { method: deliveryMethods.push, endpoint_url: endpointUrl },
  events_supported: supported,
  events_requested: requested ?? supported,
  events_delivered: requested ?? supported,
  min_verification_interval: signalLimits.verificationSeconds,
  ...(description === '' ? {} : { description }),
})

/** Members that the service decides. */
const supplied = [
  ...['iss', 'aud', 'events_supported', 'events_delivered'],
  ...['min_verification_interval', 'inactivity_timeout'],
] as const

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * Members that the service decides may come along as they were before the change (SSF 1.0 sections 8.1.1.3 and
 * 8.1.1.4).
 *
 * @throws Refusal `invalid_request`
 */
export const checkSupplied = (
  given: Readonly<Record<string, unknown>>,
  stream: SignalStream,
  issuer: string,
): void => {
  const known = describeStream(stream, issuer)
  const other = supplied.find((name) => name in given && !isEqual(given[name], known[name]))
  if (other !== undefined) throw refuseStream(`${other} has to be as the stream has it, or absent`)
  const { delivery } = given
  if (!isObject(delivery) || delivery.method !== deliveryMethods.poll) return
  const { endpoint_url: url } = delivery
  if (url === undefined || url === makePollUrl(stream, issuer)) return
  throw refuseStream('delivery.endpoint_url of a polled stream has to be as the stream has it')
}

export const describeStatus = ({ id, status, reason }: SignalStream): JsonObject => ({
  stream_id: id,
  status,
  ...(reason === '' ? {} : { reason }),
})

const statuses = ['enabled', 'paused', 'disabled'] as const

export const parseStatus = ({
  status,
  reason,
}: Readonly<Record<string, unknown>>): Pick<SignalStream, 'status' | 'reason'> => {
  const found = statuses.find((known) => known === status)
  if (found === undefined) throw refuseStream(`status has to be one of ${statuses.join(', ')}`)
  return { status: found, reason: parseText('reason', reason) }
}

/** @returns null where nothing is to be read again */
export const parseState = ({ state }: Readonly<Record<string, unknown>>): string | null =>
  state === undefined || state === null ? null : parseText('state', state)
