/** The form on the page of an application: permissions, the end date, pause, and the end. */
import type { Language } from '../../../model/language.ts'
import { dayOf } from '../../../model/use.ts'
import { alert, hidden, named, noEnter } from '../../../paper/fields.ts'
import { icon } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { pauseWords } from '../../../paper/pause.ts'
import { cellsOf } from '../../../paper/resource-row.ts'
import { dayName, moment, near } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { phrases } from '../../../paper/words/phrases.ts'
import type { AccessCell, AccessPage } from './shown.ts'
import { accessWords } from './words.ts'

const cellsIn = ({ rows, about }: AccessPage): readonly AccessCell[] => [
  ...rows.flatMap(cellsOf),
  ...about.map(({ cell }) => cell),
]

/** A browser does not send a disabled field, so a hidden one speaks for it. */
const box = (of: AccessCell, language: Language): Markup => {
  const { isFixed = false, isDestructive = false } = of
  const mark = html` <strong class="tag bad">${icon('warning')}${phrases(language).destructive}</strong>`
  const text = isDestructive ? html`<b>${of.text}</b>${mark}` : of.text
  return html`<li${isDestructive ? html` class="destroys"` : null}><label class="tick"><input type="checkbox" name="permission" value="${of.permission}" checked${isFixed ? html` disabled` : null}><span>${text}</span></label>${isFixed ? hidden('permission', of.permission) : null}</li>
`
}

const permissions = (page: AccessPage): Markup => {
  const { language } = page.view
  const words = accessWords(language)
  return html`<section class="card">
<h2 id="may">${words.may}</h2>
<ul class="may" aria-labelledby="may">
${cellsIn(page).map((cell) => box(cell, language))}</ul>
<p class="actions"><button class="primary" type="submit" name="action" value="narrow">${words.save}</button><span class="quiet">${words.more({ client: named(page.clientName) })}</span></p>
</section>`
}

const ends = ({ duration, expiresAt, now, view }: AccessPage): Content => {
  const words = accessWords(view.language)
  if (duration !== 'session') return expiresAt === null ? words.noEnd : near(expiresAt, now, view)
  return expiresAt === null ? words.atLogout : words.atLogoutOr({ when: moment(expiresAt, view) })
}

/** The ends to choose from. A day that is filled in counts without a further click. */
const newEnd = (page: AccessPage): Markup => {
  const { view, days, now, badEnd } = page
  const words = accessWords(view.language)
  const { duration } = phrases(view.language)
  const wrong = badEnd !== null && html` aria-invalid="true" aria-describedby="problem" autofocus`
  const choice = (value: 'day' | 'month' | 'forever'): Markup =>
    html`<label class="tick"><input type="radio" name="until" value="${value}"><span>${duration[value]}</span></label>
`
  const today = dayName(dayOf(now), view.language)
  return html`<details class="end"${badEnd === null ? null : html` open`}><summary>${words.changeEnd}</summary>
${badEnd === null ? null : alert(words.badEnd({ today }))}
<fieldset><legend class="unseen">${words.newEnd}</legend>
<div class="tick"><input type="radio" name="until" value="date" id="until-date" checked><span><label for="until-date">${words.lastDay}</label> <input type="date" name="date" value="${badEnd ?? page.lastDay}" min="${days.first}" max="${days.last}" aria-label="${words.lastDay}"${wrong || null}></span></div>
${(['day', 'month', 'forever'] as const).map(choice)}</fieldset>
<button type="submit" name="action" value="until">${words.setEnd}</button>
</details>`
}

const access = (page: AccessPage): Markup => {
  const { view, now, lastUsedAt } = page
  const words = accessWords(view.language)
  const client = named(page.clientName)
  const action = page.paused === null ? 'pause' : 'resume'
  return html`<section class="card">
<h2>${words.access}</h2>
<dl class="facts">
<div><dt>${words.since}</dt><dd>${near(page.createdAt, now, view)}</dd></div>
<div><dt>${words.lastUsed}</dt><dd>${lastUsedAt === null ? words.never : near(lastUsedAt, now, view)}</dd></div>
<div><dt>${words.ends}</dt><dd>${ends(page)}</dd></div>
</dl>
${newEnd(page)}
<div class="stack"><button type="submit" name="action" value="${action}">${words[action]}</button>
${page.others.length > 0 ? html`<p class="quiet small">${pauseWords(view.language).covers({ client })}</p>` : null}
<details class="confirm"><summary class="danger">${words.end}</summary>
<div><p>${words.ifEnded({ client })}</p><p><button class="danger primary" type="submit" name="action" value="end">${words.endNow}</button></p></div></details></div>
</section>`
}

export const renderAccessForm = (
  page: AccessPage,
): Markup => html`<form class="sides" method="post" action="${pageUrl(page.view, '/account')}">
${noEnter}
${hidden('csrf', page.csrf)}
${hidden('authorization', page.id)}
${hidden(
  'shown',
  cellsIn(page)
    .map(({ permission }) => permission)
    .join(' '),
)}
${permissions(page)}
${access(page)}
</form>`
