/** The token endpoint (RFC 6749 section 3.2). It owns the phases; a grant only proves its credential. */

import { keepKnown, learnAsked } from '../../access/resources.ts'
import { authenticateClient, readClientForm } from '../../clients/authenticate.ts'
import { grantTypesOf } from '../../clients/grant-types.ts'
import type { Grant } from '../../grants/grant.ts'
import { type Answer, answerJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Client, isPublic } from '../../model/client.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { refuseUnsupported, unsupportedAtToken } from '../../requests/unsupported.ts'
import type { MetadataFragment } from '../../route.ts'
import { onlyTraceOf } from '../../store/trace.ts'
import { checkEncryption } from '../../tokens/encrypt.ts'
import { type Earned, issueTokens } from '../../tokens/issue.ts'
import { refusalOf } from '../refused.ts'

/** Its sender wants a token that is bound to a key, and must not take a bearer token for one (RFC 9449). */
const unprovable = (): Refusal =>
  new Refusal(
    'invalid_dpop_proof',
    'dpop_proof',
    'DPoP is not supported: send the request without the DPoP header',
  )

const unknownGrant = (grants: readonly Grant[]): Refusal =>
  new Refusal(
    'unsupported_grant_type',
    'unknown_grant_type',
    `grant_type has to be one of ${grants.map((known) => known.type).join(', ')}`,
  )

const refuseUnregistered = (client: Client, grant: Grant): void => {
  const allowed =
    client.grantTypes.includes(grant.type) &&
    (grant.clients === 'any' || !isPublic(client)) &&
    (grant.clients !== 'trusted' || client.trusted)
  if (allowed) return
  throw new Refusal(
    'unauthorized_client',
    'grant_type_not_registered',
    'the client may not use this grant_type',
  )
}

/** A member that no grant declared could have the name of another one. */
const checkMembers = ({ members = {} }: Earned, { members: declared = [] }: Grant): void => {
  const other = Object.keys(members).find((name) => !declared.includes(name))
  if (other !== undefined) throw new Error(`the grant adds the member ${other} undeclared`)
}

export const token = async (exchange: Exchange, parts: ServiceParts): Promise<Answer> => {
  const { request, address, at } = exchange
  const { grants } = parts.registries
  const parameters = await readClientForm(request)
  const type = parameters.find('grant_type')
  const grant = grants.find((known) => known.type === type)
  try {
    if (request.headers.get('dpop') !== null) throw unprovable()
    refuseUnsupported(parameters, unsupportedAtToken)
    const found = await authenticateClient(exchange, parameters, parts)
    if (type === null) parameters.require('grant_type')
    if (grant === undefined) throw unknownGrant(grants)
    refuseUnregistered(found, grant)
    if (found.openid.id_token_encrypted_response_alg !== undefined) {
      await checkEncryption(found, exchange, parts)
    }
    await learnAsked(parameters, parts)
    const client = { ...found, scope: await keepKnown(found.scope, parts) }
    const trace = onlyTraceOf(exchange)
    const earned = await grant.redeem({ client, parameters, address, trace }, parts)
    if (earned.members !== undefined) checkMembers(earned, grant)
    const tokens = await issueTokens(parts, client, earned, trace)
    // The id of a public client proves nothing, but what it was given for does.
    if (client.registeredBy === 'itself' && isPublic(client)) {
      await parts.noteClientUse(client, at, parts.store)
    }
    if (type === 'authorization_code') parts.meter.countStep(client, 'token')
    parts.meter.countGrant(grant.type, 'issued')
    return answerJson(tokens)
  } catch (fault) {
    parts.meter.countGrant(grant?.type ?? 'unknown', refusalOf(fault).code)
    throw fault
  }
}

export const tokenMetadata: MetadataFragment = ({ settings, registries }) => ({
  token_endpoint: `${settings.issuer}/token`,
  grant_types_supported: grantTypesOf(registries),
  token_endpoint_auth_methods_supported: registries.clientMethods.map(({ name }) => name),
  refresh_token_expiration_types_supported: ['authorization', 'token_timeout'],
})
