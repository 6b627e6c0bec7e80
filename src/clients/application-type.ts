/** `application_type`: native or web, and the redirect URIs of each (OpenID Connect Registration section 2). */
import type { Client } from '../model/client.ts'
import { Refusal } from '../protocol/refusal.ts'
import { opensApplication, quotedUri } from '../requests/redirect-uri.ts'

type Placed = Pick<Client, 'redirectUris' | 'display'>

/**
 * As the client said. The default is `web`, but a client with a private-use scheme can be nothing but
 * native.
 */
export const applicationTypeOf = ({ redirectUris, display }: Placed): 'native' | 'web' =>
  display.application_type ?? (redirectUris.some(opensApplication) ? 'native' : 'web')

/** @throws Refusal `invalid_redirect_uri` if a web application names a private-use scheme */
export const checkApplicationType = (client: Placed): void => {
  if (applicationTypeOf(client) === 'native') return
  const index = client.redirectUris.findIndex(opensApplication)
  const uri = client.redirectUris[index]
  if (uri === undefined) return
  throw new Refusal(
    'invalid_redirect_uri',
    'native_redirect_uri',
    `redirect_uris[${index}] ${quotedUri(uri)} has a scheme for application_type native: a web application needs https, or http on a loopback address`,
  )
}
