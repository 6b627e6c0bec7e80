/** The login page (RFC 6749 section 3.1: the server authenticates the resource owner). */

import type { Client } from '../model/client.ts'
import type { Language } from '../model/language.ts'
import { makeUpstreamWay } from '../model/session.ts'
import { allowMarkup, defineWords } from './catalog.ts'
import {
  type PageWithForm,
  renderField,
  renderForm,
  renderSubmit,
  renderWaitingFields,
  sayName,
  showAlert,
} from './fields.ts'
import { icons } from './icon.ts'
import { renderTitled } from './layout.ts'
import { type Content, html, type Markup } from './markup.ts'
import {
  renderElsewhere,
  renderPasskeyForm,
  renderPasswordField,
  renderPasswordScript,
} from './proofs.ts'
import { renderDocumentHost, renderUnverified } from './provenance.ts'
import { renderTile } from './tile.ts'
import { renderUpstreamButtons, type UpstreamButton } from './upstreams.ts'
import { pageUrl, type View } from './view.ts'

export const loginWords = defineWords('login', {
  title: 'Log in',
  forClient: allowMarkup('to continue to {client}'),
  or: 'or',
  lastUsed: 'last used',
  newHere: 'New here?',
  username: 'Username or email address',
  password: 'Password',
  submit: 'Log in',
  forgot: 'Forgot password?',
  signUp: 'Create an account',
  wrong:
    'The username, email address or password is wrong, or there were too many tries. Wait a little, or use a passkey.',
  throttled: 'There were too many wrong tries.',
  passkeySubmit: 'Use a passkey',
  passkey: 'The passkey was not accepted. Try again, or log in with your password.',
  passkeyElsewhere: allowMarkup(
    'A passkey belongs to a host name, such as localhost, and not to an IP address: to log in with one, go on at {link}.',
  ),
  upstreamDown:
    'The other service does not answer just now. Try again later, or log in another way.',
  upstreamWrong:
    'The answer of the other service cannot be trusted. Try again, or log in another way.',
  upstreamRefused:
    'The login at the other service was not finished. Try again, or log in another way.',
  upstreamStale:
    'The other service did not show that you logged in anew, which is needed here. Log in another way, or log out there first.',
  addressTaken:
    'Another account here has confirmed your email address. Log in to that account. Then link the other service on its page Security.',
  begin: 'That took too long, or something changed meanwhile. Please log in again.',
  finished:
    'This login was finished already, but the answer may not have reached you. Please log in again.',
  done: {
    nothing: 'You were logged out by then, so nothing was changed. Log in, then do it again.',
    passwordChosen: 'The password is new, and all earlier logins have ended.',
    passwordChosenElsewhere:
      'The password is new, and all earlier logins have ended. To go on to the application, go back to the browser where you began.',
    emailConfirmed: 'The email address is confirmed.',
    deleted: 'Your account will be deleted. Log in to undo it.',
    mailCancelled: 'Cancelled: a link in the mail works no longer.',
  },
  waitSeconds: 'Try again in {seconds, plural, one {# second} other {# seconds}}.',
  waitMinutes: 'Try again in {minutes, plural, one {# minute} other {# minutes}}.',
})

/** What the page tells as wrong, and how it is refused. */
export const loginRefused = {
  wrong: { reason: 'wrong_password', status: 403 },
  throttled: { reason: 'login_throttled', status: 429 },
  passkey: { reason: 'wrong_passkey', status: 403 },
  begin: { reason: 'login_not_begun', status: 403 },
  finished: { reason: 'login_finished', status: 403 },
  addressTaken: { reason: 'address_taken', status: 409 },
  upstreamDown: { reason: 'upstream_unreachable', status: 503 },
  upstreamWrong: { reason: 'upstream_wrong', status: 502 },
  upstreamRefused: { reason: 'upstream_refused', status: 403 },
  upstreamStale: { reason: 'upstream_stale', status: 403 },
} as const

export type LoginProblem = keyof typeof loginRefused

/** A way in for people who cannot log in. */
export type LoginWay = 'forgot' | 'signUp'

export interface LoginPage extends PageWithForm {
  /** The sealed authorization request; '' on the way to the account. */
  readonly journey: string
  /** The name of the account page to go to, without a request; '' = the first one. */
  readonly next?: string
  /** The fate of a form that was sent without a login. */
  readonly notice?: string | null
  readonly clientName?: string | null
  readonly clientRegisteredBy?: Client['registeredBy'] | null
  /** The host of its metadata document; null for any other client. */
  readonly documentHost?: string | null
  /** What was typed before; never the password. */
  readonly username?: string
  readonly problem?: LoginProblem | null
  /** How long the next try has to wait; null = not at all. */
  readonly waitSeconds?: number | null
  /** Pages for people who cannot log in, as far as they work here. */
  readonly ways?: readonly LoginWay[]
  /** The challenge for a passkey; null if none can be used. */
  readonly passkey?: { readonly ceremony: string; readonly options: object } | null
  readonly upstreams?: readonly UpstreamButton[]
  /** The way of the latest login in this browser; '' for none. */
  readonly lastWay?: string
  /**
   * The URL for a login with a passkey on the right host; null if it is this one, or there is none.
   */
  readonly elsewhere?: string | null
}

type LoginWords = ReturnType<typeof loginWords>

