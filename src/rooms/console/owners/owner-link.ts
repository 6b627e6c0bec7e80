/** A link for a user that was just made: on the answer to the form this once, and in no address of a page. */
import type { Answer } from '../../../http/answer.ts'
import type { Owner } from '../../../model/owner.ts'
import { named } from '../../../paper/fields.ts'
import { html } from '../../../paper/markup.ts'
import { moment } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { showPage } from '../../visit.ts'
import { type ConsolePageGiven, ownerPath, renderConsolePage } from '../frame.ts'
import type { ConsoleVisit } from '../visit.ts'
import { consoleOwnersWords } from './words.ts'

export const renderOwnerLink = (
  given: ConsolePageGiven,
  { id, username }: Pick<Owner, 'id' | 'username'>,
  { link, expiresAt }: { readonly link: string; readonly expiresAt: number },
): string => {
  const { view } = given
  const words = consoleOwnersWords(view.language)
  return renderConsolePage(given, {
    part: 'owners',
    heading: words.linkHeading({ owner: named(username) }),
    main: html`<section class="card"><p><code>${link}</code></p>
<p>${words.linkOnce({ when: moment(expiresAt, view) })}</p>
<p class="notice warning">${words.linkCopy}</p>
<p class="actions"><a class="button primary" href="${pageUrl(view, ownerPath(id))}">${words.back}</a></p></section>`,
  })
}

/** @param said the answer of the operation */
export const showOwnerLink = (
  visit: ConsoleVisit,
  owner: Pick<Owner, 'id' | 'username'>,
  { link, expires_at: expiresAt }: Readonly<Record<string, unknown>>,
): Answer => {
  const made = { link: String(link), expiresAt: Number(expiresAt) }
  return showPage(visit, renderOwnerLink(visit.given, owner, made), { hasScript: true })
}
