/** The login page (RFC 6749 section 3.1: the server authenticates the resource owner). */
import type { Client } from '../model/client.ts'
import type { Language } from '../model/language.ts'
import { alert, hidden, named, waitingFields } from './fields.ts'
import { renderLayout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { renderElsewhere, renderPasskeyForm } from './passkey-form.ts'
import { renderDocumentHost, renderUnverified } from './provenance.ts'
import { renderUpstreamButtons, type UpstreamButton } from './upstreams.ts'
import { pageUrl, type View } from './view.ts'
import { loginWords } from './words/login.ts'

export type LoginProblem =
  | 'wrong'
  | 'throttled'
  | 'passkey'
  | 'begin'
  | 'finished'
  | 'upstreamDown'
  | 'upstreamWrong'
  | 'upstreamRefused'
  | 'upstreamStale'

/** A way in for people who cannot log in. */
export type LoginWay = 'forgot' | 'signUp'

export interface LoginPage {
  readonly view: View
  readonly csrf: string
  /** The sealed authorization request; '' on the way to the account. */
  readonly journey: string
  /** The name of the account page to go to, without a request; '' = the first one. */
  readonly next?: string
  /** The fate of a form that was sent without a login. */
  readonly notice?: string | null
  /** The asking application, if any. */
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
  /** Other services that log people in. */
  readonly upstreams?: readonly UpstreamButton[]
  /**
   * The URL for a login with a passkey on the right host; null if it is this one, or there is none.
   */
  readonly elsewhere?: string | null
}

const passkeyForm = ({ view, csrf, journey, next, passkey }: LoginPage): Markup | null =>
  passkey
    ? renderPasskeyForm(view, {
        kind: 'get',
        action: '/login/passkey',
        fields: html`${hidden('csrf', csrf)}${waitingFields(journey, next ?? '')}`,
        ceremony: passkey.ceremony,
        options: passkey.options,
        button: loginWords[view.language].passkeySubmit,
      })
    : null

type LoginWords = (typeof loginWords)[Language]

const wayPaths = { forgot: '/forgot', signUp: '/signup' } as const

const waysIn = ({ view, ways = [] }: LoginPage, words: LoginWords): Markup | null =>
  ways.length === 0
    ? null
    : html`<ul class="ways">
${ways.map((way) => html`<li><a href="${pageUrl(view, wayPaths[way])}">${words[way]}</a></li>`)}
</ul>`

/** How long the next try has to wait. */
export const waiting = (seconds: number, words: LoginWords): string =>
  seconds < 90
    ? words.waitSeconds({ seconds })
    : words.waitMinutes({ minutes: Math.ceil(seconds / 60) })

const purpose = (clientName: string | null | undefined, words: LoginWords): Markup =>
  clientName
    ? html`<p>${words.forClient({ client: named(clientName) })}</p>`
    : html`<p>${words.forAccount}</p>`

/** @param ids of the elements that describe a field */
const describedBy = (ids: readonly (string | false | null | undefined)[]): Markup | null => {
  const there = ids.filter((id) => id)
  return there.length === 0 ? null : html` aria-describedby="${there.join(' ')}"`
}

export const renderLogin = (page: LoginPage): string => {
  const { view } = page
  const words = loginWords[view.language]
  const username = page.username ?? ''
  const wait = page.waitSeconds ? waiting(page.waitSeconds, words) : null
  const said = page.problem ? words[page.problem] : null
  const problem = [said, wait].filter((sentence) => sentence).join(' ')
  const isUnverified = page.clientRegisteredBy === 'itself'
  // The focus skips text above the form, so the focused field refers to it.
  const above = [isUnverified && 'unverified', page.notice && 'notice', problem && 'problem']
  const focused = html`${describedBy(above)} autofocus`
  const beside = describedBy([problem && 'problem'])
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.title}</h1>
${purpose(page.clientName, words)}
${isUnverified ? html`<p class="notice warning" id="unverified">${page.documentHost ? renderDocumentHost(page.documentHost, null, view.language) : renderUnverified(null, null, view.language)}</p>` : null}
${page.notice ? html`<p class="notice" role="status" id="notice">${page.notice}</p>` : null}
${alert(problem)}
<form method="post" action="${pageUrl(view, '/login')}">
${hidden('csrf', page.csrf)}
${waitingFields(page.journey, page.next ?? '')}
<label class="field"><span>${words.username}</span>
<input type="text" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${username ? beside : focused}></label>
<label class="field"><span>${words.password}</span>
<input type="password" name="password" autocomplete="current-password" required${username ? focused : beside}></label>
<p class="actions"><button class="primary" type="submit">${words.submit}</button></p>
</form>
${passkeyForm(page)}
${waysIn(page, words)}
${renderUpstreamButtons(view, page.upstreams ?? [], html`${hidden('csrf', page.csrf)}${waitingFields(page.journey, page.next ?? '')}`)}
${renderElsewhere(page.elsewhere, words.passkeyElsewhere)}
${view.brand.loginText ? html`<p class="quiet">${view.brand.loginText}</p>` : null}`,
  })
}
