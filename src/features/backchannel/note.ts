/** The line of the account page that leads to the requests. */
import { html, type Markup } from '../../paper/markup.ts'
import { pageUrl } from '../../paper/view.ts'
import type { FindAccountNote } from '../../rooms/account/needs.ts'
import { listOpenRequests, requestsPath } from './read.ts'
import { backchannelWords } from './words.ts'

export const findRequestsNote: FindAccountNote = async (visit, needs) => {
  const { view } = visit
  const { length: count } = await listOpenRequests(visit, needs)
  if (count === 0) return null
  const words = backchannelWords(view.language)
  const link: Markup = html`<a href="${pageUrl(view, requestsPath)}">${words.see}</a>`
  return html`<p class="notice off-paper">${words.waiting({ count, link })}</p>`
}
