/** The introspection endpoint (RFC 7662). */
import { audiencesOf, partFor, siteOf } from '../../access/audience.ts'
import { formatScope, intersection, withinScope } from '../../access/permission.ts'
import { authenticateClient, readClientForm } from '../../clients/authenticate.ts'
import { invalidClient } from '../../clients/methods/method.ts'
import { limits } from '../../config/limits.ts'
import { type Answer, answerJson, answerJwt } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Access } from '../../model/access.ts'
import { type Client, isPublic, publicMethod } from '../../model/client.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Permissions } from '../../model/resource.ts'
import { isPairwise } from '../../model/sector.ts'
import { subjectOf } from '../../owners/subject.ts'
import type { ServiceParts } from '../../registries.ts'
import { bearer } from '../../resource/proof.ts'
import type { MetadataFragment } from '../../route.ts'
import { authorizationExpiresIn, earlier, refreshTokenTimeout } from '../../tokens/end.ts'
import {
  type ToldSubject,
  toldSubject,
  verifyAccessToken,
  verifyRefreshToken,
} from '../../tokens/verify.ts'

/** Until when a token is alive as things stand. */
const endOf = (access: Access): number | null =>
  access.subject === 'owner' ? earlier(access.expiresAt, access.authorizationEnd) : access.expiresAt

/**
 * What a client is told of a token; null if nothing. The token's own client and gateways are told all
 * its permissions, and a resource server those on its own resources.
 */
const toldTo = (
  client: Client,
  access: Access,
  { resources }: Pick<ServiceParts, 'resources'>,
): Permissions | null => {
  if (access.clientId === client.id || client.mayIntrospect) return access.permissions
  const its = resources.list().filter(({ introspectionClients: ids }) => ids.includes(client.id))
  return partFor(access.permissions, its)
}

const describeAccess = (
  access: Access,
  { sub, username }: ToldSubject,
  told: Permissions,
  exp: number | null,
  parts: Pick<ServiceParts, 'settings' | 'resources'>,
) => ({
  active: true,
  scope: formatScope(told),
  client_id: access.clientId,
  ...(username === null ? {} : { username }),
  token_type: bearer.tokenType,
  ...(exp === null ? {} : { exp }),
  iat: access.issuedAt,
  ...(access.authTime === null ? {} : { auth_time: access.authTime }),
  sub,
  aud: audiencesOf(access.permissions, siteOf(parts)),
  iss: parts.settings.issuer,
  jti: access.tokenId,
})

/** A refresh token is told about to its own client only: a resource server has no use for it. */
const describeRefreshToken = async (
  token: string,
  client: Client,
  at: number,
  parts: ServiceParts,
): Promise<object | null> => {
  const verified = await verifyRefreshToken(token, at, parts)
  if (verified === null) return null
  const { says, standing } = verified
  const { authorization, family } = standing
  // An older generation is no live token, even while a retry of it would still be answered.
  const isCurrent = says.generation === family.generation
  if (!isCurrent || authorization.clientId !== client.id) return null
  const permissions = withinScope(
    intersection(says.terms.permissions, authorization.permissions),
    standing.clientScope,
  )
  return {
    active: true,
    scope: formatScope(permissions),
    client_id: authorization.clientId,
    ...(isPairwise(client) ? {} : { username: standing.username }),
    token_type: 'refresh_token',
    exp: earlier(says.expiresAt, authorization.expiresAt),
    iat: says.issuedAt,
    sub: await subjectOf(client, authorization.ownerId, parts),
    iss: parts.settings.issuer,
    refresh_token_timeout: refreshTokenTimeout(says.expiresAt, authorization.expiresAt, at),
    authorization_expires_in: authorizationExpiresIn(authorization.expiresAt, at),
  }
}

/** Everything that is not known, not alive, or not for the asking client looks the same. */
const inactive = { active: false } as const

/** The answer about a token, as things stand at this moment. */
const describe = async (
  token: string,
  client: Client,
  at: number,
  parts: ServiceParts,
): Promise<object> => {
  const access = await verifyAccessToken(token, at, parts, 'paused')
  if (access !== null) {
    const isPaused = access.subject === 'owner' && access.isPaused
    const told = toldTo(client, access, parts)
    // An API asks because somebody uses the token there: from where, it does not say.
    const isUse = client.mayIntrospect || access.clientId !== client.id
    if (told !== null && isUse && access.subject === 'owner') {
      const { authorizationId } = access
      // A row of the access log has little room. It keeps the beginning of a longer id.
      const api = client.id.slice(0, limits.clientIdCharacters.word)
      const used = `${api}:check` as const
      parts.uses.note({ authorizationId, used, allowed: !isPaused, address: '', at })
    }
    const subject = await toldSubject(access, parts)
    if (told === null || isPaused || subject === null) return inactive
    return describeAccess(access, subject, told, endOf(access), parts)
  }
  return (await describeRefreshToken(token, client, at, parts)) ?? inactive
}

/** A signed answer (RFC 9701), for APIs with a duty of proof. */
const signedType = 'application/token-introspection+jwt'

/** Every relying party has to know it (RFC 7518 section 3.1 recommends it). */
const introspectionAlgorithm = 'RS256'

/** Only who names the type gets it; any client takes JSON. */
const wantsJwt = (accept: string): boolean =>
  accept.split(',').some((range) => range.split(';')[0]?.trim().toLowerCase() === signedType)

/** The answer as a JWT for the asking client (RFC 9701 section 5). @param at unix seconds */
const answerSigned = async (
  said: object,
  client: Client,
  at: number,
  { settings, signer }: Pick<ServiceParts, 'settings' | 'signer'>,
): Promise<Answer> => {
  // The same members as in JSON: those without a value are left out.
  const members = JSON.parse(JSON.stringify(said)) as JsonObject
  const claims = { iss: settings.issuer, aud: client.id, iat: at, token_introspection: members }
  const jwt = await signer.sign(claims, introspectionAlgorithm, 'token-introspection+jwt')
  return answerJwt(jwt, { 'Content-Type': signedType })
}

export const introspect = async (exchange: Exchange, parts: ServiceParts): Promise<Answer> => {
  const parameters = await readClientForm(exchange.request)
  const client = await authenticateClient(exchange, parameters, parts)
  if (isPublic(client)) {
    throw invalidClient(
      'public_client_introspects',
      'introspection is for clients that authenticate',
    )
  }
  const said = await describe(parameters.require('token'), client, exchange.at, parts)
  parts.meter.countIntrospected(said !== inactive)
  const accept = exchange.request.headers.get('accept')
  return accept === null || !wantsJwt(accept)
    ? answerJson(said)
    : answerSigned(said, client, exchange.at, parts)
}

/** Public clients may not ask. */
export const introspectMetadata: MetadataFragment = ({ settings, registries }) => ({
  introspection_endpoint: `${settings.issuer}/introspect`,
  introspection_endpoint_auth_methods_supported: registries.clientMethods
    .map(({ name }) => name)
    .filter((name) => name !== publicMethod),
  introspection_signing_alg_values_supported: [introspectionAlgorithm],
})
