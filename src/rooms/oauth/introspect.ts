/** The introspection endpoint (RFC 7662). */

import { type Allowed, type AudienceSite, findPart, listAudiences } from '../../access/audience.ts'
import { keepDetailsInForce } from '../../access/details/narrow.ts'
import { formatScope, intersect, limitScope } from '../../access/permission.ts'
import type { Resources } from '../../access/resources.ts'
import { readClientForm } from '../../clients/authenticate.ts'
import { describeMethods } from '../../clients/methods/describe.ts'
import { invalidClient } from '../../clients/methods/method.ts'
import { type Answer, answerJson, answerJwt } from '../../http/answer.ts'
import { type Client, isPublic, publicMethod } from '../../model/client.ts'
import { type ClientId, clientIdCharacters } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import { jwsAlgorithms } from '../../model/key.ts'
import { isPairwise } from '../../model/sector.ts'
import { getContext } from '../../model/terms.ts'
import { type Access, pickEnd } from '../../model/token.ts'
import { shortenTarget } from '../../model/use.ts'
import { getSub, type ToldSubject } from '../../owners/pairwise-secret.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { getProfile, pickAlgorithm } from '../../protocol/profile.ts'
import type { ServiceParts } from '../../registries.ts'
import { describeBinding } from '../../resource/proof.ts'
import { type Handler, json, type MetadataFragment, type RouteRow } from '../../route.ts'
import { describeActors } from '../../tokens/exchanged.ts'
import { computeExpiresIn, refreshTokenTimeout } from '../../tokens/members.ts'
import type { ClientNeeds } from './needs.ts'

const endOf = (access: Access): number | null =>
  access.subject === 'owner' ? pickEnd(access.expiresAt, access.authorizationEnd) : access.expiresAt

/** The part of a token that is about the resources of a client; null if none. */
const findOwnPart = (client: Client, access: Access, resources: Resources): Allowed | null => {
  const its = resources.list().filter(({ introspectionClients: ids }) => ids.includes(client.id))
  return findPart(access, its)
}

/**
 * What a client is told of a token; null if nothing. The token's own client and gateways are told all
 * that it allows, and a resource server what is about its own resources.
 */
const filterTold = (client: Client, access: Access, resources: Resources): Allowed | null =>
  access.clientId === client.id || client.mayIntrospect
    ? access
    : findOwnPart(client, access, resources)

/**
 * What a request at the API is about, as the API names it (RFC 7662 section 2.1 allows such parameters).
 * Only an API of the token may name it, so a gateway may not.
 */
const readTarget = (
  parameters: Parameters,
  client: Client,
  access: Access,
  resources: Resources,
): { readonly target?: string } => {
  const target = shortenTarget(parameters.find('target'))
  const isItsOwn = target !== '' && findOwnPart(client, access, resources) !== null
  return isItsOwn ? { target } : {}
}

const unbound = { token_type: 'Bearer' } as const

const describeAccess = (
  access: Access,
  { client, sub, username }: ToldSubject,
  { permissions, details }: Allowed,
  exp: number | null,
  site: AudienceSite,
) => ({
  active: true,
  scope: formatScope(permissions),
  // RFC 9396 section 9.2
  ...(details.length === 0 ? {} : { authorization_details: details }),
  client_id: access.clientId,
  ...(username === null ? {} : { username }),
  ...(access.confirmation === null ? unbound : describeBinding(access.confirmation)),
  ...(exp === null ? {} : { exp }),
  iat: access.issuedAt,
  // RFC 9470 section 6.2.
  ...(access.authTime === null ? {} : { auth_time: access.authTime, acr: getContext(access) }),
  ...(access.exchanged.length === 0
    ? {}
    : { act: describeActors(access.clientId, access.exchanged) }),
  // RFC 8693 section 4.4: the claim names one party.
  ...(client?.identity.may_act?.length === 1
    ? { may_act: { sub: client.identity.may_act[0], client_id: client.identity.may_act[0] } }
    : {}),
  sub,
  aud: listAudiences(access, site),
  iss: site.issuer,
  jti: access.tokenId,
})

