/** Paths of our own pages, below whatever path the issuer has. */
import type { Settings } from '../config/settings.ts'
import type { ClientId } from '../model/ids.ts'

/** The path of `{base_url}`, without a trailing slash: '' for an issuer at the root. */
export const getBasePath = ({ settings }: { readonly settings: Settings }): string =>
  new URL(settings.issuer).pathname.replace(/\/$/, '')

/** Another picture of a client has another URL, so this one may be cached for long. Null without one. */
export const getClientLogoPath = (
  clientId: ClientId,
  version: string | null,
  parts: { readonly settings: Settings },
): string | null =>
  version === null
    ? null
    : `${getBasePath(parts)}/assets/client-logo?${new URLSearchParams({ client_id: clientId, version })}`
