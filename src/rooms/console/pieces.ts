/** Pieces that several pages of the console share. */
import { type Content, html, type Markup } from '../../paper/markup.ts'

export const ownerPath = (id: string): `/admin/owners/${string}` =>
  `/admin/owners/${encodeURIComponent(id)}`

export const clientPath = (id: string, rest = ''): `/admin/clients/${string}` =>
  `/admin/clients/${encodeURIComponent(id)}${rest}`

export const resourcePath = (name: string, rest = ''): `/admin/resources/${string}` =>
  `/admin/resources/${encodeURIComponent(name)}${rest}`

/** Nothing where there is no value. */
export const renderFact = (name: Content, value: Content): Markup | null =>
  value === null || value === '' ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>`
