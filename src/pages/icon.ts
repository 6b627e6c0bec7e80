/** The key: beside the name on every page, and as an icon of its own. */
import { html, type Markup } from './markup.ts'

const path = html`<path fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" d="M12.2 11.8 20 4m-2.5 2.5 2.7 2.7m-5.4 0 1.7 1.7M13 15.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Z"/>`

/** In the colour of the text beside it. */
export const keyMark: Markup = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">${path}</svg>`

/** A picture that stands alone, in a tab or a list of bookmarks; the colours are `#rrggbb`. */
export const renderIcon = ({ light, dark }: { readonly light: string; readonly dark: string }) =>
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="2 2 20 20"><style>svg{color:${light}}@media(prefers-color-scheme:dark){svg{color:${dark}}}</style>${path}</svg>`.toString()
