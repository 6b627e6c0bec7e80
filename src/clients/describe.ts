/** A client as it is told to itself and to operators (RFC 7591 section 3.2.1): never its secret or a digest. */
import { formatScope } from '../access/permission.ts'
import type { Client } from '../model/client.ts'
import { isNativeUri } from '../model/requester.ts'
import { Refusal } from '../protocol/refusal.ts'
import { quoteUri } from '../requests/redirect-uri.ts'

type Placed = Pick<Client, 'redirectUris' | 'display'>

/**
 * As the client said. The default is `web`, but a client with a private-use scheme can be nothing but
 * native.
 */
const getApplicationType = ({ redirectUris, display }: Placed): 'native' | 'web' =>
  display.application_type ?? (redirectUris.some(isNativeUri) ? 'native' : 'web')

/** @throws Refusal `invalid_redirect_uri` if a web application names a private-use scheme */
export const checkApplicationType = (client: Placed): void => {
  if (getApplicationType(client) === 'native') return
  const index = client.redirectUris.findIndex(isNativeUri)
  const uri = client.redirectUris[index]
  if (uri === undefined) return
  throw new Refusal(
    'invalid_redirect_uri',
    'native_redirect_uri',
    `redirect_uris[${index}] ${quoteUri(uri)} has a scheme for application_type native: a web application needs https, or http on a loopback address`,
  )
}

export const describeClient = (client: Client) => ({
  client_id: client.id,
  client_id_issued_at: client.createdAt,
  client_name: client.name,
  redirect_uris: client.redirectUris,
  grant_types: client.grantTypes,
  response_types: client.responseTypes,
  token_endpoint_auth_method: client.authenticationMethod,
  scope: formatScope(client.scope),
  required_scope: formatScope(client.requiredScope),
  ...client.display,
  ...client.openid,
  application_type: getApplicationType(client),
})

export const describeForOperator = (client: Client) => ({
  ...describeClient(client),
  access_token_seconds: client.accessTokenSeconds,
  refresh_token_seconds: client.refreshTokenSeconds,
  trusted: client.trusted,
  may_introspect: client.mayIntrospect,
  disabled: client.disabled,
  ...client.identity,
  /** Null where a rotation kept none. */
  old_secret_expires_at: client.oldSecret?.expiresAt ?? null,
  registered_by: client.registeredBy,
  /** What the client cannot change itself, because the operator set it. */
  set_by_operator: client.setByOperator,
  /** Whether it has a registration token, with which it can change itself. */
  manages_itself: client.registrationDigest !== null,
  ...(client.document && {
    pinned: client.pinned ?? false,
    document_fetched_at: client.document.fetchedAt,
    document_fresh_until: client.document.freshUntil,
  }),
})

/** A secret that is shown this once (RFC 7591 section 3.2.1); 0 = it does not expire. */
export const describeSecret = (secret: string | null) =>
  secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }
