/** The pages behind links. Each says the effect of its link, and has a button for it. */

import type { OpenedOwnerLink } from '../../owners/links.ts'
import { hide, type PageWithForm, renderForm, renderSubmit, sayName } from '../../paper/fields.ts'
import { renderTitled } from '../../paper/layout.ts'
import { loginWords } from '../../paper/login.ts'
import { html, type Markup } from '../../paper/markup.ts'
import { renderPasswordField, renderPasswordScript } from '../../paper/proofs.ts'
import { sayMoment } from '../../paper/time.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import { passwordWords } from '../../paper/words/password.ts'
import { linkWords } from './words.ts'

/** A page behind a link that works. */
export interface LinkPage<Opened = OpenedOwnerLink> extends PageWithForm {
  /** The sealed link, which the form sends back. */
  readonly link: string
  readonly opened: Opened
}

const renderUntil = ({ view, opened }: LinkPage): Markup => {
  const end = sayMoment(opened.link.expiresAt, view.language)
  return html`<p class="quiet small">${linkWords(view.language).until({ end })}</p>`
}

export const renderNewPasswordField = (
  view: View,
  least: number,
  problem: string | null,
): Markup => {
  const rule = passwordWords(view.language).rule({ least })
  const words = linkWords(view.language)
  return renderPasswordField(view, {
    name: 'password',
    label: words.password,
    kind: 'new-password',
    isFocused: true,
    hint: rule,
    problem,
  })
}

/** Password managers need the username beside the new password. People read it above the form. */
export const renderUsernameField = (view: View, username: string): Markup =>
  html`<input class="unseen" type="text" name="username" value="${username}" autocomplete="username" aria-label="${linkWords(view.language).username}" tabindex="-1" readonly>`

export const renderNewPassword = (
  page: LinkPage,
  purpose: 'reset' | 'invite',
  least: number,
  problem: string | null,
): string => {
  const { view } = page
  const { username } = page.opened.owner
  const words = linkWords(view.language)[purpose]
  const fields = [
    hide('link', page.link),
    renderUsernameField(view, username),
    renderNewPasswordField(view, least, problem),
    renderSubmit(words.submit),
  ]
  return renderTitled(
    view,
    words.title,
    html`<p>${words.about({ owner: sayName(username) })}</p>
${renderForm(page, `/${purpose}`, fields)}
${renderUntil(page)}
${renderPasswordScript(view)}`,
  )
}

export const renderVerify = (page: LinkPage): string => {
  const { view } = page
  const { email, owner } = page.opened
  const words = linkWords(view.language).verify
  const submit = html`<p class="actions"><button class="primary" type="submit" autofocus>${words.submit}</button></p>`
  return renderTitled(
    view,
    words.title,
    html`<p>${words.about({ email: sayName(email), owner: sayName(owner.username) })}</p>
${renderForm(page, '/verify', [hide('link', page.link), submit])}
${renderUntil(page)}`,
  )
}

/** The holder of the link reads the mails to the address, so the page may tell of the other account. */
export const renderTaken = (view: View, email: string): string => {
  const words = linkWords(view.language)
  return renderTitled(
    view,
    words.taken.title,
    html`<p>${words.taken.about({ email: sayName(email) })}</p>
<p class="actions"><a class="button primary" href="${pageUrl(view, '/login')}">${words.gone.logIn}</a></p>`,
  )
}

/** @param next the page that makes another link; null for none */
export const renderDeadLink = (view: View, next: 'forgot' | 'signup' | null): string => {
  const words = linkWords(view.language).gone
  const label = { forgot: words.forgot, signup: loginWords(view.language).signUp }
  return renderTitled(
    view,
    words.title,
    html`<p>${words.about}</p>
<p>${next === null ? words.askSender : words.whatNext}</p>
<p class="actions">${next && html`<a class="button primary" href="${pageUrl(view, `/${next}`)}">${label[next]}</a>`}<a class="button" href="${pageUrl(view, '/login')}">${words.logIn}</a></p>`,
  )
}
