/** A link for a user that was just made. No address of a page has the link. */
import type { Answer } from '../../../http/answer.ts'
import type { Owner } from '../../../model/owner.ts'
import type { JsonRow } from '../../../operations/surface/said.ts'
import { named } from '../../../paper/fields.ts'
import { html } from '../../../paper/markup.ts'
import { moment } from '../../../paper/time.ts'
import { showPage } from '../../visit.ts'
import { type ConsolePageGiven, getSubjectPath, renderOnce } from '../frame.ts'
import type { ConsoleVisit } from '../visit.ts'
import { consoleOwnersWords } from './words.ts'

type LinkReceiver = Pick<Owner, 'id' | 'username'>

/** @param said the answer of the operation */
export const renderOwnerLink = (
  given: ConsolePageGiven,
  { id, username }: LinkReceiver,
  { link, expires_at: expiresAt }: JsonRow,
): string => {
  const { view } = given
  const words = consoleOwnersWords(view.language)
  return renderOnce(given, {
    part: 'owners',
    heading: words.linkHeading({ owner: named(username) }),
    shown: html`<p><code>${String(link)}</code></p>
<p>${words.linkOnce({ when: moment(Number(expiresAt), view) })}</p>`,
    copy: words.linkCopy,
    back: [getSubjectPath('owners', id), words.back],
  })
}

export const showOwnerLink = (visit: ConsoleVisit, owner: LinkReceiver, said: JsonRow): Answer =>
  showPage(visit, renderOwnerLink(visit.given, owner, said), { hasScript: true })
