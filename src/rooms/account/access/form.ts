/** The form of one application: permissions, the end date, pause, and the end. */

import type { Language } from '../../../model/language.ts'
import { sayActor } from '../../../paper/acting.ts'
import { renderDetail } from '../../../paper/detail.ts'
import { hide, noEnter, renderForm, sayName } from '../../../paper/fields.ts'
import { type IconName, icons } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { pauseWords, tellPause } from '../../../paper/pause.ts'
import { renderProvenance, sayAllowedBy } from '../../../paper/provenance.ts'
import { getCells, renderHarm } from '../../../paper/resource-row.ts'
import { renderRow, renderRows } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { sayWhen } from '../../../paper/time.ts'
import { phrases } from '../../../paper/words/phrases.ts'
import { renderBranches } from '../branches.ts'
import { renderNewEnd, sayEnd } from './end.ts'
import type { AccessCell, AccessPage, AccessWords } from './shown.ts'

const listPageCells = ({ rows, about }: AccessPage): readonly AccessCell[] => [
  ...rows.flatMap(getCells),
  ...about.map(({ cell }) => cell),
]

/** A browser does not send a disabled field, so a hidden one speaks for it. */
const renderBox = (of: AccessCell, language: Language): Markup => {
  const { isFixed = false, isDestructive = false } = of
  const mark = html` ${renderHarm('other', language)}`
  const text = isDestructive ? html`<b>${of.text}</b>${mark}` : of.text
  return html`<li${isDestructive ? html` class="destroys"` : null}><label class="tick"><input type="checkbox" name="permission" value="${of.permission}" checked${isFixed ? html` disabled` : null}><span>${text}</span></label>${isFixed ? hide('permission', of.permission) : null}</li>
`
}

const renderPermissions = (page: AccessPage, words: AccessWords): Markup => {
  const { language } = page.view
  const details = page.details ?? []
  return html`<section>
<h2 id="may">${words.may}</h2>
${page.actsAs ? html`<p>${phrases(language).actsAs[page.actsAs]}</p>` : null}
<ul class="may" aria-labelledby="may">
${listPageCells(page).map((cell) => renderBox(cell, language))}${details.map((line) => renderDetail(line, line.key, language))}</ul>
<p class="actions"><button type="submit" name="action" value="narrow">${words.save}</button><span class="quiet small">${words.more({ client: sayName(page.approvedName) })}</span></p>
</section>`
}

/** The consequences of an end in three facts, then the button. */
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
    renderRow({ mark: icons[icon], title, more: html`<p class="says">${says}</p>` }),
  )
  return html`<details class="confirm"><summary class="danger">${words.end}</summary>
<div>${renderRows(rows)}<button class="danger primary" type="submit" name="action" value="end">${words.endNow}</button></div></details>`
}

/** The picture, the name, the people behind the application, and its last use. */
const renderTitle = (page: AccessPage, words: AccessWords): Markup => {
  const { view, now, lastUsedAt } = page
  const { language } = view
  const allowedBy = sayAllowedBy(page, language)
  const since = words.sinceThen({ when: sayWhen(page.createdAt, now, view) })
  const used =
    lastUsedAt === null ? words.neverUsed : words.lastUse({ when: sayWhen(lastUsedAt, now, view) })
  const action = page.paused === null ? 'pause' : 'resume'
  return html`<div class="title">${renderTile(page.clientName, page.logoPath, { size: 'big', registeredBy: page.clientRegisteredBy })}<div><h1>${sayActor(page, language)}</h1>${renderProvenance(page, language)}${allowedBy && html`<p class="quiet">${allowedBy}</p>`}<p class="quiet">${since} · ${used}</p></div>
<div class="actions"><button type="submit" name="action" value="${action}">${icons[action]}${words[action]}</button>${renderEndAsked(page, words)}</div></div>`
}

const renderStates = (page: AccessPage, words: AccessWords): Markup => {
  const { view, paused } = page
  const client = sayName(page.clientName)
  return html`${page.clientDisabled ? html`<p class="notice warning">${icons.warning}${words.disabled({ client })}</p>` : null}
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
${page.actsAs ? null : renderNewEnd(page, words)}
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
<div class="two">
${renderPermissions(page, words)}
${renderBeside(page, words)}
</div>`
  return renderForm(page, '/account', fields, 'access')
}
