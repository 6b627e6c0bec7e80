/** For whom passkeys are made here: the host name of the issuer (WebAuthn level 3, section 5.1.2). */

import { isIP } from 'node:net'
import { isLoopbackHttp } from '../config/issuer.ts'
import type { Settings } from '../config/settings.ts'
import type { RelyingParty } from '../crypto/webauthn.ts'
import type { HttpRequest } from '../http/request.ts'
import { bareHost } from '../model/sector.ts'

/** Null where the service has no name: a passkey cannot belong to an IP address. */
const findRelyingParty = ({ settings }: { readonly settings: Settings }): RelyingParty | null => {
  const url = new URL(settings.issuer)
  // On this very machine there is a name besides the address.
  if (isLoopbackHttp(settings.issuer)) url.hostname = 'localhost'
  const isName = isIP(bareHost(url.hostname)) === 0
  return isName ? { id: url.hostname, origin: url.origin } : null
}

/** Whether passkeys can be made and used on a page: here, under another URL of the page, or not at all. */
export type PasskeyPlace =
  | { readonly is: 'here'; readonly party: RelyingParty }
  | { readonly is: 'elsewhere'; readonly origin: string }
  | { readonly is: 'nowhere' }

/** Only a demo is known under two names; elsewhere a proxy may have changed what the request says. */
export const passkeyPlaceOf = (
  request: HttpRequest,
  parts: { readonly settings: Settings },
): PasskeyPlace => {
  const party = findRelyingParty(parts)
  if (party === null) return { is: 'nowhere' }
  const isNamedSo = new URL(request.url).hostname === party.id
  return isLoopbackHttp(parts.settings.issuer) && !isNamedSo
    ? { is: 'elsewhere', origin: party.origin }
    : { is: 'here', party }
}
