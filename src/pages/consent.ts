/** The consent page: which resources, read or write, for how long (RFC 6749 section 4.1.1). */
import type { Authorization, Duration } from '../model/authorization.ts'
import type { Language } from '../model/language.ts'
import type { RequesterChange } from '../model/requester.ts'
import { type AboutRow, renderAbout, renderValues } from './about.ts'
import { alert, hidden, named, noEnter, ownerLine } from './fields.ts'
import { renderLayout } from './layout.ts'
import { type Content, html, type Markup } from './markup.ts'
import {
  cellsOf,
  type ResourceRow,
  renderDestructive,
  renderPermissionTable,
} from './permission-table.ts'
import { plainLine, plainName, shortPlace, spelledOut, webUri } from './plain-text.ts'
import { renderDocumentHost, renderUnverified } from './provenance.ts'
import { renderRequesterChange } from './requester-change.ts'
import { moment } from './time.ts'
import { pageUrl, type View } from './view.ts'
import { consentWords } from './words/consent.ts'
import { phrases } from './words/phrases.ts'

export interface ConsentCell {
  /** As in a scope: `photos:read`. */
  readonly permission: string
  /** What it lets the application do, in plain words. */
  readonly text: string
  /** Whether this request asks for it; what is not asked cannot be ticked. */
  readonly asked: boolean
  /** The application cannot work without it, so it cannot be unticked. */
  readonly required: boolean
  /** The earlier approval of it; null without one. */
  readonly allowedBefore: Pick<Authorization, 'duration' | 'expiresAt'> | null
  /** It stands until taken back and is asked again beside something new: it goes along. */
  readonly settled: boolean
  /** Marked, since it cannot be undone or costs money. */
  readonly isDestructive?: boolean
}

/** What a word of the scope lets the application know. */
export interface AboutCell extends ConsentCell {
  /** The values it would see; null if the word itself says all. */
  readonly values: readonly string[] | null
}

export interface ConsentPage {
  readonly view: View
  readonly csrf: string
  /** The sealed authorization request. */
  readonly journey: string
  readonly client: {
    readonly name: string
    readonly uri?: string | null
    /** Where this service serves its picture; null = a tile with the first letter of its name. */
    readonly logoPath: string | null
    /** Why it cannot work without what is required, in its own words. */
    readonly reason: string | null
    readonly selfRegistered: boolean
    /** The host of its metadata document; null for any other client. */
    readonly documentHost?: string | null
    /** Whether all of its redirect URIs are on the owner's own computer. */
    readonly isLocal?: boolean
    /** Unix seconds. */
    readonly registeredAt: number
  }
  /** Names the client as it is shown here. */
  readonly requester: string
  /** Its changes since an approval; null without any. */
  readonly change: RequesterChange | null
  /** Where the answer goes: the host of the redirect URI, or its scheme for a native application. */
  readonly redirectHost: string
  /** Whether `redirectHost` is a scheme, so that the answer opens an application of the device. */
  readonly opensApplication: boolean
  readonly owner: { readonly username: string; readonly name: string }
  readonly rows: readonly ResourceRow<ConsentCell>[]
  /** What it may know of the owner. */
  readonly about: readonly AboutRow<AboutCell>[]
  /**
   * Titles: of resources without any access, without reading, without writing; and of claims it
   * will not know.
   */
  readonly beyond: Readonly<Record<'reach' | 'see' | 'change' | 'know', readonly string[]>>
  /** Names in the request without an effect, as one text; '' without any. */
  readonly leftOut: string
  /** The choices offered. */
  readonly durations?: readonly Duration[]
  /** The one chosen beforehand. */
  readonly duration?: Duration
  /** Why what was decided on the page before this one was not done. */
  readonly problem?: 'unsettled' | 'changed' | null
}

const everyDuration: readonly Duration[] = ['session', 'day', 'month', 'forever']

const note = (text: Content): Markup => html` <span class="tag">${text}</span>`

type ConsentWords = (typeof consentWords)[Language]

const notAsked = (words: ConsentWords): Markup => html`<span class="quiet">${words.notAsked}</span>`

/** A note about the earlier approval, with its end. */
const beforeNote = ({ allowedBefore: by }: ConsentCell, language: Language): Markup | null => {
  if (by === null) return null
  const words = consentWords[language]
  if (by.duration === 'session') return note(words.allowedForVisit)
  if (by.expiresAt === null) return note(words.allowedBefore)
  return note(words.allowedUntil({ when: moment(by.expiresAt, language) }))
}

/**
 * A browser does not send a disabled field, so a hidden one stands for each required permission.
 * Settled permissions have a name of their own, since they may be taken back meanwhile.
 */
const cell = (
  of: ConsentCell,
  language: Language,
  isDifference: boolean,
  values: Markup | null = null,
): Markup => {
  const words = consentWords[language]
  const before = beforeNote(of, language)
  const destructive = renderDestructive(of, language)
  if (!of.asked) {
    return of.allowedBefore !== null
      ? html`<span>${of.text}${destructive}${before}${values}</span>`
      : notAsked(words)
  }
  const isFixed = of.required || of.settled
  const fresh = isDifference && of.allowedBefore === null ? note(words.isNew) : null
  const box = html`<input type="checkbox" name="permission" value="${of.permission}" checked${isFixed ? html` disabled` : null}>`
  const text = html`<span>${of.text}${destructive}${of.required ? note(words.required) : null}${fresh}${before}${values}</span>`
  return html`<label class="tick">${box}${text}</label>${isFixed ? hidden(of.settled ? 'settled' : 'permission', of.permission) : null}`
}

