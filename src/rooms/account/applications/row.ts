/** One application in the list: a row that is a link, with a box to select it; and the groups of rows. */

import { sayName } from '../../../paper/fields.ts'
import { icons } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { sayAllowedBy } from '../../../paper/provenance.ts'
import { renderOver } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { sayWhen } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { renderBranches } from '../branches.ts'
import { type ApplicationRow, groups, isEnding, isUnused, pickGroup } from './list.ts'
import { accountWords } from './words.ts'

const renderRowTile = ({ clientName, clientRegisteredBy, logoPath }: ApplicationRow): Markup =>
  renderTile(clientName, logoPath, { registeredBy: clientRegisteredBy })

/** An icon and a word say that it is hard to undo: red is for where one decides. */
const renderWhat = (of: ApplicationRow, { language }: View): Markup => {
  const words = accountWords(language)
  const before = [
    sayAllowedBy(of, language),
    of.installations > 1 ? words.installed({ count: of.installations }) : null,
  ].filter((text) => text !== null)
  const mark = html`${icons.warning}<span class="unseen">${words.isDestructive} </span>`
  return html`<span class="what">${before.map((text) => html`${text} · `)}${of.isDestructive ? mark : null}${of.what}</span>`
}

/** A pause stands in the place of the last use. */
const renderLastUse = (of: ApplicationRow, now: number, view: View): Markup => {
  const words = accountWords(view.language)
  const rests = of.clientDisabled ? words.isDisabled : of.isPaused ? words.isPaused : null
  if (rests !== null) return html`<span class="used">${icons.pause}${rests}</span>`
  const look = isUnused(of, now) ? 'used warn' : 'used'
  if (of.lastUsedAt === null) return html`<span class="${look}">${words.neverUsed}</span>`
  return html`<span class="${look}"><span class="unseen">${words.lastUse} </span>${sayWhen(of.lastUsedAt, now, view)}</span>`
}

const renderEnd = (of: ApplicationRow, now: number, view: View): Markup | null => {
  const words = accountWords(view.language)
  const { duration, expiresAt } = of
  if (duration === 'session') return html`<span class="ends">${words.endsAtLogout}</span>`
  if (expiresAt === null) return null
  const look = isEnding(of, now) ? 'ends warn' : 'ends'
  return html`<span class="${look}">${words.ends({ when: sayWhen(expiresAt, now, view) })}</span>`
}

/** The whole row is the link; the box in front of it selects it. */
const renderApplicationRow = (of: ApplicationRow, now: number, view: View): Markup => {
  const { select } = accountWords(view.language)
  const client = sayName(of.clientName)
  const href = pageUrl(view, `/account/access/${of.id}`)
  return html`<li>
<label class="pick"><input type="checkbox" name="access" value="${of.id}"><span class="unseen">${select({ client })}</span></label>
${renderRowTile(of)}
<div class="app"><a href="${href}">${client}</a>${renderWhat(of, view)}</div>
<div class="times">${renderLastUse(of, now, view)}${renderEnd(of, now, view)}</div>
${icons.on}${renderBranches(of.branches, now, view)}
</li>
`
}

const renderList = (rows: readonly ApplicationRow[], now: number, view: View): Markup =>
  html`<ul class="rows apps">
${rows.map((one) => renderApplicationRow(one, now, view))}</ul>
`

const tilesInPile = 3

/** A pile of tiles, some names and a number; behind it, the rows. */
const renderSleeping = (rows: readonly ApplicationRow[], now: number, view: View): Markup => {
  const { language } = view
  const words = accountWords(language)
  const shown = rows.slice(0, tilesInPile)
  const names = shown.map(({ clientName }) => sayName(clientName))
  const listed = html`${names.map((name, i) => html`${i === 0 ? '' : words.between}${name}`)}`
  const count = rows.length - shown.length
  return html`<details class="sleeps"><summary><span class="pile" aria-hidden="true">${shown.map(renderRowTile)}</span><span class="app"><b>${words.sleeping({ count: rows.length })}</b><span class="what">${count === 0 ? listed : words.more({ names: listed, count })}</span></span></summary>
${renderList(rows, now, view)}</details>
`
}

interface Listing {
  readonly applications: readonly ApplicationRow[]
  readonly now: number
  /** Beside the first heading. */
  readonly beside: Markup
}

/** Under the days of their last use; what sleeps is folded. */
export const renderGroups = ({ applications, now, beside }: Listing, view: View): Markup => {
  const words = accountWords(view.language)
  const byGroup = Map.groupBy(applications, (one) => pickGroup(one, now, view))
  const found = groups.flatMap((group) => {
    const rows = byGroup.get(group) ?? []
    return rows.length === 0 ? [] : [{ group, rows }]
  })
  return html`${found.map(({ group, rows }, i) => {
    if (group === 'sleeping' && i > 0) return renderSleeping(rows, now, view)
    const over = renderOver(words.groups[group], i === 0 ? beside : null)
    return html`${over}${renderList(rows, now, view)}`
  })}`
}

/** @param heading null for a short list */
export const renderPlain = (
  { applications, now, beside }: Listing,
  heading: Content,
  view: View,
): Markup => html`${heading && renderOver(heading, beside)}${renderList(applications, now, view)}`
