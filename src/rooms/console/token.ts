/** `/admin/token`: what a pasted token is, and why it is refused. The token comes in the body, and nothing of it is kept or shown. */

import type { Answer } from '../../http/answer.ts'
import { spellOut } from '../../model/plain/line.ts'
import { inspectToken as inspectOperation } from '../../operations/tokens.ts'
import { hide } from '../../paper/fields.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { sayWhen } from '../../paper/time.ts'
import { pageUrl } from '../../paper/view.ts'
import type { RouteRow } from '../../route.ts'
import type { InspectedToken } from '../../tokens/inspect.ts'
import { showPage } from '../visit.ts'
import {
  type ConsolePageGiven,
  renderConsolePage,
  renderFact,
  renderFacts,
  renderLink,
  renderPermissions,
} from './frame.ts'
import type { Console, ConsoleNeeds, ConsoleVisit } from './visit.ts'
import { consoleTokenWords } from './words.ts'

const renderInspected = (token: InspectedToken, { view }: ConsolePageGiven): Markup => {
  const words = consoleTokenWords(view.language)
  const { kind, refused, clientId, owner, authorizationId, issuedAt, expiresAt } = token
  const link = (path: string, text: Content): Markup =>
    html`<a href="${pageUrl(view, path)}">${text}</a>`
  const codes = (texts: readonly string[]): Markup | null =>
    texts.length === 0 ? null : html`${texts.map((text) => html`<code>${text}</code> `)}`
  const time = (at: number | null): Markup | null =>
    at === null ? null : sayWhen(at, view.at, view)
  const user = (): Content => {
    if (owner !== null) return renderLink(view, 'owners', owner.id, owner.username)
    return clientId === null || kind !== 'access_token' ? null : words.ofApplication
  }
  const isRefused = refused !== null
  return renderFacts(
    isRefused ? words.refused : words.works,
    html`${renderFact(words.kind, words.kinds[kind])}${renderFact(words.reason, isRefused ? words.reasons[refused] : null)}${renderFact(
      words.application,
      clientId === null ? null : renderLink(view, 'clients', clientId),
    )}${renderFact(words.user, user())}${renderFact(words.permissions, renderPermissions(view, token.permissions))}${renderFact(words.details, codes(token.details.map((detail) => spellOut(JSON.stringify(detail)))))}${renderFact(words.audience, codes(token.audience))}${renderFact(words.issued, time(issuedAt))}${renderFact(words.expires, time(expiresAt))}${renderFact(
      words.access,
      authorizationId === null || owner === null
        ? null
        : link(
            `/admin/authorizations?owner=${encodeURIComponent(owner.username)}`,
            words.showAccess,
          ),
    )}`,
  )
}

export const renderToken = (given: ConsolePageGiven, inspected: InspectedToken | null): string => {
  const { view, csrf } = given
  const words = consoleTokenWords(view.language)
  return renderConsolePage(given, {
    part: 'token',
    heading: words.heading,
    main: html`${inspected === null ? null : renderInspected(inspected, given)}
<form class="card" method="post" action="${pageUrl(view, '/admin/token')}">${hide('csrf', csrf)}
<label class="field"><span>${words.token}</span><textarea name="token" rows="4" autocomplete="off" autocapitalize="none" spellcheck="false" required aria-describedby="token-hint"></textarea>
<span class="hint" id="token-hint">${words.hint}</span></label>
<p><button type="submit">${words.look}</button></p></form>`,
  })
}

/** A look changes nothing, so auditors may do it, too. */
export const openToken = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const path = '/admin/token'
  const show = (visit: ConsoleVisit, inspected: InspectedToken | null): Answer =>
    showPage(visit, renderToken(visit.given, inspected))
  return [
    entry.page(path, (visit) => show(visit, null)),
    entry.look(
      path,
      async (visit, form) =>
        show(visit, await needs.tokens.inspect(form.find('token') ?? '', visit.at)),
      { offers: [inspectOperation] },
    ),
  ]
}
