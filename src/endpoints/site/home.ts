/** The first page. */
import { renderHome } from '../../pages/home.ts'
import type { Endpoint } from '../door/door.ts'
import { showPage } from '../door/page.ts'
import { viewOf } from '../door/view.ts'

/** `GET /` */
export const home: Endpoint = (exchange, parts) => {
  const view = viewOf(exchange, parts)
  return showPage({ view }, renderHome({ view, issuer: parts.settings.issuer }))
}
