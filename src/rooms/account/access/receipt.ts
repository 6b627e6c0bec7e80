/** What was just done to the access of an application, and the way to take it back. */

import { hide, renderForm, sayName } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { sayWhen } from '../../../paper/time.ts'
import { listEndFields } from './end.ts'
import type { AccessDone, AccessPage, AccessWords } from './shown.ts'

const sayDone = (page: AccessPage, done: AccessDone, words: AccessWords): Content => {
  const { expiresAt, now, view } = page
  const client = sayName(page.clientName)
  if (done.what === 'until') {
    return expiresAt === null
      ? words.done.untilNone({ client })
      : words.done.until({ client, when: sayWhen(expiresAt, now, view) })
  }
  if (done.what !== 'narrowed') return words.done[done.what]({ client })
  const lost = done.lost.join(words.between)
  return lost === '' ? words.done.unchanged : words.done.narrowed({ client, lost: html`${lost}` })
}

/** The form that takes a change back. What was narrowed, the application must ask for again. */
const listUndoFields = ({
  what,
  before = '',
}: AccessDone): Readonly<Record<string, string>> | null => {
  switch (what) {
    case 'paused':
      return { action: 'resume' }
    case 'resumed':
      return { action: 'pause' }
    case 'until': {
      const end = listEndFields(before)
      return end && { action: 'until', ...end }
    }
    default:
      return null
  }
}

export const renderUndo = (page: AccessPage, words: AccessWords): Markup | null => {
  const fields = page.done ? listUndoFields(page.done) : null
  if (fields === null) return null
  const hidden = Object.entries(fields).map(([name, value]) => hide(name, value))
  const button = html`<button type="submit">${words.undo}</button>`
  return renderForm(page, '/account', [hide('authorization', page.id), ...hidden, button])
}

export const renderDone = (page: AccessPage, words: AccessWords): Content => {
  const { done, others } = page
  if (!done) return null
  const isOfOne = done.what === 'until' || (done.what === 'narrowed' && done.lost.length > 0)
  const rest = isOfOne && others.length > 0 ? html` ${words.otherStays}` : null
  return html`${sayDone(page, done, words)}${rest}`
}
