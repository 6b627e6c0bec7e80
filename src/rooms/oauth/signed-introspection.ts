/** Introspection as a signed JWT (RFC 9701), for APIs with a duty of proof. */
import { type Answer, answerJson, answerJwt } from '../../http/answer.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Client } from '../../model/client.ts'
import type { JsonObject } from '../../model/json.ts'
import type { EndpointParts } from '../../registries.ts'

const type = 'application/token-introspection+jwt'

/** Every relying party has to know it (RFC 7518 section 3.1 recommends it). */
export const introspectionAlgorithm = 'RS256'

/** Only who names the type gets it; any client takes JSON. */
const wantsJwt = ({ headers }: HttpRequest): boolean =>
  (headers.get('accept') ?? '')
    .split(',')
    .some((range) => range.split(';')[0]?.trim().toLowerCase() === type)

/**
 * The answer as JSON, or as a JWT for the asking client (RFC 9701 section 5).
 *
 * @param at unix seconds
 */
export const answerIntrospection = async (
  said: object,
  client: Client,
  at: number,
  request: HttpRequest,
  { settings, signer }: Pick<EndpointParts, 'settings' | 'signer'>,
): Promise<Answer> => {
  if (!wantsJwt(request)) return answerJson(said)
  // The same members as in JSON: those without a value are left out.
  const members = JSON.parse(JSON.stringify(said)) as JsonObject
  const claims = { iss: settings.issuer, aud: client.id, iat: at, token_introspection: members }
  const jwt = await signer.sign(claims, introspectionAlgorithm, 'token-introspection+jwt')
  return answerJwt(jwt, { 'Content-Type': type })
}
