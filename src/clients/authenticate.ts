/** Client authentication (RFC 6749 section 2.3): which methods a request uses, and whether one of them fits. */
import { limits } from '../config/limits.ts'
import type { Settings } from '../config/settings.ts'
import { readForm } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { type HttpRequest, rawQuery } from '../http/request.ts'
import { type Client, isPublic, publicMethod } from '../model/client.ts'
import type { ClientId } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import { type Parameters, refuseRepeated } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Store } from '../store/store.ts'
import { findClient } from './find.ts'
import {
  type ClientMethod,
  invalidClient,
  missingClientId,
  type PresentedCredentials,
} from './methods/method.ts'

/**
 * Notes that a client which registered itself authenticated or got tokens. Unused ones are deleted.
 * Never rejects.
 */
export type NoteClientUse = (
  client: Client,
  at: number,
  store: Pick<Store, 'noteClientUse'>,
) => Promise<void>

/** Writes now and then only, so that a busy client costs no write for each of its requests. */
export const createClientUses = (tell: Tell): NoteClientUse => {
  const noted = new Map<ClientId, number>()
  return async ({ id }, at, store) => {
    if (at - (noted.get(id) ?? 0) < limits.clientUseSeconds) return
    const [oldest] = noted.size < limits.clientUsesNoted ? [] : noted.keys()
    if (oldest !== undefined) noted.delete(oldest)
    noted.delete(id)
    noted.set(id, at)
    try {
      await store.noteClientUse(id, at)
    } catch (fault) {
      // What the client asked for is done. The next request tries again.
      noted.delete(id)
      tell({ level: 'warn', message: 'the use of a client was not noted', fault: String(fault) })
    }
  }
}

interface NeededParts {
  readonly store: Store
  readonly settings: Settings
  readonly noteClientUse: NoteClientUse
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

const twoPlaces = (places: readonly string[]): Refusal =>
  new Refusal(
    'invalid_request',
    'two_authentication_methods',
    `the request has credentials in ${places.join(' and in ')}: use one of the two`,
  )

/**
 * The form of a request by a client. Its parameters stand in the body alone: a query ends up in
 * logs (RFC 6749 section 2.3.1).
 */
export const readClientForm = async (request: HttpRequest): Promise<Parameters> => {
  if (rawQuery(request) !== '') {
    throw new Refusal('invalid_request', 'query_parameters', 'parameters belong in the body')
  }
  return refuseRepeated(await readForm(request))
}

/**
 * The methods that a request uses. They share one place. A `client_id` beside other credentials has
 * to match them, and counts as the method `none` only where there are no others.
 */
const readUses = (
  request: HttpRequest,
  parameters: Parameters,
  methods: readonly ClientMethod[],
): readonly MethodUse[] => {
  const assertion = parameters.find('client_assertion')
  if (assertion !== null && !methods.some(({ place }) => place === 'client_assertion')) {
    // One that no method reads must not be passed over (RFC 7521 section 4.2).
    throw invalidClient('unsupported_method', 'client_assertion is not supported')
  }
  const read: ReadMethod[] = []
  for (const method of methods) {
    const presented = method.name === publicMethod ? null : method.read(request, parameters)
    if (presented !== null) read.push({ method, presented })
  }
  if (read.length === 0) {
    const method = methods.find(({ name }) => name === publicMethod)
    const presented = method?.read(request, parameters) ?? missingClientId()
    if (method === undefined || presented instanceof Refusal) throw presented
    return [{ method, presented }]
  }
  const places = read.length > 1 ? new Set(read.map(({ method }) => method.place)) : null
  if (places !== null && places.size > 1) throw twoPlaces([...places])
  const uses: MethodUse[] = []
  for (const { method, presented } of read) {
    if (!(presented instanceof Refusal)) uses.push({ method, presented })
  }
  const [first] = read
  if (uses.length === 0 && first?.presented instanceof Refusal) throw first.presented
  return uses
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
  const uses = readUses(request, parameters, parts.registries.clientMethods)
  const found = await findClient(idOf(uses, parameters), parts, 'disabled')
  if (found === null) throw invalidClient('unknown_client')
  caller.named = found.id
  if (found.disabled) throw invalidClient('disabled_client')
  const client = await fittingUse(uses, found).presented.verify(found, at, parts)
  if (client instanceof Refusal) throw client
  caller.proven = { type: 'client', clientId: client.id }
  if (client.registeredBy === 'itself' && !isPublic(client)) {
    await parts.noteClientUse(client, at, parts.store)
  }
  return client
}
