/** Paths of our own pages, below whatever path the issuer has. */
import type { ClientId } from '../model/ids.ts'
import type { ServiceParts } from '../registries.ts'

/** The path of `{base_url}`, without a trailing slash: '' for an issuer at the root. */
export const basePath = ({ settings }: Pick<ServiceParts, 'settings'>): string =>
  new URL(settings.issuer).pathname.replace(/\/$/, '')

/** Another picture of a client has another URL, so this one may be cached for long. Null without one. */
export const clientLogoPath = (
  clientId: ClientId,
  version: string | null,
  parts: Pick<ServiceParts, 'settings'>,
): string | null =>
  version === null
    ? null
    : `${basePath(parts)}/assets/client-logo?${new URLSearchParams({ client_id: clientId, version })}`
