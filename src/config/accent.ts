/** Accent colours of the operator's: legible on our pages, or refused (WCAG 2.2, success criterion 1.4.3). */
import type { Parse } from './values.ts'

type Scheme = 'light' | 'dark'

export const defaultAccent: Readonly<Record<Scheme, string>> = {
  light: '#0b6352',
  dark: '#6fd6bd',
}

/** The colours beside an accent colour: the nearest ground of links, and the words on a button. */
export const accentMeets = {
  light: { ground: '#f3f5f6', onAccent: '#ffffff' },
  dark: { ground: '#1a2127', onAccent: '#0b1216' },
} as const

const leastContrast = 4.5

const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** From 1 to 21; colours are written `#rrggbb`. */
export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Rounded down, so that what is too little never looks enough. */
const shown = (ratio: number): string => (Math.floor(ratio * 100) / 100).toFixed(2)

export const accentColor =
  (scheme: Scheme): Parse<string> =>
  (given) => {
    if (typeof given !== 'string' || !/^#[\da-f]{6}$/i.test(given)) {
      return { expected: `a colour such as ${defaultAccent[scheme]}` }
    }
    const [worst = ''] = Object.values(accentMeets[scheme]).toSorted(
      (a, b) => contrast(given, a) - contrast(given, b),
    )
    const ratio = contrast(given, worst)
    if (ratio >= leastContrast) return { value: given.toLowerCase() }
    return {
      expected: `a colour with a contrast of at least ${leastContrast}:1 to ${worst}, which it meets on ${scheme} pages (this one has ${shown(ratio)}:1)`,
    }
  }
