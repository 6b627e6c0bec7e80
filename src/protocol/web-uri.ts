/** Addresses of web pages as strangers name them: fit to be linked, and to stand in a page's policy. */
import type { Client } from '../model/client.ts'
import { shortenPlace } from '../model/plain/line.ts'

/**
 * The URL standard lets a host hold `;`, `,` or a quote. These separate the directives of a policy
 * (Content Security Policy Level 3, section 2.2.1). No host in DNS has any.
 */
const host = /^[a-z0-9.:[\]-]+$/i

/** The URL where a browser would take it for a web page, else null: never `javascript:` or `data:`. */
export const parseWebUri = (text: string): URL | null => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return host.test(url.host) ? url : null
}

/** The URI in its normal form, fit for a link: null for `javascript:`, `data:` and all that is no web page. */
export const findWebUri = (uri: string | null | undefined): string | null =>
  (uri && parseWebUri(uri)?.href) || null

/** The address of a client's picture (`logo_uri`, RFC 7591 section 2). Null if none is to be shown. */
export const findLogoUri = ({
  registeredBy,
  display,
  document,
}: Pick<Client, 'registeredBy' | 'display' | 'document'>): string | null =>
  (registeredBy === 'operator' || document !== undefined) && display.logo_uri !== undefined
    ? findWebUri(display.logo_uri)
    : null

/** All that is said of a web page that nobody has checked: a path can be as long as it likes, and say anything. */
export const formatHost = (uri: string | null | undefined): string | null => {
  const host = uri && parseWebUri(uri)?.host
  return host ? shortenPlace(host) : null
}
