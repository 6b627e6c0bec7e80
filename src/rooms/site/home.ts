/** The first page. */

import type { Endpoint } from '../../route.ts'
import { viewOf } from '../view.ts'
import { showPage } from '../visit.ts'
import { renderHome } from './home-page.ts'

/** `GET /` */
export const home: Endpoint = (exchange, parts) => {
  const view = viewOf(exchange, parts)
  return showPage({ view }, renderHome({ view, issuer: parts.settings.issuer }))
}