/** The link to a page for people who cannot log in; null if the page is off. */
const renderWayTo = (way: LoginWay, { view, journey, ways = [] }: LoginPage): Markup | null => {
  if (!ways.includes(way)) return null
  const href = pageUrl(view, way === 'forgot' ? '/forgot' : '/signup', { journey })
  return html`<a href="${href}">${loginWords(view.language)[way]}</a>`
}

/** Beside no other way, the last one is no news. */
const hasOtherWays = ({ passkey = null, upstreams = [] }: LoginPage): boolean =>
  passkey !== null || upstreams.length > 0

const renderLastUsed = (page: LoginPage, way: string): Markup | null =>
  page.lastWay === way && hasOtherWays(page)
    ? html` <span class="tag good">${loginWords(page.view.language).lastUsed}</span>`
    : null

const renderOtherWays = (page: LoginPage, fields: Markup, words: LoginWords): Markup | null => {
  const { passkey = null, upstreams = [] } = page
  if (!hasOtherWays(page)) return null
  const form = { kind: 'get', action: '/login/passkey', fields, isOffered: true } as const
  const button = html`${words.passkeySubmit}${renderLastUsed(page, 'passkey')}`
  return html`<p class="or">${words.or}</p>
<div class="stack">
${passkey && renderPasskeyForm(page, { ...form, ...passkey, button })}
${renderUpstreamButtons(page, upstreams, fields, (id) => renderLastUsed(page, makeUpstreamWay(id)))}
</div>`
}

const sayWait = (seconds: number, words: LoginWords): string =>
  seconds < 90
    ? words.waitSeconds({ seconds })
    : words.waitMinutes({ minutes: Math.ceil(seconds / 60) })

/** The problem, and the time that the next try has to wait. '' = nothing. */
export const tellProblem = (
  said: string | null,
  waitSeconds: number | null,
  language: Language,
): string => {
  const wait = waitSeconds === null ? null : sayWait(waitSeconds, loginWords(language))
  return [said, wait].filter((sentence) => sentence !== null).join(' ')
}

const renderWaiting = (clientName: string, page: LoginPage): Markup => {
  const { view, clientRegisteredBy: registeredBy = null } = page
  const said = loginWords(view.language).forClient({ client: sayName(clientName) })
  return html`<p class="who quiet">${renderTile(clientName, null, { size: 'little', registeredBy })}<span>${said}</span></p>`
}

interface NameAndPassword {
  readonly username: string
  readonly labels: { readonly username: string; readonly password: string }
  readonly offersPasskeys?: boolean
  /** A short link beside the label of the password. */
  readonly beside?: Content
  /** Ids of texts above the form. The focus skips these, so the focused field refers to them. */
  readonly above?: readonly string[]
  /** The id of the problem, to which both fields refer. */
  readonly problem: readonly string[]
}

export const renderNameAndPassword = (
  view: View,
  { username, labels, offersPasskeys = false, beside = null, above = [], problem }: NameAndPassword,
): Markup => {
  const isNamed = username !== ''
  return html`${renderField({
    name: 'username',
    label: labels.username,
    input: html`type="text" value="${username}" autocomplete="username${offersPasskeys ? ' webauthn' : ''}" autocapitalize="none" spellcheck="false" required${isNamed ? null : html` autofocus`}`,
    describedBy: isNamed ? problem : [...above, ...problem],
  })}
${renderPasswordField(view, {
  name: 'password',
  label: labels.password,
  beside,
  kind: 'current-password',
  isFocused: isNamed,
  describedBy: isNamed ? [...above, ...problem] : problem,
})}`
}

export const renderLogin = (page: LoginPage): string => {
  const { view } = page
  const words = loginWords(view.language)
  const carried = renderWaitingFields(page.journey, page.next ?? '')
  // The same for every name, known or not: a wait must not tell which one exists.
  const said = page.problem ? words[page.problem === 'throttled' ? 'wrong' : page.problem] : null
  const problem = tellProblem(said, page.waitSeconds ?? null, view.language)
  const isUnverified = page.clientRegisteredBy === 'itself'
  const fields = renderNameAndPassword(view, {
    username: page.username ?? '',
    labels: words,
    offersPasskeys: Boolean(page.passkey),
    beside: renderWayTo('forgot', page),
    above: [isUnverified ? 'unverified' : '', page.notice ? 'notice' : ''],
    problem: problem ? ['problem'] : [],
  })
  return renderTitled(
    view,
    words.title,
    html`${page.clientName ? renderWaiting(page.clientName, page) : null}
${isUnverified ? html`<p class="notice warning" id="unverified">${page.documentHost ? renderDocumentHost(page.documentHost, view.language) : renderUnverified(null, null, view)}${icons.warning}</p>` : null}
${page.notice ? html`<p class="notice" role="status" id="notice">${page.notice}</p>` : null}
${showAlert(problem)}
${renderForm(page, '/login', [carried, fields, renderSubmit(html`${words.submit}${renderLastUsed(page, 'password')}`)])}
${renderOtherWays(page, carried, words)}
${page.ways?.includes('signUp') ? html`<p class="after">${words.newHere} ${renderWayTo('signUp', page)}</p>` : null}
${page.passkey ? null : renderPasswordScript(view)}
${renderElsewhere(page.elsewhere, words.passkeyElsewhere)}
${view.brand.loginText ? html`<p class="quiet">${view.brand.loginText}</p>` : null}`,
  )
}
