/** The page for the download of an owner's data. */

import { hidden } from '../../../paper/fields.ts'
import { html } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'
import { downloadWords } from './words.ts'

export const renderDownload = (page: AccountPageGiven): string => {
  const { view, csrf } = page
  const words = downloadWords(view.language)
  return renderAccountPage(page, {
    part: 'profile',
    heading: words.heading,
    main: html`<form class="card" method="post" action="${pageUrl(view, '/account/download')}">
${hidden('csrf', csrf)}
<p>${words.about} ${words.holds}</p>
<ul>
${Object.values(words.parts).map((part) => html`<li>${part}</li>`)}
</ul>
<p>${words.without} ${words.careful}</p>
<p class="actions"><button class="primary" type="submit">${words.download}</button></p>
</form>`,
  })
}
