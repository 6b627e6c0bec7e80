/** The key: beside the name on every page, and as an icon of its own. */
import { html, type Markup } from './markup.ts'

const path = html`<path fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" d="M12.2 11.8 20 4m-2.5 2.5 2.7 2.7m-5.4 0 1.7 1.7M13 15.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Z"/>`

/** In the colour of the text beside it. */
export const keyMark: Markup = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">${path}</svg>`

const drawings = {
  on: 'm9 6 6 6-6 6',
  back: 'm15 6-6 6 6 6',
  bin: 'M4 7h16M9 7V4h6v3m-8 0 1 13h8l1-13',
  warning: 'M12 4 2.8 19.5h18.4L12 4Zm0 6v4m0 3v.01',
  check: 'm5 12.5 4.5 4.5L19 7.5',
} as const

/** Such icons point along the line, so pages from right to left mirror them. */
const turning: readonly string[] = ['on', 'back']

/** Beside a word that says the same, in its colour. */
export const drawIcon = (name: keyof typeof drawings): Markup =>
  html`<svg class="icon${turning.includes(name) ? ' turns' : ''}" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" d="${drawings[name]}"/></svg>`

/** A picture that stands alone, in a tab or a list of bookmarks; the colours are `#rrggbb`. */
export const renderIcon = ({ light, dark }: { readonly light: string; readonly dark: string }) =>
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="2 2 20 20"><style>svg{color:${light}}@media(prefers-color-scheme:dark){svg{color:${dark}}}</style>${path}</svg>`.toString()
