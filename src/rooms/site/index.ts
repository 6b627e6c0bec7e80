/** The first page, and what pages load: stylesheet, scripts and pictures. */

import { asset, type Endpoint, type FormerRow, page } from '../../route.ts'
import { scriptRows, serveIcon, serveLogo, serveStylesheet } from './assets.ts'
import { serveClientLogo } from './client-logo.ts'
import { home } from './home.ts'

interface DemoSite {
  readonly home: Endpoint
  readonly styles: string
}

/** @param demo the first page and the further styles of the demo; null elsewhere */
export const siteRows = (demo: DemoSite | null): readonly FormerRow[] => [
  { ...page, method: 'GET', path: '/', handler: demo?.home ?? home },
  { ...asset, path: '/assets/latchkey.css', handler: serveStylesheet(demo?.styles ?? '') },
  { ...asset, path: '/assets/icon.svg', handler: serveIcon },
  { ...asset, path: '/assets/client-logo', handler: serveClientLogo },
  { ...asset, path: '/assets/logo', handler: serveLogo },
  ...scriptRows,
  { ...asset, path: '/favicon.ico', handler: serveIcon },
]
