/** Client authentication (RFC 6749 section 2.3): which methods a request uses, and whether one of them fits. */
import { limits } from '../config/limits.ts'
import type { Exchange } from '../http/exchange.ts'
import type { HttpRequest } from '../http/request.ts'
import { type Client, isPublic, publicMethod } from '../model/client.ts'
import type { Parts } from '../parts.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { findClient } from './find.ts'
import {
  type ClientMethod,
  invalidClient,
  missingClientId,
  type PresentedCredentials,
} from './methods/method.ts'

interface NeededParts extends Pick<Parts, 'store' | 'settings' | 'noteClientUse'> {
  readonly registries: { readonly clientMethods: readonly ClientMethod[] }
}

/** A method, and what a request carries for it. */
interface MethodUse {
  readonly method: ClientMethod
  readonly presented: PresentedCredentials
}

/** The same. What the request carries may be malformed. */
interface ReadMethod {
  readonly method: ClientMethod
  readonly presented: PresentedCredentials | Refusal
}

const isUse = (read: ReadMethod): read is MethodUse => !(read.presented instanceof Refusal)

/** `none` counts only where there is nothing else. */
const withoutPublic = (read: readonly ReadMethod[]): readonly ReadMethod[] => {
  const proving = read.filter(({ method }) => method.name !== publicMethod)
  return proving.length > 0 ? proving : read
}

/** An assertion that no method reads must not be passed over (RFC 7521 section 4.2). */
const refuseUnreadAssertion = (parameters: Parameters, methods: readonly ClientMethod[]): void => {
  if (parameters.find('client_assertion') === null) return
  if (methods.some(({ place }) => place === 'client_assertion')) return
  throw invalidClient('unsupported_method', 'client_assertion is not supported')
}

const twoPlaces = (places: readonly string[]): Refusal =>
  new Refusal(
    'invalid_request',
    'two_authentication_methods',
    `the request has credentials in ${places.join(' and in ')}: use one of the two`,
  )

/**
 * The methods that a request uses. They share one place. A `client_id` beside other credentials has
 * to match them, and counts as the method `none` only where there are no others.
 */
const readUses = (
  request: HttpRequest,
  parameters: Parameters,
  methods: readonly ClientMethod[],
): readonly MethodUse[] => {
  refuseUnreadAssertion(parameters, methods)
  const read: ReadMethod[] = []
  for (const method of methods) {
    const presented = method.read(request, parameters)
    if (presented !== null) read.push({ method, presented })
  }
  // Most requests use one method, and need nothing of what follows.
  const used = read.length > 1 ? withoutPublic(read) : read
  const places = used.length > 1 ? [...new Set(used.map(({ method }) => method.place))] : []
  if (places.length > 1) throw twoPlaces(places)
  const uses = used.filter(isUse)
  if (uses.length > 0) return uses
  const [refused] = used.flatMap(({ presented }) => (presented instanceof Refusal ? presented : []))
  throw refused ?? missingClientId()
}

/** Several methods may read one place; all of them have to find the same client. */
const idOf = (uses: readonly MethodUse[], parameters: Parameters): string => {
  const given = parameters.find('client_id')
  const id = uses[0]?.presented.id ?? ''
  const isOne = uses.every(({ presented }) => presented.id === id)
  if (isOne && (given === null || given === id)) {
    if (id.length <= limits.clientIdCharacters.url) return id
    throw invalidClient('oversized_credentials')
  }
  throw new Refusal(
    'invalid_request',
    'two_client_ids',
    `client_id in the body differs from the one in ${uses[0]?.method.place}`,
  )
}

/** The client's registered method, which is enforced. */
const fittingUse = (uses: readonly MethodUse[], client: Client): MethodUse => {
  const { authenticationMethod: registered } = client
  const fitting =
    uses.find(({ method }) => method.name === registered) ??
    uses.find(({ method }) => method.alsoFor.includes(registered))
  if (fitting !== undefined) return fitting
  if (isPublic(client)) throw invalidClient('secret_of_public_client')
  const isBare = uses.some(({ method }) => method.name === publicMethod)
  throw invalidClient(isBare ? 'missing_secret' : 'other_method')
}

const findAuthenticated = async (
  { request, caller, at }: Pick<Exchange, 'request' | 'caller' | 'at'>,
  parameters: Parameters,
  parts: NeededParts,
): Promise<Client> => {
  const uses = readUses(request, parameters, parts.registries.clientMethods)
  const client = await findClient(idOf(uses, parameters), parts, 'disabled')
  if (client === null) throw invalidClient('unknown_client')
  caller.named = client.id
  if (client.disabled) throw invalidClient('disabled_client')
  const verified = await fittingUse(uses, client).presented.verify(client, at, parts)
  if (verified instanceof Refusal) throw verified
  return verified
}

/**
 * Tells which client sent a request, having checked its credentials, and notes that it is in use.
 *
 * @throws Refusal `invalid_client`, `invalid_request`
 */
export const authenticateClient = async (
  { request, caller, at }: Pick<Exchange, 'request' | 'caller' | 'at'>,
  parameters: Parameters,
  parts: NeededParts,
): Promise<Client> => {
  const client = await findAuthenticated({ request, caller, at }, parameters, parts)
  caller.proven = { type: 'client', clientId: client.id }
  if (!isPublic(client)) await parts.noteClientUse(client, at, parts.store)
  return client
}