/** A refresh token is told about to its own client only: a resource server has no use for it. */
const describeRefreshToken = async (
  token: string,
  client: Client,
  at: number,
  { tokens, settings, subjects, resources }: ServiceParts,
): Promise<object | null> => {
  const verified = await tokens.verifyRefresh(token, at)
  if (verified === null) return null
  const { says, standing } = verified
  const { authorization, family } = standing
  // An older generation is no live token, even while a retry of it would still be answered.
  const isCurrent = says.generation === family.generation
  if (!isCurrent || authorization.clientId !== client.id) return null
  const permissions = limitScope(
    intersect(says.terms.permissions, authorization.permissions),
    standing.clientScope,
  )
  const details = keepDetailsInForce(
    says.terms.details,
    authorization.details,
    standing.clientDetailTypes,
    resources,
  )
  return {
    active: true,
    scope: formatScope(permissions),
    ...(details.length === 0 ? {} : { authorization_details: details }),
    client_id: authorization.clientId,
    ...(isPairwise(client) ? {} : { username: standing.username }),
    token_type: 'refresh_token',
    exp: pickEnd(says.expiresAt, authorization.expiresAt),
    iat: says.issuedAt,
    sub: await getSub(client, authorization.ownerId, { subjects }),
    iss: settings.issuer,
    refresh_token_timeout: refreshTokenTimeout(says.expiresAt, authorization.expiresAt, at),
    authorization_expires_in: computeExpiresIn(authorization.expiresAt, at),
  }
}

/** Everything that is not known, not alive, or not for the asking client looks the same. */
const inactive = { active: false } as const

const describe = async (
  parameters: Parameters,
  client: Client,
  at: number,
  needs: ServiceParts,
): Promise<object> => {
  const { tokens, resources, uses } = needs
  const token = parameters.require('token')
  const access = await tokens.verifyAccess(token, at, 'paused')
  if (access !== null) {
    const isPaused = access.subject === 'owner' && access.isPaused
    const told = filterTold(client, access, resources)
    // An API asks because somebody uses the token there: from where, it does not say.
    const isUse = client.mayIntrospect || access.clientId !== client.id
    if (told !== null && isUse && access.subject === 'owner') {
      const { authorizationId } = access
      // A row of the access log has little room. The log keeps the beginning of a longer id.
      const api = client.id.slice(0, clientIdCharacters.word)
      const used = `${api}:check` as const
      const target = readTarget(parameters, client, access, resources)
      uses.note({ authorizationId, used, allowed: !isPaused, address: '', ...target, at })
    }
    const subject = await tokens.tellSubject(access)
    if (told === null || isPaused || subject === null) return inactive
    return describeAccess(access, subject, told, endOf(access), resources.latest.site)
  }
  return (await describeRefreshToken(token, client, at, needs)) ?? inactive
}

/** A signed answer (RFC 9701), for APIs with a duty of proof. */
const signedType = 'application/token-introspection+jwt'

/** Only who names the type gets it; any client takes JSON. */
const isJwtAsked = (accept: string): boolean =>
  accept.split(',').some((range) => range.split(';')[0]?.trim().toLowerCase() === signedType)

/** The answer as a JWT for the asking client (RFC 9701 section 5). @param at unix seconds */
const answerSigned = async (
  said: object,
  client: Client,
  at: number,
  { settings, signer }: ServiceParts,
): Promise<Answer> => {
  // The same members as in JSON: those without a value are left out.
  const members = JSON.parse(JSON.stringify(said)) as JsonObject
  const claims = { iss: settings.issuer, aud: client.id, iat: at, token_introspection: members }
  const { introspection_signed_response_alg: chosen } = client.display
  const algorithm = pickAlgorithm(chosen, getProfile(client, settings))
  const jwt = await signer.sign(claims, algorithm, 'token-introspection+jwt')
  return answerJwt(jwt, { 'Content-Type': signedType })
}

const introspectMetadata: MetadataFragment = ({ settings, registries }) => ({
  introspection_endpoint: `${settings.issuer}/introspect`,
  ...describeMethods(
    'introspection',
    registries.clientMethods.filter(({ name }) => name !== publicMethod),
  ),
  introspection_signing_alg_values_supported: jwsAlgorithms,
})

export const openIntrospect = ({ authenticate, ...needs }: ClientNeeds): readonly RouteRow[] => {
  const introspect: Handler = async (exchange) => {
    const { request, at } = exchange
    const parameters = await readClientForm(request)
    const client = await authenticate(exchange, parameters)
    if (isPublic(client)) {
      const said = 'introspection is for clients that authenticate'
      throw invalidClient('public_client_introspects', said)
    }
    const told = await describe(parameters, client, at, needs)
    // An API asks because somebody uses the token there.
    const { client_id: of = null } = told as { readonly client_id?: ClientId }
    const usedBy = client.mayIntrospect || of !== client.id ? of : null
    needs.meter.countIntrospected(told !== inactive, usedBy)
    const accept = request.headers.get('accept')
    return accept === null || !isJwtAsked(accept)
      ? answerJson(told)
      : answerSigned(told, client, at, needs)
  }

  const metadata = introspectMetadata
  return [{ ...json, method: 'POST', path: '/introspect', handler: introspect, metadata }]
}
