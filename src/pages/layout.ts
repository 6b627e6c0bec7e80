/** The frame around every page: head, brand, main part. No foreign resource, and no script of its own. */
import { languages } from '../model/language.ts'
import { keyMark } from './icon.ts'
import { type Content, html, type Markup } from './markup.ts'
import { moment, offsetOf } from './time.ts'
import type { View } from './view.ts'
import { phrases } from './words/phrases.ts'

export interface Layout {
  readonly view: View
  readonly title: string
  /** `wide` for pages with tables, `full` for pages with columns. */
  readonly width?: 'narrow' | 'wide' | 'full'
  /** Whether people may want it on paper: then it says of when it is. */
  readonly isReceipt?: boolean
  readonly main: Content
}

/** Beside the name, which says the same. */
const logo = (base: string): Markup => html`<img class="logo" src="${base}/assets/logo" alt="">`

const onPaper = ({ brand, language, zone, at }: View): Markup =>
  html`<p class="on-paper">${phrases[language].asOf({ name: brand.name, when: moment(at, { language, zone }) })}</p>
`

/** Named once for all moments of the page. */
const zoneNote = (zone: string, { language, at }: View): Markup =>
  html`<p class="quiet zone">${phrases[language].zone({ zone, offset: offsetOf(at, zone) })}</p>
`

const footer = ({ brand, language }: View): Markup | null =>
  brand.links.length === 0
    ? null
    : html`<footer><ul>
${brand.links.map(({ kind, url }) => html`<li><a href="${url}" rel="noopener noreferrer">${phrases[language].links[kind]}</a></li>`)}
</ul></footer>
`

export const renderLayout = ({
  view,
  title,
  width = 'narrow',
  isReceipt = false,
  main,
}: Layout): string => {
  const { base, brand } = view
  const { tag, direction } = languages[view.language]
  return html`<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${brand.name}</title>
<link rel="stylesheet" href="${base}/assets/latchkey.css">
<link rel="icon" href="${base}/assets/${brand.hasLogo ? 'logo' : 'icon.svg'}">
</head>
<body class="${width}">
<header class="brand">${brand.hasLogo ? logo(base) : keyMark}<span>${brand.name}</span></header>
<main>
${main}
${view.zone === null ? null : zoneNote(view.zone, view)}</main>
${isReceipt ? onPaper(view) : null}${footer(view)}</body>
</html>
`.toString()
}
