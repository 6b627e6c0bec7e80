/**
 * What pages load: the one stylesheet, served at `/assets/latchkey.css`, and the scripts. Their sources
 * lie in `styles/` and `scripts/`, beside this module also where the program is bundled.
 */
import { readFileSync } from 'node:fs'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

/** Comments and indentation are for whoever reads the source. */
const readStyles = (...names: readonly string[]): string =>
  names
    .map((name) => read(`./styles/${name}.css`))
    .join('')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\n\s+/g, '\n')
    .trimStart()

const names = readStyles('names')
const screen = readStyles(
  'elements',
  'controls',
  'pieces',
  'frame',
  'consent',
  'account',
  'entries',
  'applications',
  'uses',
  'console',
)
const paper = readStyles('paper')

/** A colour as `#rrggbb`, for light pages and for dark ones. */
interface Accent {
  readonly light: string
  readonly dark: string
}

/** @param further styles of pages that are not always there */
export const renderStylesheet = ({ light, dark }: Accent, further = ''): string =>
  `${names}:root { --accent: light-dark(${light}, ${dark}) }\n${screen}${further}${paper}`

/** Without the comment at its head. */
const readScript = (name: string): string =>
  read(`./scripts/${name}.js`).replace(/^\/\*.*?\*\/\n/s, '')

const passwords = readScript('passwords')
const times = readScript('times')

/** By name, as in `/assets/{name}.js`. */
export const scripts = {
  consent: readScript('consent'),
  'form-post': readScript('form-post'),
  live: readScript('live'),
  // A page loads one script at most, so this one also shows passwords and writes the times.
  passkeys: `${passwords}\n${readScript('passkeys')}\n{\n${times}}\n`,
  passwords,
  recovery: readScript('recovery'),
  times,
} as const
