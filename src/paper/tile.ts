/** Tiles: of an application or a person, a letter and the picture on top; of both sides of a decision; of an event, an icon. */
import type { Client } from '../model/client.ts'
import { normalizeName, shortenPlace, spellOut } from '../model/plain/line.ts'
import { allowMarkup, defineWords } from './catalog.ts'
import { sayName } from './fields.ts'
import { type IconName, icons } from './icon.ts'
import { type Content, html, type Markup } from './markup.ts'
import { pageUrl, type View } from './view.ts'

/** Each is a pair of colours in `styles/names.css`. */
const colors = ['teal', 'blue', 'violet', 'amber', 'rose'] as const

/** The same name has the same colour on every page. */
export const pickTileColor = (name: string): (typeof colors)[number] => {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return colors[hash % colors.length] ?? 'teal'
}

/** Where this service serves the picture of an owner; null without one. */
export const getPicturePath = ({ base }: Pick<View, 'base'>, name = ''): string | null =>
  name === '' ? null : `${base}/pictures/${name}`

interface TileLook {
  /** `big` beside a heading, `portrait` where a page is about the person, `little` in a line of text. */
  readonly size?: 'big' | 'portrait' | 'little'
  /** A person has a round one. */
  readonly isPerson?: boolean
  /** In place of the letter. */
  readonly icon?: IconName | null
  /** Whose application it is. One that nobody checked could copy the letter and the picture of another. */
  readonly registeredBy?: Client['registeredBy'] | null
}

/**
 * The tile is never the only place of the name, so nobody reads it aloud.
 *
 * @param path where this service serves the picture; null without one. If it does not load, the letter stays
 */
export const renderTile = (
  name: string,
  path: string | null,
  { size, isPerson = false, icon = null, registeredBy }: TileLook = {},
): Markup => {
  if (registeredBy === 'itself') {
    return html`<span class="tile unknown${size ? ` ${size}` : ''}" aria-hidden="true">?</span>`
  }
  const shown = normalizeName(name)
  const letter = [...shown][0]?.toUpperCase() ?? ''
  const look = `${pickTileColor(shown)}${size ? ` ${size}` : ''}${isPerson ? ' person' : ''}`
  const picture = path === null ? null : html`<img src="${path}" alt="">`
  return html`<span class="tile ${look}" aria-hidden="true">${icon === null ? letter : icons[icon]}${picture}</span>`
}

/** A round one above the heading of an event. */
export const renderEvent = (icon: IconName, isGood = false): Markup =>
  html`<span class="tile big round${isGood ? ' good' : ''}" aria-hidden="true">${icons[icon]}</span>`

const betweenWords = defineWords('between', {
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
  readonly owner: {
    readonly username: string
    readonly name: string
    readonly pictureName?: string
  }
  /** The waiting request, for the way to another account; null without one. */
  readonly journey: string | null
}

/** The application, an arrow, and the person who decides. */
export const renderBetween = (sides: Sides, view: View): Markup => {
  const { clientName, logoPath = null, registeredBy, journey } = sides
  const words = betweenWords(view.language)
  const username = normalizeName(sides.owner.username)
  const name = sides.owner.name === '' ? username : normalizeName(sides.owner.name)
  const face = sides.owner.pictureName ? getPicturePath(view, sides.owner.pictureName) : null
  const other = journey && pageUrl(view, '/login', { journey, switch: '1' })
  return html`<div class="between">${renderTile(clientName, logoPath, { registeredBy })}<svg class="way${registeredBy === 'itself' ? ' blind' : ''}" viewBox="0 0 56 20" aria-hidden="true" focusable="false"><path d="M2 10h50m-6-6 6 6-6 6"/></svg>${renderTile(name, face, { isPerson: true })}<p class="me"><span class="unseen">${words.loggedInAs} </span><b>${sayName(name)}</b>${name === username ? null : html` <span>${sayName(username)}</span>`}</p>${other && html`<a class="off-paper" href="${other}" aria-label="${words.otherAccount}">${words.switch}</a>`}</div>`
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
