/** Hosts of URLs, and what follows for clients: their sectors (OpenID Connect Core section 8). */
import type { Client } from './client.ts'

/** The host of an https URI; null for a URI on the machine of its user. */
export const findWebHost = (uri: string): string | null =>
  /^https:/i.test(uri) && URL.canParse(uri) ? new URL(uri).hostname : null

/** Clients of one sector share their pairwise subjects. */
export type Sectored = Pick<Client, 'id' | 'redirectUris' | 'openid'>

/**
 * The sector of a client. An application on the machine of its user proves no host, so it is a sector
 * of its own.
 */
export const getSector = ({ id, redirectUris, openid }: Sectored): string => {
  const { sector_identifier_uri: uri } = openid
  if (uri !== undefined) return `host ${new URL(uri).hostname}`
  const [host = null] = redirectUris.map(findWebHost)
  return host === null ? `client ${id}` : `host ${host}`
}

export const isPairwise = ({ openid }: Pick<Client, 'openid'>): boolean =>
  openid.subject_type === 'pairwise'

/** A host without the brackets that a URL puts around an IPv6 address (RFC 3986 section 3.2.2). */
export const stripBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')
