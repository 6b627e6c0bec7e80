/** Authorization server metadata (RFC 8414), made from what is really switched on. */
import { ownerPermissions } from '../../access/permission.ts'
import { adminUri, resourceUri } from '../../access/resource-indicator.ts'
import { grantTypesOf } from '../../clients/grant-types.ts'
import { type Answer, answerPublicJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { publicMethod } from '../../model/client.ts'
import type { EndpointParts } from '../../registries.ts'

export const metadata = (_exchange: Exchange, { settings, registries }: EndpointParts): Answer => {
  const { responseTypes, prompts } = registries
  const clientMethods = registries.clientMethods.map(({ name }) => name)
  const { issuer } = settings
  const at = (path: string): string => `${issuer}${path}`
  return answerPublicJson({
    issuer,
    authorization_endpoint: at('/authorize'),
    token_endpoint: at('/token'),
    revocation_endpoint: at('/revoke'),
    introspection_endpoint: at('/introspect'),
    ...(settings.registration === 'open' ? { registration_endpoint: at('/register') } : {}),
    userinfo_endpoint: at('/userinfo'),
    jwks_uri: at('/jwks'),
    scopes_supported: ownerPermissions(settings.resources),
    response_types_supported: responseTypes.map(({ type }) => type),
    response_modes_supported: [...new Set(responseTypes.flatMap(({ modes }) => modes))],
    grant_types_supported: grantTypesOf(registries),
    token_endpoint_auth_methods_supported: clientMethods,
    revocation_endpoint_auth_methods_supported: clientMethods,
    introspection_endpoint_auth_methods_supported: clientMethods.filter(
      (method) => method !== publicMethod,
    ),
    code_challenge_methods_supported: ['S256'],
    refresh_token_expiration_types_supported: ['authorization', 'token_timeout'],
    authorization_response_iss_parameter_supported: true,
    prompt_values_supported: prompts.map(({ value }) => value),
    protected_resources: [
      issuer,
      at('/api'),
      ...settings.resources.map(({ name }) => resourceUri(issuer, name)),
      adminUri(issuer),
    ],
  })
}

/** `GET /jwks`: tokens are opaque, so there is no key that anyone else could check them with. */
export const jwks = (): Answer => answerPublicJson({ keys: [] })
