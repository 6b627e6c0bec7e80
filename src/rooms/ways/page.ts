/** The pages for asking for a link, and the page that creates an account. */
import type { OpenedLink } from '../../owners/links.ts'
import {
  hide,
  type PageWithForm,
  renderField,
  renderForm,
  renderSubmit,
  renderWaitingFields,
  sayName,
  showAlert,
} from '../../paper/fields.ts'
import { renderLayout, renderTitled } from '../../paper/layout.ts'
import { tellProblem } from '../../paper/login.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { renderMailed } from '../../paper/pieces.ts'
import { renderPasswordScript } from '../../paper/proofs.ts'
import { sayMoment } from '../../paper/time.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import { type LinkPage, renderNewPasswordField, renderUsernameField } from './link.ts'
import { linkWords, waysInWords } from './words.ts'

export type AskedFor = 'forgot' | 'signup'

interface WayPage {
  readonly view: View
  readonly way: AskedFor
  /** The sealed authorization request; '' = none waits. */
  readonly journey: string
}

const renderFrame = (
  view: View,
  title: string,
  main: Content,
  journey = '',
  head = html`<h1>${title}</h1>`,
): string =>
  renderLayout({
    view,
    title,
    main: html`${head}
${main}
<p class="after"><a href="${pageUrl(view, '/login', { journey })}">${waysInWords(view.language).logIn}</a></p>`,
  })

/** What the page tells as wrong, and how it is refused. */
export const askRefused = {
  bad: { reason: 'bad_email', status: 400 },
  stale: { reason: 'mail_not_cancelled', status: 403 },
} as const

export type AskProblem = keyof typeof askRefused

interface AskPage extends WayPage, PageWithForm {
  readonly problem: AskProblem | null
  /** How long the next request has to wait; null = not at all. */
  readonly waitSeconds: number | null
}

/** Names of the fields, and what browsers may fill into them. */
const fieldOf = {
  forgot: { name: 'username', input: html`type="text" autocomplete="username"` },
  signup: { name: 'email', input: html`type="email" autocomplete="email"` },
} as const

export const renderAsk = (page: AskPage): string => {
  const { view, way, journey, problem, waitSeconds } = page
  const all = waysInWords(view.language)
  const words = all[way]
  const wait = waitSeconds && tellProblem(all.throttled, waitSeconds, view.language)
  const said = problem === 'stale' ? all.notCancelled : wait
  const { name, input } = fieldOf[way]
  const field = renderField({
    name,
    label: words.field,
    input: html`${input} autocapitalize="none" spellcheck="false" required autofocus`,
    problem: problem === 'bad' ? all.signup.bad : null,
    describedBy: said === null ? [] : ['problem'],
  })
  return renderFrame(
    view,
    words.title,
    html`<p>${words.about}</p>
${showAlert(said ?? undefined)}
${renderForm(page, `/${way}`, [renderWaitingFields(journey, ''), field, renderSubmit(words.submit)])}`,
    journey,
  )
}

interface SentPage extends WayPage, PageWithForm {
  /** The name or address, as typed; '' where it is not known any more. */
  readonly typed: string
  /** The mails that Cancel is about, sealed; '' for none. */
  readonly sent: string
  /** Whether the demo keeps the mail. */
  readonly hasMailbox: boolean
  readonly clientName: string | null
}

/** The way on for those who opened the link elsewhere. */
const renderWaitsHere = ({ view, journey, clientName }: SentPage): Markup | null => {
  if (clientName === null) return null
  const words = waysInWords(view.language)
  const client = sayName(clientName)
  return html`<p>${words.waits({ client })}</p>
<p class="actions"><a class="button primary" href="${pageUrl(view, '/authorize', { journey })}"><span>${words.goOn({ client })}</span></a></p>`
}

