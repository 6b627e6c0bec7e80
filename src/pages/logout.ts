/** The two logout pages: the question (a GET changes nothing) and the answer. */
import { hidden } from './fields.ts'
import { renderLayout } from './layout.ts'
import { html } from './markup.ts'
import { pageUrl, type View } from './view.ts'
import { logoutWords } from './words/logout.ts'

export interface LogoutPage {
  readonly view: View
  readonly csrf: string
}

export const renderLogout = ({ view, csrf }: LogoutPage): string => {
  const words = logoutWords[view.language]
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.question}</h1>
<p>${words.effect}</p>
<form method="post" action="${pageUrl(view, '/logout')}">
${hidden('csrf', csrf)}
<p class="actions"><button class="primary" type="submit">${words.submit}</button></p>
</form>
<p><a href="${pageUrl(view, '/account')}">${words.stay}</a></p>`,
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
