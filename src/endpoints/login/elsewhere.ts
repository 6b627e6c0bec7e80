/** The demo at its address: passkeys belong to its name, so a login with one begins there. */
import type { Exchange } from '../../http/exchange.ts'
import { passkeyPlaceOf } from '../../owners/relying-party.ts'
import { pageUrl } from '../../pages/view.ts'
import type { Parts } from '../../parts.ts'
import { viewOf } from '../door/view.ts'
import type { Waiting } from './entered.ts'

/**
 * The URL under which the same goes on where passkeys work; null where they work here, or nowhere.
 * A journey is of the cookies of this place: in the other one its request begins another. Somebody else
 * may be logged in there, so the login is asked for in any case.
 */
export const loginElsewhere = (
  { resumed, next }: Pick<Waiting, 'resumed' | 'next'>,
  exchange: Exchange,
  parts: Pick<Parts, 'settings'>,
): string | null => {
  const place = passkeyPlaceOf(exchange.request, parts)
  if (place.is !== 'elsewhere') return null
  const view = viewOf(exchange, parts, resumed)
  if (resumed === null) return place.origin + pageUrl(view, '/login', { next, switch: '1' })
  const { parameters } = resumed
  const login = new URLSearchParams(parameters).has('prompt') ? '' : '&prompt=login'
  return `${place.origin}${view.base}/authorize?${parameters}${login}`
}
