/** Redirect URIs: compared as text (RFC 9700 section 4.1.3), the port of a loopback one left out. */
import { limits } from '../config/limits.ts'
import type { RedirectUriFault } from '../protocol/explanation.ts'

/** RFC 8252 section 7.3: a native application takes whatever port is free. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?([/?][^#]*)?$/

interface Loopback {
  readonly host: string
  readonly port: string | null
  readonly rest: string
}

const loopbackParts = (uri: string): Loopback | null => {
  const [matched, host = '', port = null, rest = ''] = loopback.exec(uri) ?? []
  if (matched === undefined || Number(port) > 65535) return null
  return { host, port, rest: rest === '' ? '/' : rest }
}

/** Whether a given redirect URI is this registered one. */
export const matchesRedirectUri = (registered: string, given: string): boolean => {
  if (registered === given) return true
  const [a, b] = [loopbackParts(registered), loopbackParts(given)]
  return a !== null && b !== null && a.host === b.host && a.rest === b.rest
}

/** A registered redirect URI as it would match: a loopback one at the port of the one that was given. */
export const expectedFor = (registered: string, given: string): string => {
  const [ours, theirs] = [loopbackParts(registered), loopbackParts(given)]
  if (ours === null || theirs === null) return registered
  return `http://${ours.host}${theirs.port === null ? '' : `:${theirs.port}`}${ours.rest}`
}

/** Printable ASCII without quotes, brackets, backslash or `*`: nothing that two parsers read differently. */
const uriCharacters = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/

/** With both slashes and no `@`: as every parser reads it, whatever page it is followed from. */
const httpsUri = /^https:\/\/[^/?@]+(?:[/?]|$)/

/** The fault of a redirect URI, as its registrar reads it, in English. */
export const redirectUriFaults: Readonly<Record<RedirectUriFault, string>> = {
  tooLong: 'is too long',
  fragment: 'has a fragment',
  badCharacter: 'holds a character that no redirect URI may have',
  notAbsolute: 'is not an absolute URI',
  userName: 'has a user name in it',
  notHttpsForm: 'is not of the form https://host/path',
  notLoopback: 'is http but not on a loopback address',
  badScheme: 'has a scheme that is neither https nor one in reverse-domain form',
}

/**
 * The fault of a redirect URI for registration, or null. Schemes are on an allow-list: https, http
 * on loopback, and reverse-domain names for native applications (RFC 8252 section 7.1). So no
 * script or data scheme comes through.
 */
export const redirectUriFault = (uri: string): RedirectUriFault | null => {
  if (uri.length > limits.redirectUriCharacters) return 'tooLong'
  if (uri.includes('#')) return 'fragment'
  if (!uriCharacters.test(uri)) return 'badCharacter'
  if (!URL.canParse(uri)) return 'notAbsolute'
  const { protocol, username, password } = new URL(uri)
  if (username !== '' || password !== '') return 'userName'
  if (protocol === 'https:') {
    return httpsUri.test(uri) ? null : 'notHttpsForm'
  }
  if (protocol === 'http:') {
    return loopbackParts(uri) === null ? 'notLoopback' : null
  }
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol) ? null : 'badScheme'
}

/**
 * The target of a redirect for people: the host, or the scheme of a native application. The rest
 * after such a scheme means whatever the application likes.
 */
export const redirectTarget = (uri: string): string => {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1)
}
