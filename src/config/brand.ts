/** The operator's name, logo, colours and links on the pages. */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { detectPictureType } from '../model/picture.ts'
import { defaultLook, parseLook } from './look.ts'
import { parseShortText, parseWebAddress } from './texts.ts'
import type { Parse, SettingRows } from './values.ts'

type ColorScheme = 'light' | 'dark'

export const defaultAccent: Readonly<Record<ColorScheme, string>> = {
  light: '#0b6352',
  dark: '#6fd6bd',
}

/** The colours beside an accent colour: the nearest ground of links, and the words on a button. */
export const accentMeets = {
  light: { ground: '#f4f6f6', onAccent: '#ffffff' },
  dark: { ground: '#171d21', onAccent: '#07120f' },
} as const

/** WCAG 2.2, success criterion 1.4.3. */
const leastContrast = 4.5

const measureLuminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2: from 1 to 21; colours are written `#rrggbb`. */
export const computeContrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [one, other].map(measureLuminance).sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Rounded down, so that what is too little never looks enough. */
const formatRatio = (ratio: number): string => (Math.floor(ratio * 100) / 100).toFixed(2)

const parseAccentColor =
  (scheme: ColorScheme): Parse<string> =>
  (given) => {
    if (typeof given !== 'string' || !/^#[\da-f]{6}$/i.test(given)) {
      return { expected: `a colour such as ${defaultAccent[scheme]}` }
    }
    const [worst = ''] = Object.values(accentMeets[scheme]).toSorted(
      (a, b) => computeContrast(given, a) - computeContrast(given, b),
    )
    const ratio = computeContrast(given, worst)
    if (ratio >= leastContrast) return { value: given.toLowerCase() }
    return {
      expected: `a colour with a contrast of at least ${leastContrast}:1 to ${worst}, which it meets on ${scheme} pages (this one has ${formatRatio(ratio)}:1)`,
    }
  }

const logoBytes = 200 * 1024

/** The operator's logo, read from its file: told by its first bytes, and not by its name. */
export interface Logo {
  readonly type: 'image/png' | 'image/webp' | 'image/svg+xml'
  readonly bytes: Uint8Array<ArrayBuffer>
}

const svg = /^\ufeff?\s*(?:<\?xml[^>]*>)?\s*(?:<!DOCTYPE[^>[]*(?:\[[^\]]*\])?\s*>)?\s*<svg[\s/>]/i

const findType = (bytes: Buffer): Logo['type'] | null => {
  const picture = detectPictureType(bytes)
  if (picture === 'image/png' || picture === 'image/webp') return picture
  const text = bytes.toString('utf8').replaceAll(/<!--[\s\S]*?-->/g, '')
  return svg.test(text) ? 'image/svg+xml' : null
}

const form = `the path of a PNG, SVG or WebP file of at most ${logoBytes / 1024} KiB`

const parseLogo: Parse<Logo> = (given, cwd) => {
  if (typeof given !== 'string') return { expected: form }
  const path = resolve(cwd, given)
  try {
    const { size } = statSync(path)
    if (size > logoBytes) return { expected: `${form} (this one has ${size} bytes)` }
    const bytes = readFileSync(path)
    const type = findType(bytes)
    return type === null ? { expected: form } : { value: { type, bytes: Uint8Array.from(bytes) } }
  } catch {
    return { expected: `${form}, which can be read` }
  }
}

const operatorNameCharacters = 60
const loginTextCharacters = 500

const link = (page: string, when: string) => ({
  takes: '<url>',
  parse: parseWebAddress,
  fallback: null,
  fallbackText: 'no link',
  meaning: `The ${page}, linked at the foot of every page.`,
  when,
})

const defineColor = (scheme: ColorScheme) => ({
  takes: '<#rrggbb>',
  parse: parseAccentColor(scheme),
  fallback: defaultAccent[scheme],
  meaning: `The colour of links and of the chief button on ${scheme} pages.`,
  when: `You have a colour of your own that is legible on ${scheme} pages.`,
})

export const brandSettings = {
  operatorName: {
    takes: '<text>',
    parse: parseShortText(operatorNameCharacters),
    fallback: { en: 'Latchkey' },
    fallbackText: 'Latchkey',
    meaning: 'The name of the operator, at the head of every page and in its title.',
    when: 'Always outside a trial: people look for your name when they log in.',
  },
  logo: {
    takes: '<path>',
    parse: parseLogo,
    fallback: null,
    fallbackText: 'a key',
    meaning: `A PNG, SVG or WebP file of at most ${logoBytes / 1024} KiB, shown beside the name.`,
    when: 'You have a logo.',
  },
  accentColor: defineColor('light'),
  accentColorDark: defineColor('dark'),
  look: {
    parse: parseLook,
    fallback: defaultLook,
    fallbackText: 'corners of 8 px, and the font of the system',
    meaning:
      'How round corners are (`radius`, 0 to 16 px) and the fonts (`font`), as an object (in the environment as JSON): see branding.md.',
    when: 'Your other pages have sharper or rounder corners, or a font that people have on their machines.',
  },
  loginText: {
    takes: '<text>',
    parse: parseShortText(loginTextCharacters),
    fallback: null,
    fallbackText: 'nothing',
    meaning: 'A text beneath the form of the login page.',
    when: 'People need a hint before they log in.',
  },
  helpUrl: link('help page', 'You help people with their accounts.'),
  privacyUrl: link('privacy policy', 'The law asks for it.'),
  termsUrl: link('terms of use', 'You have terms of use.'),
} as const satisfies SettingRows
