/** The first page, and what pages load: stylesheet, scripts and pictures. */

import type { Answer } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { signUpMode } from '../../owners/ways-in.ts'
import { type Handler, page, type RouteRow } from '../../route.ts'
import { makeView, showPage, type ViewNeeds } from '../visit.ts'
import { type AssetsNeeds, openAssets } from './assets.ts'
import { renderHome } from './home-page.ts'
import { openSecurityText } from './security-text.ts'

interface DemoSite {
  readonly home: Handler
  readonly styles: string
}

/** @param demo the first page and the further styles of the demo; null elsewhere */
export const openSite = (
  needs: AssetsNeeds & ViewNeeds,
  demo: DemoSite | null,
): readonly RouteRow[] => {
  const home = (exchange: Exchange): Answer => {
    const view = makeView(exchange, needs)
    return showPage({ view }, renderHome({ view, isOpen: signUpMode(needs) === 'open' }))
  }
  return [
    { ...page, method: 'GET', path: '/', handler: demo?.home ?? home },
    ...openAssets(needs, demo?.styles ?? ''),
    openSecurityText(needs),
  ]
}
