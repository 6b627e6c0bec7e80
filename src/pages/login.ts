/** The login page (RFC 6749 section 3.1: the server authenticates the resource owner). */
import type { Client } from '../model/client.ts'
import type { Language } from '../model/language.ts'
import { alert, hidden, named, waitingFields } from './fields.ts'
import { renderLayout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { renderElsewhere, renderPasskeyForm } from './passkey-form.ts'
import { renderUnverified } from './provenance.ts'
import { pageUrl, type View } from './view.ts'
import { loginWords } from './words/login.ts'

export type LoginProblem = 'wrong' | 'throttled' | 'passkey' | 'begin' | 'finished'

export interface LoginPage {
  readonly view: View
  readonly csrf: string
  /** The sealed authorization request that waits; '' for someone who goes to the account. */
  readonly journey: string
  /** The name of the page of the account that waits where no request does; '' = the first one. */
  readonly next?: string
  /** What became of what was sent without a login. */
  readonly notice?: string | null
  /** The application that asks, where one does. */
  readonly clientName?: string | null
  readonly clientRegisteredBy?: Client['registeredBy'] | null
  /** What was typed before; never the password. */
  readonly username?: string
  readonly problem?: LoginProblem | null
  /** How long the next try has to wait; null = not at all. */
  readonly waitSeconds?: number | null
  /** What a passkey would sign; null where there can be none. */
  readonly passkey?: { readonly ceremony: string; readonly options: object } | null
  /** The URL under which a passkey logs in to the same; null where that is here, or nowhere. */
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

/** How long the next try has to wait. */
export const waiting = (seconds: number, words: LoginWords): string =>
  seconds < 90
    ? words.waitSeconds({ seconds })
    : words.waitMinutes({ minutes: Math.ceil(seconds / 60) })

const purpose = (clientName: string | null | undefined, words: LoginWords): Markup =>
  clientName
    ? html`<p>${words.forClient({ client: named(clientName) })}</p>`
    : html`<p>${words.forAccount}</p>`

/** @param ids of what describes a field, where it is there */
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
  // The focus jumps over what stands above the form, so the field that has it brings that along.
  const above = [isUnverified && 'unverified', page.notice && 'notice', problem && 'problem']
  const focused = html`${describedBy(above)} autofocus`
  const beside = describedBy([problem && 'problem'])
  return renderLayout({
    view,
    title: words.title,
    main: html`<h1>${words.title}</h1>
${purpose(page.clientName, words)}
${isUnverified ? html`<p class="notice warning" id="unverified">${renderUnverified(null, null, view.language)}</p>` : null}
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
${renderElsewhere(page.elsewhere, words.passkeyElsewhere)}
${view.brand.loginText ? html`<p class="quiet">${view.brand.loginText}</p>` : null}`,
  })
}
