/** The menu at the end of the bar: the tile of a person, and behind it who is logged in and the way out. */
import { hide, type PageWithForm, sayName, showOwner } from './fields.ts'
import { icons } from './icon.ts'
import { html, type Markup } from './markup.ts'
import { getPicturePath, renderTile } from './tile.ts'
import { pageUrl } from './view.ts'

interface MenuOwner {
  readonly username: string
  readonly name: string
  readonly pictureName?: string
}

interface MenuGiven extends PageWithForm {
  readonly owner: MenuOwner
}

interface MenuContent {
  /** Below the name. */
  readonly note?: string | null
  readonly links?: Markup | null
}

/** The menu opens without JavaScript. With JavaScript, Escape and a click beside it also close it. */
export const renderMenu = (
  { view, csrf, owner }: MenuGiven,
  words: { readonly menu: string; readonly logOut: string },
  { note = null, links = null }: MenuContent = {},
): Markup => {
  const name = owner.name === '' ? owner.username : owner.name
  const picture = owner.pictureName ? getPicturePath(view, owner.pictureName) : null
  return html`<details class="menu"><summary>${renderTile(name, picture, { isPerson: true })}<span class="unseen">${words.menu}: ${sayName(name)}</span>${icons.open}</summary>
<div><p>${showOwner(owner)}${note && html`<br><span class="quiet small">${note}</span>`}</p>
${links}
<form method="post" action="${pageUrl(view, '/logout')}">${hide('csrf', csrf)}<button type="submit">${icons.logout}${words.logOut}</button></form></div></details>`
}
