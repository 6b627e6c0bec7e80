/** Addresses of web pages as strangers name them: fit to be linked, and to stand in a page's policy. */

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
