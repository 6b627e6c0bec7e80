/** The two logout pages: the question (a GET changes nothing) and the answer. */
import { hidden, named } from './fields.ts'
import { renderLayout } from './layout.ts'
import { html } from './markup.ts'
import { pageUrl, type View } from './view.ts'
import { logoutWords } from './words/logout.ts'

export interface LogoutPage {
  readonly view: View
  readonly csrf: string
  /** The application that asks; null if none is proven. */
  readonly clientName: string | null
  /** The request behind the question; '' without one. */
  readonly request: string
}

export const renderLogout = ({ view, csrf, clientName, request }: LogoutPage): string => {
  const words = logoutWords[view.language]
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.question}</h1>
${clientName === null ? null : html`<p>${words.asks({ client: named(clientName) })}</p>`}
<p>${words.effect}</p>
<form method="post" action="${pageUrl(view, '/logout')}">
${hidden('csrf', csrf)}
${request === '' ? null : hidden('request', request)}
<p class="actions"><button class="primary" type="submit" name="decision" value="logout">${words.submit}</button><button type="submit" name="decision" value="stay">${words.stay}</button></p>
</form>`,
  })
}

export const renderLoggedOut = ({ view }: Pick<LogoutPage, 'view'>): string => {
  const words = logoutWords[view.language]
  return renderLayout({
    view,
    title: words.doneTitle,
    main: html`<h1>${words.done}</h1>
<p>${words.doneEffect}</p>
<p><a href="${pageUrl(view, '/login')}">${words.again}</a></p>`,
  })
}
