/**
 * What pages load: the one stylesheet, served at `/assets/latchkey.css`, and the scripts. Their sources
 * lie in `styles/` and `scripts/`, beside this module also where the program is bundled.
 */
import { readFileSync } from 'node:fs'
import type { Look } from '../config/look.ts'

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
  'rows',
  'charts',
  'frame',
  'front',
  'consent',
  'applications',
  'uses',
  'activity',
  'console',
  'security',
)
const paper = readStyles('paper')

/** A colour as `#rrggbb`, for light pages and for dark ones. */
interface Accent {
  readonly light: string
  readonly dark: string
}

/** What the operator may choose. */
const renderChosen = ({ light, dark }: Accent, { radius, font }: Look): string =>
  `:root { --accent: light-dark(${light}, ${dark}); --round: ${radius / 16}rem; --font: ${[...font.map((name) => `"${name}"`), 'system-ui'].join(', ')} }`

/** @param further styles of pages that are not always there */
export const renderStylesheet = (accent: Accent, look: Look, further = ''): string =>
  `${names}${renderChosen(accent, look)}\n${screen}${further}${paper}`

/** Without the comment at its head. */
const readScript = (name: string): string =>
  read(`./scripts/${name}.js`).replace(/^\/\*.*?\*\/\n/s, '')

/** A page loads one script at most, so one may hold several. Each keeps its names to itself. */
const joinScripts = (...names: readonly string[]): string =>
  names.map((name) => `{\n${readScript(name)}}\n`).join('')

/** By name, as in `/assets/{name}.js`. */
export const scripts = {
  account: joinScripts('menu', 'times'),
  consent: readScript('consent'),
  'form-post': readScript('form-post'),
  live: joinScripts('menu', 'live'),
  passkeys: joinScripts('passwords', 'passkeys', 'menu', 'times'),
  passwords: joinScripts('passwords', 'menu'),
  recovery: readScript('recovery'),
} as const
