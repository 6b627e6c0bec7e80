/** The token endpoint (RFC 6749 section 3.2). It owns the phases; a grant only proves its credential. */

import { siteOf } from '../../access/audience.ts'
import { learnAsked } from '../../access/learn.ts'
import { narrowToResources } from '../../access/resource-indicator.ts'
import { keepKnown } from '../../access/resources.ts'
import {
  askableOfItself,
  askableOfOwner,
  askedPermissions,
  impliedPermissions,
} from '../../access/scope.ts'
import { authenticateClient } from '../../clients/authenticate.ts'
import { grantTypesOf } from '../../clients/grant-types.ts'
import type { Grant } from '../../grants/grant.ts'
import { type Answer, answerJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { HttpRequest } from '../../http/request.ts'
import { type Client, isPublic } from '../../model/client.ts'
import type { Extent } from '../../model/terms.ts'
import { onlyTraceOf } from '../../parts.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { EndpointParts } from '../../registries.ts'
import { refuseUnsupportedAtToken } from '../../requests/unsupported.ts'
import type { MetadataFragment } from '../../route.ts'
import { checkEncryption } from '../../tokens/encrypt.ts'
import { type Earned, issueTokens } from '../../tokens/issue.ts'
import { refusalOf } from '../refused.ts'
import { readClientForm } from './client-form.ts'

/** Its sender wants a token that is bound to a key, and must not take a bearer token for one (RFC 9449). */
const refuseProof = ({ headers }: HttpRequest): void => {
  if (headers.get('dpop') === null) return
  throw new Refusal(
    'invalid_dpop_proof',
    'dpop_proof',
    'DPoP is not supported: send the request without the DPoP header',
  )
}

const findGrant = (grants: readonly Grant[], type: string): Grant => {
  const grant = grants.find((known) => known.type === type)
  if (grant !== undefined) return grant
  throw new Refusal(
    'unsupported_grant_type',
    'unknown_grant_type',
    `grant_type has to be one of ${grants.map((known) => known.type).join(', ')}`,
  )
}

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

const issue = async (
  parameters: Parameters,
  exchange: Exchange,
  parts: EndpointParts,
): Promise<Answer> => {
  const { registries, resources } = parts
  refuseProof(exchange.request)
  refuseUnsupportedAtToken(parameters)
  const client = await authenticateClient(exchange, parameters, parts)
  const grant = findGrant(registries.grants, parameters.require('grant_type'))
  refuseUnregistered(client, grant)
  await checkEncryption(client, exchange, parts)
  await learnAsked(parameters, parts)
  const scope = await keepKnown(client.scope, parts)
  const known = scope === client.scope ? client : { ...client, scope }
  const namesResource = parameters.all('resource').some((uri) => uri !== '')
  const trace = onlyTraceOf(exchange)
  const narrow = (granted: Extent): Extent =>
    narrowToResources(granted, parameters.all('resource'), siteOf(parts))
  const asked = (of: 'owner' | 'client' = 'owner'): Extent => {
    const allowed =
      of === 'owner' ? askableOfOwner(known, resources) : askableOfItself(known, resources.list())
    const implied = impliedPermissions(known, allowed, namesResource)
    const permissions = askedPermissions(parameters.find('scope'), allowed, implied)
    return narrow({ permissions, audience: [] })
  }
  const { address } = exchange
  const request = { client, parameters, address, trace, asked, narrow }
  const earned = await grant.redeem(request, parts)
  checkMembers(earned, grant)
  const tokens = await issueTokens(parts, client, earned, trace)
  // The id of a public client proves nothing, but what it was given for does.
  await parts.noteClientUse(client, exchange.at, parts.store)
  if (grant.type === 'authorization_code') parts.meter.countStep(client, 'token')
  return answerJson(tokens)
}

export const token = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const { registries, meter } = parts
  const parameters = await readClientForm(exchange.request)
  const asked = parameters.find('grant_type')
  const type = registries.grants.find((known) => known.type === asked)?.type ?? 'unknown'
  try {
    const answer = await issue(parameters, exchange, parts)
    meter.countGrant(type, 'issued')
    return answer
  } catch (fault) {
    meter.countGrant(type, refusalOf(fault).code)
    throw fault
  }
}

export const tokenMetadata: MetadataFragment = ({ settings, registries }) => ({
  token_endpoint: `${settings.issuer}/token`,
  grant_types_supported: grantTypesOf(registries),
  token_endpoint_auth_methods_supported: registries.clientMethods.map(({ name }) => name),
  refresh_token_expiration_types_supported: ['authorization', 'token_timeout'],
})
