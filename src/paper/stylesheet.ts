/**
 * The one stylesheet, served at `/assets/latchkey.css`. Each colour has one name, with a light and
 * a dark value, and so has each repeated space and size. Logical properties make it read from right
 * to left, too.
 */
import { accentMeets } from '../config/brand.ts'
import { accountStyles } from './styles/account.ts'
import { applicationStyles } from './styles/applications.ts'
import { consentStyles } from './styles/consent.ts'
import { consoleStyles } from './styles/console.ts'
import { controlStyles } from './styles/controls.ts'
import { elementStyles } from './styles/elements.ts'
import { entryStyles } from './styles/entries.ts'
import { frameStyles } from './styles/frame.ts'
import { paperStyles } from './styles/paper.ts'
import { pieceStyles } from './styles/pieces.ts'
import { useStyles } from './styles/uses.ts'
import type { TileColor } from './tile.ts'

/** A colour as `#rrggbb`, for light pages and for dark ones. */
interface Accent {
  readonly light: string
  readonly dark: string
}

const { light, dark } = accentMeets

/** Six colours of tiles: letters in the first, behind them the second, each light and dark. */
const tileColors = {
  teal: ['#0b6352, #8fdfca', '#dcefe9, #1d3b36'],
  blue: ['#1d4f91, #a9caf7', '#dfe9f8, #20344f'],
  violet: ['#5a3d9a, #cdbcf5', '#ebe5f8, #352c50'],
  amber: ['#7a4a00, #f0c987', '#f8ebd3, #40321b'],
  rose: ['#962c47, #f5b3c1', '#fae3e7, #47252f'],
  slate: ['#3d4b54, #c3ced5', '#e3e8eb, #2c373f'],
} satisfies Record<TileColor, readonly [letter: string, wash: string]>

const tileStyles = Object.entries(tileColors)
  .map(
    ([name, [letter, wash]]) =>
      `.tile.${name} { background: light-dark(${wash}); color: light-dark(${letter}) }\n`,
  )
  .join('')

/**
 * Space in steps of 4 px, type in steps of 13, 14, 16, 18, 22 and 28 px. Links, what is on, and the
 * way forward have the accent. A warning says "look twice". Danger is what destroys or has failed.
 */
const names = (accent: Accent): string => `:root {
  color-scheme: light dark;
  --ground: light-dark(${light.ground}, #12171b);
  --surface: light-dark(#ffffff, ${dark.ground});
  --sunken: light-dark(#f6f8f8, #151b20);
  --ink: light-dark(#1a242b, #e6ecef);
  --quiet: light-dark(#52616b, #a3b1ba);
  --rule: light-dark(#dde3e6, #2e3941);
  --edge: light-dark(#74838d, #82929d);
  --shade: light-dark(rgb(26 36 43 / 0.07), rgb(0 0 0 / 0.3));
  --accent: light-dark(${accent.light}, ${accent.dark});
  --on-accent: light-dark(${light.onAccent}, ${dark.onAccent});
  --accent-wash: color-mix(in srgb, var(--accent) 10%, var(--surface));
  --warning: light-dark(#8a5300, #f0c479);
  --warning-wash: light-dark(#fdf4e3, #2f2718);
  --danger: light-dark(#a8231c, #ff9d94);
  --danger-wash: light-dark(#fdeeec, #371f1e);
  --on-danger: light-dark(#ffffff, #1b0d0c);
  --hair: 0.125rem;
  --tight: 0.25rem;
  --snug: 0.5rem;
  --near: 0.75rem;
  --room: 1rem;
  --apart: 1.5rem;
  --far: 2rem;
  --gulf: 3rem;
  --inside: clamp(1rem, 5vw, 2rem);
  --press: 2.75rem;
  --round: 0.5rem;
  --rounder: 0.75rem;
  --smaller: 0.8125rem;
  --small: 0.875rem;
  --larger: 1.125rem;
  --large: 1.375rem;
  --largest: 1.75rem;
}
`

/** @param further styles of pages that are not always there */
export const renderStylesheet = (accent: Accent, further = ''): string =>
  [
    names(accent),
    elementStyles,
    controlStyles,
    pieceStyles,
    tileStyles,
    frameStyles,
    consentStyles,
    accountStyles,
    entryStyles,
    applicationStyles,
    useStyles,
    consoleStyles,
    further,
    paperStyles,
  ].join('')
