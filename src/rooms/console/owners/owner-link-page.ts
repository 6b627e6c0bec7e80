/** A link for a user that was just made, shown this once. */
import type { Owner } from '../../../model/owner.ts'
import { named } from '../../../paper/fields.ts'
import { html } from '../../../paper/markup.ts'
import { moment } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { ownerPath } from '../pieces.ts'
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
