/** What the page of one application shows, and its form: permissions, the end date, pause, and the end. */

import type { Language } from '../../../model/language.ts'
import type { ScopeWord } from '../../../model/scope-word.ts'
import type { UseDay } from '../../../model/use.ts'
import { sayActor } from '../../../paper/acting.ts'
import { type DetailLine, renderDetail } from '../../../paper/detail.ts'
import { hide, noEnter, renderForm, sayName } from '../../../paper/fields.ts'
import { drawIcon, type IconName } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { pauseWords, tellPause } from '../../../paper/pause.ts'
import {
  type AllowedAccess,
  type Provenance,
  renderProvenance,
  sayAllowedBy,
} from '../../../paper/provenance.ts'
import { getCells, type ResourceRow } from '../../../paper/resource-row.ts'
import { renderRow, renderRows } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { sayWhen } from '../../../paper/time.ts'
import { phrases } from '../../../paper/words/phrases.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import { type Branch, renderBranches } from '../branches.ts'
import type { AccountPageGiven } from '../frame.ts'
import type { LedgerLine } from '../ledger/lines.ts'
import { renderNewEnd, sayEnd } from './end.ts'
import type { accessWords } from './words.ts'

export type AccessWords = ReturnType<typeof accessWords>

export interface AccessCell {
  readonly permission: string
  readonly text: string
  /** The permission cannot be unticked by itself. */
  readonly isFixed?: boolean
  readonly isDestructive?: boolean
}

export interface AccessDone {
  readonly what: 'narrowed' | 'until' | 'paused' | 'resumed'
  readonly lost: readonly string[]
  /** The end before, as a form names it; '' or absent for none that a form can set. */
  readonly before?: string
}

/** Times are unix seconds. */
export interface AccessPage
  extends AccountPageGiven,
    Provenance,
    AllowedAccess,
    Pick<ListedAuthorization, 'clientName' | 'parentClientName' | 'clientDisabled' | 'paused'>,
    Pick<ListedAuthorization, 'duration' | 'parentId'>,
    Pick<ListedAuthorization, 'createdAt' | 'expiresAt' | 'lastUsedAt'> {
  readonly id: string
  readonly clientId: string
  /** The application of the owner's approval: this one, or the root of its tree. */
  readonly approvedName: string
  readonly logoPath: string | null
  readonly registration: {
    readonly createdAt: number
    readonly policyUri: string | null
    readonly termsUri: string | null
  }
  readonly rows: readonly ResourceRow<AccessCell>[]
  readonly about: readonly { readonly word: ScopeWord; readonly cell: AccessCell }[]
  /** What its owner approved in detail, each with the value of its box. */
  readonly details?: readonly (DetailLine & { readonly key: string })[]
  /** The day of the end, such as `2026-11-21`; '' where there is none. */
  readonly lastDay: string
  readonly days: { readonly first: string; readonly last: string }
  /** A day that was typed and cannot be the end; null without one. */
  readonly badEnd: string | null
  readonly others: readonly Pick<AccessPage, 'id' | 'createdAt' | 'lastUsedAt'>[]
  readonly installations: number
  /** The applications that act for it. */
  readonly branches: readonly Branch[]
  readonly now: number
  /** How many days the drawing of uses reaches back, and the uses of each day. */
  readonly drawnDays: number
  readonly counted: readonly UseDay[]
  readonly uses: readonly LedgerLine[]
  readonly done?: AccessDone | null
}

const listPageCells = ({ rows, about }: AccessPage): readonly AccessCell[] => [
  ...rows.flatMap(getCells),
  ...about.map(({ cell }) => cell),
]

/** A browser does not send a disabled field, so a hidden one speaks for it. */
const renderBox = (of: AccessCell, language: Language): Markup => {
  const { isFixed = false, isDestructive = false } = of
  const mark = html` <strong class="tag bad">${drawIcon('warning')}${phrases(language).destructive}</strong>`
  const text = isDestructive ? html`<b>${of.text}</b>${mark}` : of.text
  return html`<li${isDestructive ? html` class="destroys"` : null}><label class="tick"><input type="checkbox" name="permission" value="${of.permission}" checked${isFixed ? html` disabled` : null}><span>${text}</span></label>${isFixed ? hide('permission', of.permission) : null}</li>
`
}

