/** Both sides of a decision: the application, an arrow, and the person who decides. Below them, who asks. */
import type { Client } from '../model/client.ts'
import { allowMarkup, defineWords } from './catalog.ts'
import { sayName } from './fields.ts'
import { type Content, html, type Markup } from './markup.ts'
import { normalizeName, shortenPlace, spellOut } from './plain-text.ts'
import { renderTile } from './tile.ts'
import { pageUrl, type View } from './view.ts'

export const betweenWords = defineWords('between', {
  loggedInAs: 'Logged in as',
  switch: 'Switch',
  otherAccount: 'Switch account',
  stranger: allowMarkup('Somebody who says “{client}”'),
  unchecked: 'Not checked',
})

export interface Sides {
  readonly clientName: string
  readonly logoPath?: string | null
  readonly registeredBy: Client['registeredBy'] | null
  readonly owner: { readonly username: string; readonly name: string }
  /** What waits for the decision, for the way to another account; null where there is none. */
  readonly journey: string | null
}

export const renderBetween = (sides: Sides, view: View): Markup => {
  const { clientName, logoPath = null, registeredBy, journey } = sides
  const words = betweenWords(view.language)
  const username = normalizeName(sides.owner.username)
  const name = sides.owner.name === '' ? username : normalizeName(sides.owner.name)
  const other = journey && pageUrl(view, '/login', { journey, switch: '1' })
  return html`<div class="between">${renderTile(clientName, logoPath, { registeredBy })}<svg class="way${registeredBy === 'itself' ? ' blind' : ''}" viewBox="0 0 56 20" aria-hidden="true" focusable="false"><path d="M2 10h50m-6-6 6 6-6 6"/></svg>${renderTile(name, null, { isPerson: true })}<p class="me"><span class="unseen">${words.loggedInAs} </span><b>${sayName(name)}</b>${name === username ? null : html` <span>${sayName(username)}</span>`}</p>${other && html`<a class="off-paper" href="${other}" aria-label="${words.otherAccount}">${words.switch}</a>`}</div>`
}

/** The application in a heading: of a stranger, only that it says so. */
export const sayAsking = (
  name: string,
  registeredBy: Sides['registeredBy'],
  { language }: View,
): Markup => {
  const client = sayName(name)
  return registeredBy === 'itself' ? betweenWords(language).stranger({ client }) : client
}

/** Where it comes from, beneath its name. @param place a host, or the scheme of an application */
export const renderHost = (
  place: string | null,
  registeredBy: Sides['registeredBy'],
  { language }: View,
  more: Content = null,
): Markup | null => {
  if (place === null && more === null) return null
  const isStranger = registeredBy === 'itself'
  const shown = place && html`<code>${spellOut(shortenPlace(place))}</code>`
  return html`<p class="host">${isStranger ? html`<b>${shown}</b>` : shown}${more}${isStranger ? html` <span class="tag warn">${betweenWords(language).unchecked}</span>` : null}</p>`
}
