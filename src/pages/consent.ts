/** The consent page: which resources, read or write, for how long (RFC 6749 section 4.1.1). */
import type { Duration } from '../model/authorization.ts'
import { alert, durationLabel, hidden, moment, named, ownerLine } from './fields.ts'
import { renderLayout } from './layout.ts'
import { html, type Markup } from './markup.ts'
import { type ResourceRow, renderPermissionTable } from './permission-table.ts'
import { spelledOut, webUri } from './plain-text.ts'

export interface ConsentCell {
  /** As in a scope: `photos:read`. */
  readonly permission: string
  /** What it lets the application do, in plain words. */
  readonly text: string
  /** Whether this request asks for it; what is not asked cannot be ticked. */
  readonly asked: boolean
  /** The application cannot work without it, so it cannot be unticked. */
  readonly required: boolean
  readonly allowedBefore: boolean
}

export interface ConsentPage {
  readonly base?: string
  readonly csrf: string
  /** The sealed authorization request. */
  readonly journey: string
  readonly client: {
    readonly name: string
    readonly uri?: string | null
    /** Accepted but never shown: pages load nothing that strangers serve. */
    readonly logoUri?: string | null
    readonly selfRegistered: boolean
    /** Unix seconds. */
    readonly registeredAt: number
  }
  /** Where the answer goes: the host of the redirect URI, or its scheme for a native application. */
  readonly redirectHost: string
  readonly owner: { readonly username: string; readonly name: string }
  readonly rows: readonly ResourceRow<ConsentCell>[]
  /** The choices offered. */
  readonly durations?: readonly Duration[]
  /** The one chosen beforehand. */
  readonly duration?: Duration
  readonly problem?: string | null
}

const everyDuration: readonly Duration[] = ['session', 'day', 'month', 'forever']

const note = (text: string): Markup => html` <span class="tag">${text}</span>`

const notAsked = html`<span class="quiet">Not asked for</span>`

/** A browser does not send a disabled field, so a hidden one speaks for what is required. */
const cell = (of: ConsentCell): Markup => {
  const before = of.allowedBefore ? note('allowed before') : null
  if (!of.asked) {
    return of.allowedBefore ? html`<span>${of.text}${before}</span>` : notAsked
  }
  const box = html`<input type="checkbox" name="permission" value="${of.permission}" checked${of.required ? html` disabled` : null}>`
  const text = html`<span>${of.text}${of.required ? note('required') : null}${before}</span>`
  return html`<label class="tick">${box}${text}</label>${of.required ? hidden('permission', of.permission) : null}`
}

const provenance = (client: ConsentPage['client']): Markup => {
  const uri = webUri(client.uri)
  if (client.selfRegistered) {
    return html`<p class="notice warning"><strong>Unverified.</strong> This application registered itself on ${moment(client.registeredAt)}. Nobody here has checked who is behind it or whether its name is true.${uri ? html` It says that its page is <code>${uri}</code>.` : null}</p>`
  }
  return uri
    ? html`<p class="quiet">About this application: <a href="${uri}" rel="noopener noreferrer nofollow">${uri}</a></p>`
    : html``
}

const durationChoice = (offered: readonly Duration[], chosen: Duration): Markup =>
  html`<fieldset><legend>For how long?</legend>
${offered.map(
  (duration) =>
    html`<label class="tick"><input type="radio" name="duration" value="${duration}"${duration === chosen ? html` checked` : null}><span>${durationLabel[duration]}</span></label>
`,
)}</fieldset>`

export const renderConsent = (page: ConsentPage): string => {
  const base = page.base ?? ''
  const client = named(page.client.name)
  const other = `${base}/login?journey=${encodeURIComponent(page.journey)}&switch=1`
  return renderLayout({
    title: 'Allow access?',
    base,
    width: 'wide',
    main: html`<h1>${client} asks for access to your things</h1>
<p>You are logged in as ${ownerLine(page.owner)}. <a href="${other}">Use another account</a></p>
${provenance(page.client)}
${alert(page.problem)}
<form method="post" action="${base}/consent">
${hidden('csrf', page.csrf)}
${hidden('journey', page.journey)}
${renderPermissionTable(html`What may ${client} do? Untick what you do not want.`, page.rows, cell, notAsked)}
${durationChoice(page.durations ?? everyDuration, page.duration ?? 'forever')}
<p>It can do only what stays ticked, it never sees your password, and you can take this back at any time on your <a href="${base}/account">account page</a>.</p>
<p>Whatever you choose, you will be sent to <strong><code>${spelledOut(page.redirectHost)}</code></strong>.</p>
<p class="actions equal"><button type="submit" name="decision" value="allow">Allow</button><button type="submit" name="decision" value="deny">Deny</button></p>
</form>`,
  })
}
