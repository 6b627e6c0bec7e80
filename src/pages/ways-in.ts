/** The pages for asking for a link, and the page that creates an account. */
import { alert, hidden, named } from './fields.ts'
import { renderLayout } from './layout.ts'
import { type NewPasswordPage, newPasswordField, usernameField } from './link.ts'
import { waiting } from './login.ts'
import { type Content, html, type Markup } from './markup.ts'
import { moment } from './time.ts'
import { pageUrl, type View } from './view.ts'
import { linkWords } from './words/links.ts'
import { loginWords } from './words/login.ts'
import { passwordWords } from './words/password.ts'
import { waysInWords } from './words/ways-in.ts'

/** What a link is asked for. */
export type AskedFor = 'forgot' | 'signup'

interface WayPage {
  readonly view: View
  readonly way: AskedFor
}

const backToLogin = (view: View): Markup =>
  html`<p><a href="${pageUrl(view, '/login')}">${waysInWords[view.language].logIn}</a></p>`

const frame = (view: View, title: string, main: Content): string =>
  renderLayout({
    view,
    title,
    main: html`<h1>${title}</h1>
${main}
${backToLogin(view)}`,
  })

export interface AskPage extends WayPage {
  readonly csrf: string
  readonly problem: 'bad' | null
  /** How long the next request has to wait; null = not at all. */
  readonly waitSeconds: number | null
}

/** Names of the fields, and what browsers may fill into them. */
const fields = {
  forgot: html`type="text" name="username" autocomplete="username"`,
  signup: html`type="email" name="email" autocomplete="email"`,
} as const

export const renderAsk = ({ view, way, csrf, problem, waitSeconds }: AskPage): string => {
  const all = waysInWords[view.language]
  const words = all[way]
  const wait =
    waitSeconds === null
      ? null
      : `${all.throttled} ${waiting(waitSeconds, loginWords[view.language])}`
  const said = problem === null ? wait : all.signup[problem]
  return frame(
    view,
    words.title,
    html`<p>${words.about}</p>
${alert(said)}
<form method="post" action="${pageUrl(view, `/${way}`)}">
${hidden('csrf', csrf)}
<label class="field"><span>${words.field}</span>
<input ${fields[way]} autocapitalize="none" spellcheck="false" required autofocus${said === null ? null : html` aria-describedby="problem"`}></label>
<p class="actions"><button class="primary" type="submit">${words.submit}</button></p>
</form>`,
  )
}

export interface SentPage extends WayPage {
  /** Whether the demo keeps the mail. */
  readonly hasMailbox: boolean
}

/** The same words whether or not there is an account. */
export const renderSent = ({ view, way, hasMailbox }: SentPage): string => {
  const words = waysInWords[view.language]
  const link = html`<a href="${pageUrl(view, '/mailbox')}">${words.mailboxTitle}</a>`
  const span = way === 'forgot' ? words.halfHour : words.day
  return frame(
    view,
    words.sentTitle,
    html`<p role="status">${words[way].sent}</p>
<ul>
<li>${words.once({ span })}</li>
<li>${words.spam}</li>
</ul>
${hasMailbox ? html`<p class="notice">${words.mailbox({ link })}</p>` : null}`,
  )
}

/** Why there is no form. */
export const renderClosed = ({
  view,
  way,
  why,
}: WayPage & { readonly why: 'off' | 'invited' }): string => {
  const words = waysInWords[view.language]
  const { title } = words[way]
  return frame(view, title, html`<p>${way === 'forgot' ? words.forgot.off : words.signup[why]}</p>`)
}

export interface SignUpPage {
  readonly view: View
  readonly csrf: string
  readonly link: string
  readonly email: string
  /** What was typed before. */
  readonly name: string
  readonly leastCharacters: number
  readonly problem: NewPasswordPage['problem']
}

export const renderSignUp = (page: SignUpPage): string => {
  const { view, csrf, link, email, name, leastCharacters, problem } = page
  const words = waysInWords[view.language].signup
  return frame(
    view,
    words.title,
    html`${alert(problem === null ? null : passwordWords[view.language].problem[problem])}
<form method="post" action="${pageUrl(view, '/signup')}">
${hidden('csrf', csrf)}${hidden('link', link)}
${usernameField(view, email)}
<label class="field"><span>${words.name}</span>
<input type="text" name="name" value="${name}" autocomplete="name"></label>
${newPasswordField(view, leastCharacters, problem)}
<p class="actions"><button class="primary" type="submit">${words.create}</button></p>
</form>
<p class="quiet">${linkWords[view.language].onceOnly}</p>`,
  )
}

export interface MailboxPage {
  readonly view: View
  readonly mails: readonly {
    readonly at: number
    readonly to: string
    readonly subject: string
    readonly text: string
  }[]
}

/** The text of a mail; its links work. */
const linked = (text: string): readonly Markup[] =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((piece, i) => (i % 2 === 0 ? html`${piece}` : html`<a href="${piece}">${piece}</a>`))

export const renderMailbox = ({ view, mails }: MailboxPage): string => {
  const words = waysInWords[view.language]
  const mail = ({ at, to, subject, text }: MailboxPage['mails'][number]): Markup =>
    html`<article class="card"><h2>${subject}</h2>
<p class="quiet">${words.to({ address: named(to), when: moment(at, view.language) })}</p>
<p class="mail">${linked(text)}</p></article>
`
  return frame(
    view,
    words.mailboxTitle,
    html`<p>${words.mailboxAbout}</p>
${mails.length === 0 ? html`<p class="card">${words.mailboxEmpty}</p>` : mails.map(mail)}`,
  )
}
