/** The demo at its IP address: passkeys need its host name, so a login with one begins there. */
import { passkeyPlaceOf } from '../../owners/relying-party.ts'
import { pageUrl } from '../../paper/view.ts'
import type { ServiceParts } from '../../registries.ts'
import type { LoginVisit } from './entered.ts'

/**
 * The URL of the same login on the host name. Null if passkeys work here, or nowhere.
 * A journey is bound to the cookies of this host, so the other host begins another one. Somebody
 * else may be logged in there, so the login is asked for in any case.
 */
export const loginElsewhere = (
  { request, view, resumed, next }: LoginVisit,
  parts: Pick<ServiceParts, 'settings'>,
): string | null => {
  const place = passkeyPlaceOf(request, parts)
  if (place.is !== 'elsewhere') return null
  if (resumed === null) return place.origin + pageUrl(view, '/login', { next, switch: '1' })
  const { parameters } = resumed
  const login = new URLSearchParams(parameters).has('prompt') ? '' : '&prompt=login'
  return `${place.origin}${view.base}/authorize?${parameters}${login}`
}
