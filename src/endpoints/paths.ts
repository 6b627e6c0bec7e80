/** Paths of our own pages, below whatever path the issuer has. */
import type { Parts } from '../parts.ts'

/** The path of `{base_url}`, without a trailing slash: '' for an issuer at the root. */
export const basePath = ({ settings }: Pick<Parts, 'settings'>): string =>
  new URL(settings.issuer).pathname.replace(/\/$/, '')
