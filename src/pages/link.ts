/** The pages behind links. Each says the effect of its link, and has a button for it. */
import { limits } from '../config/limits.ts'
import { alert, hidden, named } from './fields.ts'
import { renderLayout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { moment } from './time.ts'
import { pageUrl, type View } from './view.ts'
import { linkWords } from './words/links.ts'
import { passwordWords } from './words/password.ts'

interface LinkPage {
  readonly view: View
  readonly csrf: string
  /** The sealed link, which the form sends back. */
  readonly link: string
  /** Unix seconds. */
  readonly expiresAt: number
  readonly username: string
}

const until = ({ view, expiresAt }: LinkPage): Markup =>
  html`<p class="quiet">${linkWords[view.language].until({ end: moment(expiresAt, view.language) })}</p>`

export interface NewPasswordPage extends LinkPage {
  readonly purpose: 'reset' | 'invite'
  readonly leastCharacters: number
  readonly problem: 'length' | 'common' | 'names' | null
}

/** The field for a new password, with its rule. */
export const newPasswordField = (
  view: View,
  least: number,
  problem: NewPasswordPage['problem'],
): Markup => {
  const rule = passwordWords[view.language].rule({ least, most: limits.passwordBytes })
  return html`<label class="field"><span>${linkWords[view.language].password}</span>
<input type="password" name="password" autocomplete="new-password" required autofocus aria-describedby="${problem === null ? 'rule' : 'rule problem'}"></label>
<p class="quiet" id="rule">${rule}</p>`
}

/** Password managers need the username beside the new password. */
export const usernameField = (view: View, username: string): Markup =>
  html`<label class="field"><span>${linkWords[view.language].username}</span>
<input type="text" name="username" value="${username}" autocomplete="username" readonly></label>`

export const renderNewPassword = (page: NewPasswordPage): string => {
  const { view, csrf, link, purpose, username, leastCharacters, problem } = page
  const words = linkWords[view.language][purpose]
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.title}</h1>
<p>${words.about({ owner: named(username) })}</p>
${alert(problem === null ? null : passwordWords[view.language].problem[problem])}
<form method="post" action="${pageUrl(view, `/${purpose}`)}">
${hidden('csrf', csrf)}${hidden('link', link)}
${usernameField(view, username)}
${newPasswordField(view, leastCharacters, problem)}
<p class="actions"><button class="primary" type="submit">${words.submit}</button></p>
</form>
${until(page)}`,
  })
}

export interface VerifyPage extends LinkPage {
  readonly email: string
}

export const renderVerify = (page: VerifyPage): string => {
  const { view, csrf, link, username, email } = page
  const words = linkWords[view.language].verify
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.title}</h1>
<p>${words.about({ email: named(email), owner: named(username) })}</p>
<form method="post" action="${pageUrl(view, '/verify')}">
${hidden('csrf', csrf)}${hidden('link', link)}
<p class="actions"><button class="primary" type="submit" autofocus>${words.submit}</button></p>
</form>
${until(page)}`,
  })
}

export interface DeadLinkPage {
  readonly view: View
  /** Whether people can ask for a link by themselves. */
  readonly hasForgot: boolean
}

export const renderDeadLink = ({ view, hasForgot }: DeadLinkPage): string => {
  const words = linkWords[view.language].gone
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.title}</h1>
<p>${words.about}</p>
<p>${words.whatNext}</p>
<ul>
<li><a href="${pageUrl(view, '/login')}">${words.logIn}</a></li>
${hasForgot ? html`<li><a href="${pageUrl(view, '/forgot')}">${words.forgot}</a></li>` : null}
</ul>`,
  })
}
