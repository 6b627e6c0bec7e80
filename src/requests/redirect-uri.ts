/** Redirect URIs: compared as text (RFC 9700 section 4.1.3), the port of a loopback one left out. */
import { hostToldCharacters } from '../model/requester.ts'
import type { RedirectUriFault } from '../protocol/explanation.ts'
import { requestLimits } from './limits.ts'

/** Schemes that browsers or systems handle themselves: no application receives the answer. */
const refusedSchemes: readonly string[] = [
  // Scripts and documents, which would run or show the answer.
  ...['javascript', 'vbscript', 'livescript', 'jscript', 'mocha', 'data', 'blob', 'about'],
  ...['file', 'filesystem', 'view-source', 'jar', 'resource', 'cid', 'mid', 'mhtml', 'feed'],
  // Pages of browsers and their extensions.
  ...['chrome', 'chrome-extension', 'chrome-untrusted', 'devtools', 'edge', 'moz-extension'],
  ...['safari-extension', 'safari-web-extension', 'view', 'wyciwyg', 'content', 'intent'],
  // Protocols of networks.
  ...['ws', 'wss', 'ftp', 'ftps', 'sftp', 'gopher', 'ldap', 'ldaps', 'smb', 'ssh', 'telnet'],
  ...['mailto', 'tel', 'sms', 'urn', 'tag', 'news', 'nntp', 'irc', 'magnet'],
  // Commands of operating systems.
  ...['shell', 'search', 'search-ms', 'ms-msdt', 'ms-appinstaller', 'ms-officecmd', 'ms-settings'],
  ...['ms-its', 'its', 'mk', 'hcp', 'res', 'x-apple.systempreferences', 'itms-services'],
]

/** `localhost:3000/cb` is a host without its scheme. */
const hostNames: readonly string[] = ['localhost']

/** Whether a scheme may be an application's own (RFC 8252 section 7.1). @param scheme in lower case, without its colon */
const isPrivateUse = (scheme: string): boolean =>
  /^[a-z][a-z0-9+.-]*[a-z0-9]$/.test(scheme) &&
  scheme !== 'https' &&
  scheme !== 'http' &&
  !refusedSchemes.includes(scheme) &&
  !hostNames.includes(scheme)

/** RFC 8252 section 7.3: a native application takes whatever port is free. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?([/?][^#]*)?$/

const parseLoopback = (uri: string) => {
  const [matched, host = '', port = null, rest = ''] = loopback.exec(uri) ?? []
  if (matched === undefined || Number(port) > 65535) return null
  return { host, port, rest: rest === '' ? '/' : rest }
}

/** Whether a redirect URI is on the owner's own computer. */
export const isLoopbackUri = (uri: string): boolean => parseLoopback(uri) !== null

/** Whether both are on loopback, and differ at most in their port. */
export const matchLoopback = (registered: string, given: string): boolean => {
  const [a, b] = [parseLoopback(registered), parseLoopback(given)]
  return a !== null && b !== null && a.host === b.host && a.rest === b.rest
}

/** A registered redirect URI as it would match: a loopback one at the port of the one that was given. */
export const applyPort = (registered: string, given: string): string => {
  const [ours, theirs] = [parseLoopback(registered), parseLoopback(given)]
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
  badScheme: 'has a scheme that is neither https nor private to an application',
  noSlash: 'has no slash after its scheme',
  answerParameter: 'has a parameter of the answer in its query, such as code or state',
}

/** Parameters of an answer: a client could take one of its own URI for ours. */
const ofAnswers = ['code', 'state', 'iss', 'error', 'response', 'id_token']

/**
 * The fault of a redirect URI for registration, or null. Allowed are https, http on loopback, and the
 * private-use schemes of native applications (RFC 8252 section 7.1).
 */
export const findUriFault = (uri: string): RedirectUriFault | null => {
  if (uri.length > requestLimits.redirectUriCharacters) return 'tooLong'
  if (uri.includes('#')) return 'fragment'
  if (!uriCharacters.test(uri)) return 'badCharacter'
  if (!URL.canParse(uri)) return 'notAbsolute'
  const { protocol, username, password, searchParams } = new URL(uri)
  if (username !== '' || password !== '') return 'userName'
  if (ofAnswers.some((name) => searchParams.has(name))) return 'answerParameter'
  if (protocol === 'https:') {
    return httpsUri.test(uri) ? null : 'notHttpsForm'
  }
  if (protocol === 'http:') {
    return parseLoopback(uri) === null ? 'notLoopback' : null
  }
  if (!isPrivateUse(protocol.slice(0, -1))) return 'badScheme'
  // Otherwise `app.example:3000/cb`, a host without its scheme, would be a scheme.
  return uri[protocol.length] === '/' ? null : 'noSlash'
}

/**
 * A redirect URI as an error may quote it: cut, without user information and query, and without any
 * character that `error_description` forbids (RFC 6749 section 5.2).
 */
export const quoteUri = (uri: string): string => {
  const [place = ''] = uri.split(/[?#]/, 1)
  const bare = place.replace(/:.*@/, ':...@')
  const cut = bare.slice(0, hostToldCharacters)
  const isWhole = cut.length === uri.length
  return `'${cut.replace(/[^\x20\x21\x23-\x26\x28-\x5b\x5d-\x7e]/g, '?')}${isWhole || bare !== place ? '' : '...'}'`
}
