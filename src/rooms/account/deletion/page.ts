/** The pages on which an owner deletes the account, or keeps it after all. */

import { hidden, named, ownerLine } from '../../../paper/fields.ts'
import { renderTitled } from '../../../paper/layout.ts'
import { html } from '../../../paper/markup.ts'
import { moment, renderTimesScript } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'
import { accountFrameWords } from '../frame-words.ts'
import { deletionWords } from './words.ts'

export interface DeletePage extends AccountPageGiven {
  /** Unix seconds. */
  readonly deletionAt: number
  /** Events are kept for so long. */
  readonly eventDays: number
  /** Whether the typed username was another one. */
  readonly differs: boolean
}

export const renderDelete = (page: DeletePage): string => {
  const { view, csrf, owner, deletionAt, eventDays, differs } = page
  const words = deletionWords(view.language)
  const fault = differs ? html` aria-invalid="true" aria-describedby="problem"` : null
  return renderAccountPage(page, {
    part: 'profile',
    heading: words.heading,
    problem: differs ? words.differs : null,
    main: html`<form class="card" method="post" action="${pageUrl(view, '/account/delete')}">
${hidden('csrf', csrf)}
<p class="notice warning">${words.effect} ${words.until({ when: moment(deletionAt, view) })}</p>
<p class="quiet">${words.stays({ days: eventDays })}</p>
<label class="field"><span>${words.confirmation({ username: named(owner.username) })}</span>
<input type="text" name="username" autocomplete="off" autocapitalize="none" spellcheck="false" required${fault}></label>
<p class="actions"><button class="danger" type="submit">${words.delete}</button></p>
</form>
${renderTimesScript(view)}`,
  })
}

export interface LeavingPage {
  readonly view: View
  readonly csrf: string
  readonly owner: AccountPageGiven['owner']
  readonly deletionAt: number
}

export const renderLeaving = ({ view, csrf, owner, deletionAt }: LeavingPage): string => {
  const words = deletionWords(view.language)
  return renderTitled(
    view,
    words.leavingHeading,
    html`<p>${accountFrameWords(view.language).loggedInAs({ owner: ownerLine(owner) })}</p>
<p class="notice warning">${words.leaving({ when: moment(deletionAt, view) })}</p>
<p>${words.leavingEffect}</p>
<form method="post" action="${pageUrl(view, '/account/deletion')}">
${hidden('csrf', csrf)}
<p class="actions"><button class="primary" type="submit" name="action" value="keep">${words.keep}</button>
<button type="submit" name="action" value="leave">${words.leave}</button></p>
</form>
${renderTimesScript(view)}`,
  )
}