const provenance = (client: ConsentPage['client'], { language }: View): Markup => {
  const words = consentWords[language]
  const { documentHost: host = null, isLocal = false } = client
  if (host !== null) {
    const local = isLocal ? html` <strong>${words.anyProgram}</strong>` : null
    return html`<p class="notice${isLocal ? ' warning' : ''}">${renderDocumentHost(host, client.registeredAt, language)}${local}</p>`
  }
  if (client.selfRegistered) {
    return html`<p class="notice warning">${renderUnverified(client.uri ?? null, client.registeredAt, language)}</p>`
  }
  const uri = webUri(client.uri)
  const link = uri && html`<a href="${uri}" rel="noopener noreferrer nofollow">${uri}</a>`
  return html`<p class="quiet">${words.registered({ when: moment(client.registeredAt, language) })}${link ? html` ${phrases[language].itsPage} ${link}` : null}</p>`
}

/** Loud: the client has changed since its approval. */
const changeNotice = (change: RequesterChange, client: Markup, language: Language): Markup =>
  html`<div class="notice warning"><p><strong>${consentWords[language].hasChanged({ client })}</strong></p>${renderRequesterChange(change, language)}</div>`

const portrait = ({ name, logoPath }: ConsentPage['client']): Markup =>
  logoPath === null
    ? html`<span class="portrait" aria-hidden="true">${[...plainName(name)][0] ?? ''}</span>`
    : html`<img class="portrait" src="${logoPath}" alt="" width="48" height="48">`

const limitsOf = (beyond: ConsentPage['beyond'], words: ConsentWords): Markup => {
  const line = (what: keyof ConsentPage['beyond']): Markup | null =>
    beyond[what].length === 0
      ? null
      : html`<li>${words[what]({ things: beyond[what].join(words.comma) })}</li>`
  return html`<p>${words.cannot}</p>
<ul>
<li>${words.seePassword}</li>
${line('see')}
${line('change')}
${line('know')}
${line('reach')}
</ul>`
}

const durationChoice = (
  offered: readonly Duration[],
  chosen: Duration,
  language: Language,
): Markup =>
  html`<fieldset><legend>${consentWords[language].howLong}</legend>
${offered.map(
  (duration) =>
    html`<label class="tick"><input type="radio" name="duration" value="${duration}"${duration === chosen ? html` checked` : null}><span>${phrases[language].duration[duration]}</span></label>
`,
)}</fieldset>`

const whereTo = ({ redirectHost, opensApplication }: ConsentPage, words: ConsentWords): Markup => {
  const place = (text: string): Markup => html`<strong><code>${text}</code></strong>`
  const shown = spelledOut(shortPlace(redirectHost))
  return opensApplication
    ? words.toApplication({ scheme: place(`${shown}:`) })
    : words.whereTo({ host: place(shown) })
}

export const renderConsent = (page: ConsentPage): string => {
  const { view } = page
  const { language } = view
  const words = consentWords[language]
  const client = named(page.client.name)
  const { reason } = page.client
  const asked = [...page.rows.flatMap(cellsOf), ...page.about.map(({ cell }) => cell)].filter(
    (of) => of.asked,
  )
  const asksForThings = page.rows.flatMap(cellsOf).some((of) => of.asked)
  const heading = asksForThings ? words.heading : words.headingAbout
  const aboutCell = (of: AboutCell): Markup =>
    cell(of, language, isDifference, of.values && renderValues(of.values, language))
  const isDifference =
    asked.some((of) => of.allowedBefore === null) && asked.some((of) => of.allowedBefore)
  const isSettled = asked.some((of) => of.settled)
  const difference = isSettled ? words.difference : words.differenceOpen
  const other = pageUrl(view, '/login', { journey: page.journey, switch: '1' })
  return renderLayout({
    view,
    title: words.title,
    width: 'wide',
    isReceipt: true,
    main: html`<div class="asker">${portrait(page.client)}<h1>${heading({ client })}</h1></div>
${alert(page.problem && words[page.problem]({ client }))}
<p>${words.loggedInAs({ owner: ownerLine(page.owner) })} <a class="off-paper" href="${other}">${words.otherAccount}</a></p>
${provenance(page.client, view)}
${page.change && changeNotice(page.change, client, language)}
<script src="${view.base}/assets/consent.js"></script>
<form method="post" action="${pageUrl(view, '/consent')}">
${noEnter}
${hidden('csrf', page.csrf)}
${hidden('journey', page.journey)}
${hidden('requester', page.requester)}
${isDifference ? html`<p class="notice">${difference({ client })}</p>` : null}
${page.rows.length === 0 ? html`<p>${words.question({ client })}</p>` : renderPermissionTable(words.question({ client }), page.rows, (of) => cell(of, language, isDifference), notAsked(words), language)}
${renderAbout(page.about, aboutCell, language)}
${page.leftOut === '' ? null : html`<p class="quiet">${words.leftOut({ client, names: html`<code>${page.leftOut}</code>` })}</p>`}
${reason ? html`<p class="quiet">${words.reason({ client, reason: html`<q>${plainLine(reason)}</q>` })}</p>` : null}
${page.rows.some(({ read, write }) => read?.asked && write?.asked) ? html`<p class="quiet">${words.writeBringsRead}</p>` : null}
${limitsOf(page.beyond, words)}
${durationChoice(page.durations ?? everyDuration, page.duration ?? 'forever', language)}
<p>${words.promise({ account: html`<a href="${pageUrl(view, '/account')}">${words.accountPage}</a>` })}</p>
<p>${whereTo(page, words)}</p>
<p class="actions equal"><button type="submit" name="decision" value="allow">${words.allow}</button><button type="submit" name="decision" value="deny">${words.deny}</button></p>
</form>`,
  })
}
