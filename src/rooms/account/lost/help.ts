/** The two ways to the guided page. */
import { type IconName, icons } from '../../../paper/icon.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { lostWords } from './words.ts'

/** Why somebody comes to the guided page. */
export const whys = ['phone', 'not-me'] as const

export type Why = (typeof whys)[number]

const marks: Readonly<Record<Why, IconName>> = { phone: 'phone', 'not-me': 'question' }

export const renderHelp = (view: View): Markup => {
  const words = lostWords(view.language)
  const link = (why: Why): Markup =>
    html`<a href="${pageUrl(view, '/account/lost', { why })}">${icons[marks[why]]}<span>${words.whys[why].heading}<small>${words.whys[why].says}</small></span>${icons.on}</a>`
  return html`<div class="help">${whys.map(link)}</div>`
}
