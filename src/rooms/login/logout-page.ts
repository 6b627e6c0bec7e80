/** The two logout pages: the question (a GET changes nothing) and the answer. */

import { defineWords, message } from '../../paper/catalog.ts'
import { hidden, named, type PageWithForm, renderForm } from '../../paper/fields.ts'
import { renderLayout } from '../../paper/layout.ts'
import { html, type Markup } from '../../paper/markup.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import { redirectTarget } from '../../requests/redirect-uri.ts'

const logoutWords = defineWords('logout', {
  title: 'Log out',
  question: 'Log out?',
  asks: message('{client} asks to log you out here.', { client: 'markup' }),
  effect:
    'Applications that you allowed until you log out lose their access now. All others keep it.',
  submit: 'Log out',
  stay: 'Stay logged in',
  doneTitle: 'Logged out',
  done: 'You are logged out',
  doneEffect: 'Nobody can use your account in this browser without logging in again.',
  telling: 'The applications that you used are told now.',
  frame: 'Logout at an application',
  goOn: message('Go on to {host}', { host: 'markup' }),
  again: 'Log in again',
})

interface LogoutPage extends PageWithForm {
  /** The application that asks; null if none is proven. */
  readonly clientName: string | null
  /** The request behind the question; '' without one. */
  readonly request: string
}

export const renderLogout = (page: LogoutPage): string => {
  const { view, clientName, request } = page
  const words = logoutWords(view.language)
  const fields = html`${request === '' ? null : hidden('request', request)}
<p class="actions"><button class="primary" type="submit" name="decision" value="logout">${words.submit}</button><button type="submit" name="decision" value="stay">${words.stay}</button></p>`
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.question}</h1>
${clientName === null ? null : html`<p>${words.asks({ client: named(clientName) })}</p>`}
<p>${words.effect}</p>
${renderForm(page, '/logout', fields)}`,
  })
}

interface LoggedOutPage {
  readonly view: View
  /** Pages of applications that end their own sessions. */
  readonly frames?: readonly string[]
  /** The registered address that the page goes on to; null to stay. */
  readonly returnTo?: string | null
}

/** A frame may run its scripts, but not send this page elsewhere. */
const frame = (url: string, title: string): Markup =>
  html`<iframe hidden title="${title}" src="${url}" sandbox="allow-scripts allow-same-origin"></iframe>
`

export const renderLoggedOut = ({ view, frames = [], returnTo = null }: LoggedOutPage): string => {
  const words = logoutWords(view.language)
  const host = returnTo === null ? null : html`<bdi>${redirectTarget(returnTo)}</bdi>`
  return renderLayout({
    view,
    title: words.doneTitle,
    main: html`<h1>${words.done}</h1>
<p>${words.doneEffect}</p>
${frames.length === 0 ? null : html`<p>${words.telling}</p>`}
${host === null ? null : html`<p><a href="${returnTo}">${words.goOn({ host })}</a></p>`}
<p><a href="${pageUrl(view, '/login')}">${words.again}</a></p>
${frames.map((url) => frame(url, words.frame))}`,
  })
}
