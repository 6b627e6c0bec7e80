/** The shape of the pages beyond their colours: how round corners are, and the fonts. */
import { isObject, parseJson } from '../model/json.ts'
import type { Parse } from './values.ts'

/** Of corners of buttons and fields, in px. Larger surfaces follow. */
const mostRadius = 16
const mostFonts = 8
const fontCharacters = 40

export interface Look {
  /** In px. */
  readonly radius: number
  /** Families that readers may have on their machines, the best first. Nothing is fetched. */
  readonly font: readonly string[]
}

export const defaultLook: Look = { radius: 8, font: [] }

const expected = `an object with "radius" (a whole number from 0 to ${mostRadius}) or "font" (at most ${mostFonts} names of letters, digits, spaces and hyphens), or both`

/** The name goes into the stylesheet between quotes, so no other character may be in it. */
const isFont = (name: unknown): name is string =>
  typeof name === 'string' &&
  name.length <= fontCharacters &&
  /^[\p{L}\p{N}]+(?:[ -][\p{L}\p{N}]+)*$/u.test(name)

export const parseLook: Parse<Look> = (given) => {
  const members = typeof given === 'string' ? parseJson(given) : given
  if (!isObject(members)) return { expected }
  const { radius = defaultLook.radius, font = defaultLook.font, ...unknown } = members
  const isRound =
    typeof radius === 'number' && Number.isInteger(radius) && radius >= 0 && radius <= mostRadius
  const areFonts = Array.isArray(font) && font.length <= mostFonts && font.every(isFont)
  if (!isRound || !areFonts || Object.keys(unknown).length > 0) return { expected }
  return { value: { radius, font } }
}
