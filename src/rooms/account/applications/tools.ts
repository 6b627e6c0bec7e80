/** Above the list of applications: search, filter and order, as one form that changes nothing. */

import { hidden } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { number } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import { type AccountPage, filters, orders } from './page.ts'
import { accountWords } from './words.ts'

const option = (value: string, text: string, chosen: string): Markup =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`

export const renderListTools = ({ view, place, counts }: AccountPage): Markup => {
  const words = accountWords(view.language)
  // A GET form replaces the query of its action, so the requested language becomes a field.
  const carried = [...new URLSearchParams(view.carried)].map(([name, value]) => hidden(name, value))
  return html`<form class="tools" method="get" role="search" action="${pageUrl(view, '/account')}">${carried}
<label class="field long"><span>${words.search}</span><input type="search" name="q" value="${place.q}" autocomplete="off"></label>
<label class="field"><span>${words.show}</span><select name="show">${filters.map((name) => option(name, `${words.filters[name]} (${number(counts[name], view.language)})`, place.show))}</select></label>
<label class="field"><span>${words.order}</span><select name="order">${orders.map((name) => option(name, words.orders[name], place.order))}</select></label>
<button type="submit">${words.apply}</button>
</form>`
}