const renderPermissions = (page: AccessPage, words: AccessWords): Markup => {
  const { language } = page.view
  const details = page.details ?? []
  return html`<section>
<h2 id="may">${words.may}</h2>
<ul class="may" aria-labelledby="may">
${listPageCells(page).map((cell) => renderBox(cell, language))}${details.map((line) => renderDetail(line, line.key, language))}</ul>
<p class="actions"><button type="submit" name="action" value="narrow">${words.save}</button><span class="quiet small">${words.more({ client: sayName(page.approvedName) })}</span></p>
</section>`
}

/** What comes of an end, in three facts, before the button that does it. */
const renderEndAsked = (page: AccessPage, words: AccessWords): Markup => {
  const client = sayName(page.clientName)
  const names = page.branches.map(({ clientName }) => sayName(clientName))
  const acting = html`${names.map((name, i) => html`${i === 0 ? '' : words.comma}${name}`)}`
  const facts: readonly (readonly [IconName, string, Content])[] = [
    ['stop', words.stops, names.length === 0 ? words.alsoOld : words.alsoActing({ acting })],
    ['copy', words.keeps, words.askIt({ client })],
    ['undo', words.asksAgain, words.noUndo],
  ]
  const rows = facts.map(([icon, title, says]) =>
    renderRow({ mark: drawIcon(icon), title, more: html`<p class="says">${says}</p>` }),
  )
  return html`<details class="confirm"><summary class="danger">${words.end}</summary>
<div>${renderRows(rows)}<button class="danger primary" type="submit" name="action" value="end">${words.endNow}</button></div></details>`
}

/** The picture and name, who stands behind it, since when, and what it did last. */
const renderTitle = (page: AccessPage, words: AccessWords): Markup => {
  const { view, now, lastUsedAt } = page
  const { language } = view
  const allowedBy = sayAllowedBy(page, language)
  const since = words.sinceThen({ when: sayWhen(page.createdAt, now, view) })
  const used =
    lastUsedAt === null ? words.neverUsed : words.lastUse({ when: sayWhen(lastUsedAt, now, view) })
  const action = page.paused === null ? 'pause' : 'resume'
  return html`<div class="title">${renderTile(page.clientName, page.logoPath, { size: 'big', registeredBy: page.clientRegisteredBy })}<div><h1>${sayActor(page, language)}</h1>${renderProvenance(page, language)}${allowedBy && html`<p class="quiet">${allowedBy}</p>`}<p class="quiet">${since} · ${used}</p></div>
<div class="actions"><button type="submit" name="action" value="${action}">${drawIcon(action)}${words[action]}</button>${renderEndAsked(page, words)}</div></div>`
}

const renderStates = (page: AccessPage, words: AccessWords): Markup => {
  const { view, paused } = page
  const client = sayName(page.clientName)
  return html`${page.clientDisabled ? html`<p class="notice warning">${drawIcon('warning')}${words.disabled({ client })}</p>` : null}
${paused && html`<p class="notice">${tellPause(paused, client, view.language)}</p>`}`
}

const renderActing = (page: AccessPage, words: AccessWords): Markup | null => {
  if (page.branches.length === 0) return null
  const client = sayName(page.clientName)
  const tile = renderTile(page.clientName, page.logoPath, {
    size: 'little',
    registeredBy: page.clientRegisteredBy,
  })
  return html`<h2>${words.acting({ client })}</h2>
<ul class="branches"><li><div class="who">${tile}<div>${client}</div></div>${renderBranches(page.branches, page.now, page.view)}</li></ul>
<p class="note">${words.actingEnds({ client })}</p>`
}

/** The end, and the applications that act for it. */
const renderBeside = (page: AccessPage, words: AccessWords): Markup => {
  const covers = pauseWords(page.view.language).covers({ client: sayName(page.clientName) })
  return html`<div>
<h2>${words.until}</h2>
<p>${sayEnd(page, words)}</p>
${renderNewEnd(page, words)}
${renderActing(page, words)}
${page.others.length > 0 ? html`<p class="note">${covers}</p>` : null}</div>`
}

export const renderAccessForm = (page: AccessPage, words: AccessWords): Markup => {
  const shown = listPageCells(page).map(({ permission }) => permission)
  // An empty field would count as absent.
  const shownDetails = ['none', ...(page.details ?? []).map(({ key }) => key)]
  const fields = html`${noEnter}${hide('authorization', page.id)}${hide('shown', shown.join(' '))}${hide('shown-details', shownDetails.join(' '))}
${renderTitle(page, words)}
${renderStates(page, words)}
<div class="sides">
${renderPermissions(page, words)}
${renderBeside(page, words)}
</div>`
  return renderForm(page, '/account', fields, 'access')
}
