/** Client authentication (RFC 6749 section 2.3): which methods a request uses, and whether one of them fits. */

import { readForm } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { getRawQuery, type HttpRequest } from '../http/request.ts'
import { type Client, isPublic, publicMethod } from '../model/client.ts'
import { type ClientId, clientIdCharacters, isClientId } from '../model/ids.ts'
import type { SecurityProfile } from '../model/profile.ts'
import { type Parameters, refuseRepeated } from '../protocol/parameters.ts'
import { getProfile, isForbidden, sayForbidden } from '../protocol/profile.ts'
import { Refusal } from '../protocol/refusal.ts'
import { storeLimits } from '../store/limits.ts'
import { clientLimits } from './limits.ts'
import {
  type ClientMethod,
  invalidClient,
  missingClientId,
  type PresentedCredentials,
  type ProvingParts,
} from './methods/method.ts'

interface AuthenticationNeeds extends ProvingParts {
  readonly registries: { readonly clientMethods: readonly ClientMethod[] }
}

/**
 * Notes that a client which registered itself authenticated or got tokens. Unused ones are deleted. Writes
 * now and then only, so that a busy client costs no write for each of its requests. Never rejects.
 */
const openClientUses = ({ store, tell }: AuthenticationNeeds) => {
  const noted = new Map<ClientId, number>()
  return async ({ id }: Client, at: number): Promise<void> => {
    if (at - (noted.get(id) ?? 0) < storeLimits.clientUseSeconds) return
    const [oldest] = noted.size < clientLimits.usesNoted ? [] : noted.keys()
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

/** Most requests have no assertion, and no method has to look for one. */
const assertionPlace = 'client_assertion'

interface MethodUse {
  readonly method: ClientMethod
  readonly presented: PresentedCredentials
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
  if (getRawQuery(request) !== '') {
    throw new Refusal('invalid_request', 'query_parameters', 'parameters belong in the body')
  }
  return refuseRepeated(await readForm(request))
}

/**
 * Reads the methods that a request uses. All methods share one place. A `client_id` beside other credentials has
 * to match them. Only where there are no others does it count as the method `none`, or with the certificate.
 */
const openReading = (methods: readonly ClientMethod[]) => {
  const isQuiet = ({ name, isOfConnection }: ClientMethod): boolean =>
    name === publicMethod || isOfConnection === true
  const quiet = methods.filter(isQuiet)
  const proving = methods.filter((method) => !isQuiet(method))

  const readBare = (request: HttpRequest, parameters: Parameters): readonly MethodUse[] => {
    const uses: MethodUse[] = []
    for (const method of quiet) {
      const presented = method.read(request, parameters)
      if (presented instanceof Refusal) throw presented
      if (presented !== null) uses.push({ method, presented })
    }
    if (uses.length === 0) throw missingClientId()
    return uses
  }

  return (request: HttpRequest, parameters: Parameters): readonly MethodUse[] => {
    const uses: MethodUse[] = []
    const places = new Set<string>()
    let malformed: Refusal | null = null
    const named = parameters.find('client_assertion') ?? parameters.find('client_assertion_type')
    for (const method of proving) {
      if (named === null && method.place === assertionPlace) continue
      const presented = method.read(request, parameters)
      if (presented === null) continue
      places.add(method.place)
      if (presented instanceof Refusal) malformed ??= presented
      else uses.push({ method, presented })
    }
    if (places.size === 0) return readBare(request, parameters)
    if (places.size > 1) throw twoPlaces([...places])
    if (uses.length === 0 && malformed !== null) throw malformed
    return uses
  }
}

/** Several methods may read one place; all of them have to find the same client. */
const readClientId = (uses: readonly MethodUse[], parameters: Parameters): string => {
  const given = parameters.find('client_id')
  const id = uses[0]?.presented.id ?? ''
  const isOne = uses.every(({ presented }) => presented.id === id)
  if (isOne && (given === null || given === id)) {
    if (id.length <= clientIdCharacters.url) return id
    throw invalidClient('oversized_credentials')
  }
  throw new Refusal(
    'invalid_request',
    'two_client_ids',
    `client_id in the body differs from the one in ${uses[0]?.method.place}`,
  )
}

/** The client's registered method, which is enforced. */
const requireUse = (uses: readonly MethodUse[], client: Client): MethodUse => {
  const { authenticationMethod: registered } = client
  const fitting =
    uses.find(({ method }) => method.name === registered) ??
    uses.find(({ method }) => method.alsoFor.includes(registered)) ??
    uses.find(({ method }) => method.isAlsoFor?.(client) === true)
  if (fitting !== undefined) return fitting
  if (isPublic(client)) throw invalidClient('secret_of_public_client')
  const isBare = uses.some(({ method }) => method.name === publicMethod)
  throw invalidClient(isBare ? 'missing_secret' : 'other_method')
}

/** @throws Refusal that names the profile */
const refuseWeak = (profile: SecurityProfile): void => {
  if (isForbidden('weak_client', profile)) {
    throw invalidClient('profile_weak_client', sayForbidden('weak_client', profile))
  }
}

export const openAuthentication = (needs: AuthenticationNeeds) => {
  const { settings, store, registries, meter } = needs
  const readUses = openReading(registries.clientMethods)
  const noteUse = openClientUses(needs)
  return {
    /**
     * Tells which client sent a request, having checked its credentials, and notes that it is in use.
     *
     * @throws Refusal `invalid_client`, `invalid_request`
     */
    async authenticate(
      { request, caller, address, at }: Pick<Exchange, 'request' | 'caller' | 'address' | 'at'>,
      parameters: Parameters,
    ): Promise<Client> {
      const uses = readUses(request, parameters)
      const id = readClientId(uses, parameters)
      const found = isClientId(id) ? await store.findClient(id, 'disabled') : null
      if (found === null) {
        const isOfClaims = uses[0]?.method.place === assertionPlace && !parameters.find('client_id')
        if (isOfClaims) throw invalidClient('assertion_client')
        throw invalidClient('unknown_client')
      }
      caller.named = found.id
      if (found.disabled) throw invalidClient('disabled_client')
      const { method, presented } = requireUse(uses, found)
      const client = await presented.verify(found, { at, address }, needs)
      if (client instanceof Refusal) throw client
      // To a client with a key of its own, registration issues nothing.
      if (method.issues !== 'nothing' || method.name === publicMethod) {
        const isHeld = settings.profile !== 'spec' || client.openid.profile !== undefined
        if (isHeld) refuseWeak(getProfile(client, settings))
        // The id of a public client proves nothing. Its tokens are counted.
        if (method.name !== publicMethod) meter.countLax(client, 'weak_client')
      }
      caller.proven = { type: 'client', clientId: client.id }
      if (client.registeredBy === 'itself' && !isPublic(client)) await noteUse(client, at)
      return client
    },
    noteUse,
  }
}

export type Authentication = ReturnType<typeof openAuthentication>
