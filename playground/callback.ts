/** The demo's redirect URIs, for a pasted flow: the answer, and the command for the next step. */

import type { Answer } from '../src/http/answer.ts'
import type { Exchange } from '../src/http/exchange.ts'
import { showPage, type ViewNeeds } from '../src/rooms/visit.ts'
import { curlOf } from './curl.ts'
import type { PlaygroundSite, RedirectPath } from './flow.ts'
import { gallery, photoPrinter, read, token } from './flows/rows.ts'
import { type Brought, renderCallback } from './pages/callback.ts'
import { messageOf } from './request.ts'
import { playgroundView } from './view.ts'

/** The verifier of RFC 7636 appendix B, whose challenge the README's request carries. */
const exampleVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

const clients = {
  '/callback': { caller: photoPrinter, name: 'Photo Printer' },
  '/gallery': { caller: gallery, name: 'Gallery' },
} as const

/** The token request for a code, as a command. */
const exchangeOf = (
  path: RedirectPath,
  code: string,
  { issuer, redirectOrigin }: PlaygroundSite,
): string => {
  const { caller } = clients[path]
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectOrigin + path,
    ...(caller.secret === null ? { code_verifier: exampleVerifier } : {}),
  }
  return curlOf(messageOf(token(caller, form), {}), issuer)
}

const broughtBy = (query: string, path: RedirectPath, site: PlaygroundSite): Brought => {
  const answer = new URLSearchParams(query)
  const error = answer.get('error')
  if (error !== null) {
    return { kind: 'error', error, description: answer.get('error_description') }
  }
  const code = answer.get('code')
  if (code === null) return { kind: 'fragment' }
  // A stranger can write any code into a link, and a terminal acts on some characters when it pastes.
  const isCode = /^lk_ac_[\w-]+$/.test(code)
  return { kind: 'code', exchange: isCode ? exchangeOf(path, code, site) : null }
}

/**
 * `/callback` and `/gallery`, for an answer that belongs to no run of the playground.
 *
 * @param query form-encoded, from the query or a form; of printable characters only
 */
export const showCallback = (
  path: RedirectPath,
  query: string,
  site: PlaygroundSite,
  exchange: Exchange,
  needs: ViewNeeds,
): Answer => {
  const view = playgroundView(exchange, needs)
  const { name, caller } = clients[path]
  const html = renderCallback({
    view,
    issuer: site.issuer,
    clientName: name,
    isPublic: caller.secret === null,
    fields: [...new URLSearchParams(query)],
    brought: broughtBy(query, path, site),
    read: curlOf(messageOf(read('/api/photos'), { access_token: 'ACCESS_TOKEN' }), site.issuer),
  })
  return showPage({ view }, html)
}
