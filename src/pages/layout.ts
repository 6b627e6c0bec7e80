/** The frame around every page: head, brand, main part. No script, no foreign resource. */
import { languages } from '../model/language.ts'
import { type Content, html } from './markup.ts'
import type { View } from './view.ts'

export interface Layout {
  readonly view: View
  readonly title: string
  /** `wide` for pages that hold tables. */
  readonly width?: 'narrow' | 'wide'
  readonly main: Content
}

/** A key, drawn in the colour of the text beside it. */
const mark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" d="M12.2 11.8 20 4m-2.5 2.5 2.7 2.7m-5.4 0 1.7 1.7M13 15.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Z"/></svg>`

export const renderLayout = ({ view, title, width = 'narrow', main }: Layout): string => {
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
</head>
<body class="${width}">
<header class="brand">${mark}<span>${brand.name}</span></header>
<main>
${main}
</main>
</body>
</html>
`.toString()
}
