/** The frame around every page: head, brand or bar, main part. No foreign resource. */
import { icons } from './icon.ts'
import { type Content, html, type Markup } from './markup.ts'
import { formatIso, formatOffset, sayMoment } from './time.ts'
import { pageUrl, type View } from './view.ts'
import { phrases } from './words/phrases.ts'

/** The bar above the sheets of an account or the console. A link for the keyboard leads past it. */
export interface Bar {
  /** Where the brand leads to. */
  readonly home: '/account' | '/admin'
  readonly middle: Markup
  readonly menu: Markup
  /** The way among the pages of a room that has too many for the bar. */
  readonly side?: Markup
}

export interface Layout {
  readonly view: View
  readonly title: string
  /** `middle` for a decision, `wide` for tables, `full` for columns, `account` a sheet, `console` with tables. */
  readonly width?: 'narrow' | 'middle' | 'wide' | 'full' | 'front' | 'account' | 'account console'
  /** Links beside the brand, where there is no bar. */
  readonly beside?: Markup | null
  /** Before the operator's own links at the foot: items of its list. */
  readonly foot?: Markup | null
  /** Whether people may want it on paper: then it says of when it is. */
  readonly isReceipt?: boolean
  readonly bar?: Bar | null
  /** Whether the foot of the main part names the time zone of its moments; by default where there are any. */
  readonly tellsZone?: boolean
  readonly main: Content
}

/** Named once for all moments of the page. */
const renderZoneNote = (zone: string, { language, at }: View): Markup => {
  const { zone: inZone, zoneOfReader } = phrases(language)
  return zone === 'UTC'
    ? html`<p class="quiet zone" data-zone="${zoneOfReader({ zone: '{zone}' })}" data-at="${formatIso(at)}">${zoneOfReader({ zone })}</p>
`
    : html`<p class="quiet zone">${inZone({ zone, offset: formatOffset(at, zone) })}</p>
`
}

/** @param mark the logo and the name of the operator */
const renderBar = (view: View, { home, middle, menu, side }: Bar, mark: Markup): Markup =>
  html`<a class="skip" href="#main">${phrases(view.language).skip}</a>
<header class="bar"><div><a class="brand" href="${pageUrl(view, home)}">${mark}</a>${middle}${menu}</div></header>
${side ?? null}`

export const renderLayout = ({
  view,
  title,
  width = 'narrow',
  isReceipt = false,
  bar = null,
  beside = null,
  foot = null,
  main,
  tellsZone = String(main).includes('<time '),
}: Layout): string => {
  const { base, brand, language } = view
  const { lang, direction } = language
  // Where no foot names the zone, or a script may change it there, the moment on paper names UTC.
  const zone = tellsZone && view.zone !== 'UTC' ? view.zone : null
  const when = isReceipt ? sayMoment(view.at, { language, zone }) : null
  // The name beside the logo says the same.
  const mark = html`${brand.hasLogo ? html`<img class="logo" src="${base}/assets/logo" alt="">` : icons.key}<span>${brand.name}</span>`
  const isForReader = view.zone === 'UTC' && tellsZone
  const needsScript = (bar !== null || isForReader) && !String(main).includes('<script ')
  const page = html`<!doctype html>
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
  bar === null
    ? html`<header class="brand">${mark}${beside}</header>
`
    : renderBar(view, bar, mark)
}<main${bar && html` id="main"`}>
${main}
${view.zone === null || !tellsZone ? null : renderZoneNote(view.zone, view)}</main>
${
  when &&
  html`<p class="on-paper">${phrases(language).asOf({ name: html`${brand.name}`, when })}</p>
`
}${
  brand.links.length === 0 && foot === null
    ? null
    : html`<footer><ul>
${foot}${brand.links.map(({ kind, url }) => html`<li><a href="${url}" rel="noopener noreferrer">${phrases(language).links[kind]}</a></li>`)}
</ul></footer>
`
}${
  needsScript
    ? html`<script type="module" src="${base}/assets/account.js"></script>
`
    : null
}</body>
</html>
`
  if ((page as unknown) instanceof Promise)
    throw new TypeError('expected data in a page, and no promise')
  return page.toString()
}

/** A narrow page whose heading is its title. */
export const renderTitled = (view: View, title: string, rest: Markup): string =>
  renderLayout({ view, title, main: html`<h1>${title}</h1>\n${rest}` })
