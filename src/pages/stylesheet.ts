/**
 * The one stylesheet, served at `/assets/latchkey.css`. Each colour has one name, with a light and
 * a dark value, and so has each repeated space and size. Logical properties make it read from right
 * to left, too.
 */
import { accentMeets } from '../config/accent.ts'
import { accountStyles } from './styles/account.ts'
import { elementStyles } from './styles/elements.ts'
import { paperStyles } from './styles/paper.ts'
import { pieceStyles } from './styles/pieces.ts'
import { useStyles } from './styles/uses.ts'

/** A colour as `#rrggbb`, for light pages and for dark ones. */
interface Accent {
  readonly light: string
  readonly dark: string
}

const { light, dark } = accentMeets

const names = (accent: Accent): string => `:root {
  color-scheme: light dark;
  --ground: light-dark(${light.ground}, #12171b);
  --surface: light-dark(#ffffff, ${dark.ground});
  --ink: light-dark(#1a242b, #e6ecef);
  --quiet: light-dark(#52616b, #a3b1ba);
  --rule: light-dark(#d9e0e4, #313c44);
  --edge: light-dark(#74838d, #82929d);
  --shade: light-dark(rgb(26 36 43 / 0.08), rgb(0 0 0 / 0.25));
  --accent: light-dark(${accent.light}, ${accent.dark});
  --on-accent: light-dark(${light.onAccent}, ${dark.onAccent});
  --accent-wash: color-mix(in srgb, var(--accent) 10%, var(--surface));
  --warning: light-dark(#8a5300, #f0c479);
  --warning-wash: light-dark(#fdf4e3, #2f2718);
  --danger: light-dark(#a8231c, #ff9d94);
  --danger-wash: light-dark(#fdeeec, #371f1e);
  --hair: 0.125rem;
  --tight: 0.375rem;
  --snug: 0.5rem;
  --near: 0.75rem;
  --room: 1rem;
  --inset: 1.125rem;
  --inside: clamp(1.125rem, 5vw, 2rem);
  --apart: 1.5rem;
  --far: 2.25rem;
  --press: 2.75rem;
  --round: 0.5rem;
  --smaller: 0.8125rem;
  --small: 0.875rem;
  --lesser: 0.9375rem;
}
`

/** @param further styles of pages that are not always there */
export const renderStylesheet = (accent: Accent, further = ''): string =>
  [names(accent), elementStyles, pieceStyles, accountStyles, useStyles, further, paperStyles].join(
    '',
  )
