/** The frame around every page: head, brand, main part. No foreign resource, and no script of its own. */
import { keyMark } from './icon.ts'
import { type Content, html, type Markup } from './markup.ts'
import { formatOffset, sayMoment } from './time.ts'
import type { View } from './view.ts'
import { phrases } from './words/phrases.ts'

export interface Layout {
  readonly view: View
  readonly title: string
  /** `middle` for a decision, `wide` for tables, `full` for columns, `account` with its parts beside, `console` with tables. */
  readonly width?: 'narrow' | 'middle' | 'wide' | 'full' | 'account' | 'account console'
  /** Whether people may want it on paper: then it says of when it is. */
  readonly isReceipt?: boolean
  /** At the end of the bar. */
  readonly menu?: Markup | null
  /** The way among the pages. A link for the keyboard leads past it. */
  readonly parts?: Markup | null
  /** Whether the foot of the main part names the time zone of its moments; by default where there are any. */
  readonly tellsZone?: boolean
  readonly main: Content
}

/** Beside the name, which says the same. */
const renderLogo = (base: string): Markup =>
  html`<img class="logo" src="${base}/assets/logo" alt="">`

/** Named once for all moments of the page. */
const renderZoneNote = (zone: string, { language, at }: View): Markup => {
  const { zone: inZone, zoneOfReader } = phrases(language)
  return zone === 'UTC'
    ? html`<p class="quiet zone" data-zone="${zoneOfReader({ zone: '{zone}' })}">${zoneOfReader({ zone })}</p>
`
    : html`<p class="quiet zone">${inZone({ zone, offset: formatOffset(at, zone) })}</p>
`
}

export const renderLayout = ({
  view,
  title,
  width = 'narrow',
  isReceipt = false,
  menu = null,
  parts = null,
  main,
  tellsZone = String(main).includes('<time '),
}: Layout): string => {
  const { base, brand, language } = view
  const { lang, direction } = language
  // Where no foot names the zone, or a script may change it there, the moment on paper names UTC.
  const zone = tellsZone && view.zone !== 'UTC' ? view.zone : null
  const when = isReceipt ? sayMoment(view.at, { language, zone }) : null
  return html`<!doctype html>
<html lang="${lang}" dir="${direction}">
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
${
  parts &&
  html`<a class="skip" href="#main">${phrases(language).skip}</a>
`
}<header class="brand">${brand.hasLogo ? renderLogo(base) : keyMark}<span>${brand.name}</span>${menu}</header>
${parts}<main${parts && html` id="main"`}>
${main}
${view.zone === null || !tellsZone ? null : renderZoneNote(view.zone, view)}</main>
${
  when &&
  html`<p class="on-paper">${phrases(language).asOf({ name: html`${brand.name}`, when })}</p>
`
}${
  brand.links.length === 0
    ? null
    : html`<footer><ul>
${brand.links.map(({ kind, url }) => html`<li><a href="${url}" rel="noopener noreferrer">${phrases(language).links[kind]}</a></li>`)}
</ul></footer>
`
}</body>
</html>
`.toString()
}

/** A narrow page whose heading is its title. */
export const renderTitled = (view: View, title: string, rest: Markup): string =>
  renderLayout({ view, title, main: html`<h1>${title}</h1>\n${rest}` })
