/** Paths of our own pages, below whatever path the issuer has. */
import type { ClientLogo } from '../../model/client-logo.ts'
import type { Parts } from '../../parts.ts'

/** The path of `{base_url}`, without a trailing slash: '' for an issuer at the root. */
export const basePath = ({ settings }: Pick<Parts, 'settings'>): string =>
  new URL(settings.issuer).pathname.replace(/\/$/, '')

/** Another picture of a client has another URL, so this one may be cached for long. */
export const clientLogoPath = (
  { clientId, version }: ClientLogo,
  parts: Pick<Parts, 'settings'>,
): string =>
  `${basePath(parts)}/assets/client-logo?${new URLSearchParams({ client_id: clientId, version })}`
