/** Tiles: of an application or a person, a letter and the picture on top; of an event, an icon. */
import type { Client } from '../model/client.ts'
import { drawIcon, type IconName } from './icon.ts'
import { html, type Markup } from './markup.ts'
import { normalizeName } from './plain-text.ts'

/** Each is a pair of colours in `styles/names.css`. */
const colors = ['teal', 'blue', 'violet', 'amber', 'rose'] as const

/** The same name has the same colour on every page. */
export const pickTileColor = (name: string): (typeof colors)[number] => {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return colors[hash % colors.length] ?? 'teal'
}

interface TileLook {
  /** `big` beside a heading, `little` in a line of text. */
  readonly size?: 'big' | 'little'
  /** A person has a round one. */
  readonly isPerson?: boolean
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
  { size, isPerson = false, registeredBy }: TileLook = {},
): Markup => {
  if (registeredBy === 'itself') {
    return html`<span class="tile unknown${size ? ` ${size}` : ''}" aria-hidden="true">?</span>`
  }
  const shown = normalizeName(name)
  const letter = [...shown][0]?.toUpperCase() ?? ''
  const look = `${pickTileColor(shown)}${size ? ` ${size}` : ''}${isPerson ? ' person' : ''}`
  const picture = path === null ? null : html`<img src="${path}" alt="">`
  return html`<span class="tile ${look}" aria-hidden="true">${letter}${picture}</span>`
}

/** A round one above the heading that says what happened. */
export const renderEvent = (icon: IconName, isGood = false): Markup =>
  html`<span class="tile big round${isGood ? ' good' : ''}" aria-hidden="true">${drawIcon(icon)}</span>`