/** The same request once more, another one, or none. */
const askAgain = (page: SentPage): Markup => {
  const { view, way, journey, typed, sent } = page
  const words = waysInWords(view.language)
  const fields = html`${renderWaitingFields(journey, '')}${hide(fieldOf[way].name, typed)}${hide('sent', sent)}`
  const cancel = html`<button class="plain" type="submit" name="action" value="cancel">${words.cancel}</button>`
  const change = html`<a class="button" href="${pageUrl(view, `/${way}`, { journey })}">${words.change}</a>`
  if (typed === '') return html`<p class="actions">${change}</p>`
  return renderForm(
    page,
    `/${way}`,
    html`${fields}<p class="actions"><button type="submit">${words.again}</button>${change}${sent && cancel}</p>`,
  )
}

/** The same words whether or not there is an account. */
export const renderSent = (page: SentPage): string => {
  const { view, way, journey, typed, hasMailbox } = page
  const words = waysInWords(view.language)
  const link = html`<a href="${pageUrl(view, '/mailbox')}">${words.mailboxTitle}</a>`
  const span = way === 'forgot' ? words.halfHour : words.day
  const address = sayName(typed)
  const isAddress = typed.includes('@')
  const isName = typed !== '' && !isAddress
  return renderFrame(
    view,
    words.sentTitle,
    html`${isName ? html`<p>${words.typed({ address })}</p>` : null}
<p role="status">${words[way].sent}</p>
<p class="quiet">${words.once({ span })} ${words.spam}</p>
${renderWaitsHere(page)}
${askAgain(page)}
${hasMailbox ? html`<p class="notice">${words.mailbox({ link })}</p>` : null}`,
    journey,
    renderMailed(isAddress ? words.check({ address }) : words.sentTitle),
  )
}

export const renderClosed = (page: WayPage, why: 'off' | 'invited'): string => {
  const { view, way, journey } = page
  const words = waysInWords(view.language)
  const { title } = words[way]
  const about = way === 'forgot' ? words.forgot.off : words.signup[why]
  return renderFrame(view, title, html`<p>${about}</p>`, journey)
}

/** The account is made, and the application waits in another browser. */
export const renderMade = (view: View): string => {
  const words = waysInWords(view.language)
  return renderTitled(
    view,
    words.madeTitle,
    html`<p role="status">${words.made}</p>
<p><a href="${pageUrl(view, '/account')}">${words.account}</a></p>`,
  )
}

/** @param name that was typed before */
export const renderSignUp = (
  page: LinkPage<OpenedLink>,
  name: string,
  least: number,
  problem: string | null,
): string => {
  const { view } = page
  const { email } = page.opened
  const words = waysInWords(view.language).signup
  const input = html`type="text" value="${name}" autocomplete="name"`
  const fields = [
    hide('link', page.link),
    renderUsernameField(view, email),
    renderField({ name: 'name', label: words.name, input }),
    renderNewPasswordField(view, least, problem),
    renderSubmit(words.create),
  ]
  return renderFrame(
    view,
    words.title,
    html`<p class="quiet">${words.forAddress({ address: sayName(email) })}</p>
${renderForm(page, '/signup', fields)}
<p class="quiet small">${linkWords(view.language).onceOnly}</p>
${renderPasswordScript(view)}`,
  )
}

/** A mail that the demo would have sent. */
export interface DemoMail extends Readonly<Record<'to' | 'subject' | 'text', string>> {
  readonly at: number
}

/** The text of a mail; its links work. */
const renderLinked = (text: string): readonly Markup[] =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((piece, i) => (i % 2 === 0 ? html`${piece}` : html`<a href="${piece}">${piece}</a>`))

export const renderMailbox = (view: View, mails: readonly DemoMail[]): string => {
  const words = waysInWords(view.language)
  const mail = ({ at, to, subject, text }: DemoMail): Markup =>
    html`<article class="card"><h2>${subject}</h2>
<p class="quiet">${words.to({ address: sayName(to), when: sayMoment(at, view.language) })}</p>
<p class="mail">${renderLinked(text)}</p></article>
`
  return renderFrame(
    view,
    words.mailboxTitle,
    html`<p>${words.mailboxAbout}</p>
${mails.length === 0 ? html`<p class="card">${words.mailboxEmpty}</p>` : mails.map(mail)}`,
  )
}
