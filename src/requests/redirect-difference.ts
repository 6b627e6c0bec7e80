/** Whether a redirect URI would match a client, and where it differs otherwise. */
import type { RedirectUriFault } from '../protocol/explanation.ts'
import { redactUri } from './redact.ts'
import { applyPort, findUriFault, matchLoopback } from './redirect-uri.ts'

export type RedirectTest =
  /** `exact`: RFC 9700 section 4.1.3. `loopback`: RFC 8252 section 7.3. */
  | { readonly is: 'match'; readonly rule: 'exact' | 'loopback'; readonly registered: string }
  /** None was sent, and one is registered (RFC 6749 section 3.1.2.3). */
  | { readonly is: 'only one'; readonly registered: string }
  | { readonly is: 'missing' }
  | { readonly is: 'other client'; readonly clientId: string }
  | {
      readonly is: 'differs'
      readonly received: string
      /** The registered one that it is most like, as it would match; null without any. */
      readonly nearest: string | null
      /** How many characters are alike. */
      readonly alike: number
      readonly fault: RedirectUriFault | null
    }

/** How many characters at the beginning are the same. */
export const countCommonStart = (one: ArrayLike<string>, other: ArrayLike<string>): number => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** The one that is the same for longest, and how far; null without any. */
const findNearest = (received: string, registered: readonly string[]) =>
  registered
    .map((nearest) => ({ nearest, alike: countCommonStart(nearest, received) }))
    .sort((a, b) => b.alike - a.alike)[0] ?? { nearest: null, alike: 0 }

const testUri = (received: string, registered: readonly string[]): RedirectTest => {
  const exact = registered.find((one) => one === received)
  if (exact !== undefined) return { is: 'match', rule: 'exact', registered: exact }
  const matching = registered.find((one) => matchLoopback(one, received))
  if (matching !== undefined) return { is: 'match', rule: 'loopback', registered: matching }
  const expected = registered.map((one) => applyPort(one, received))
  const like = findNearest(received, expected)
  return { is: 'differs', received, ...like, fault: findUriFault(received) }
}

/** The parameters of an authorization request; null for any other URL. */
const requestIn = (text: string): URLSearchParams | null => {
  if (!URL.canParse(text)) return null
  const { searchParams } = new URL(text)
  const names = ['redirect_uri', 'client_id', 'response_type']
  return names.some((name) => searchParams.has(name)) ? searchParams : null
}

/** @param text a redirect URI, or the URL of a whole authorization request */
export const testRedirect = (
  text: string,
  { id, redirectUris }: { readonly id: string; readonly redirectUris: readonly string[] },
): RedirectTest => {
  const whole = testUri(text, redirectUris)
  const request = whole.is === 'match' ? null : requestIn(text)
  if (request === null) return whole
  const clientId = request.get('client_id')
  if (clientId !== null && clientId !== id) return { is: 'other client', clientId }
  const uri = request.get('redirect_uri')
  if (uri !== null && uri !== '') return testUri(uri, redirectUris)
  const [only] = redirectUris
  return redirectUris.length === 1 && only !== undefined
    ? { is: 'only one', registered: only }
    : { is: 'missing' }
}

const decodeUri = (uri: string): string => {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}

const getScheme = (uri: string): string => uri.split(':', 1)[0] ?? ''
const getHost = (uri: string): string => /^[^:]*:\/\/([^/?#]*)/.exec(uri)?.[1] ?? ''
const queryOf = (uri: string): string => /\?(.*)$/s.exec(uri)?.[1] ?? ''

const sayDifference = (given: string, uri: string): string => {
  if (given === `${uri}/`) return 'a slash too many at the end'
  if (`${given}/` === uri) return 'the slash at the end is missing'
  if (given.trim() === uri) return 'blanks around it'
  if (given.toLowerCase() === uri.toLowerCase()) return 'upper and lower case'
  if (decodeUri(given) === decodeUri(uri)) return 'the percent-encoding'
  if (decodeUri(given) === uri) return 'it is percent-encoded twice'
  if (given.includes('#')) return 'it has a fragment'
  if (given.slice(getScheme(given).length) === uri.slice(getScheme(uri).length)) {
    return `the scheme ${redactUri(`${getScheme(given)}:`)} in place of ${getScheme(uri)}:`
  }
  if (getHost(given) !== getHost(uri)) return 'another host or port'
  if (given.split('?')[0] === uri.split('?')[0]) {
    return queryOf(uri) === '' ? 'a query too many' : 'another query'
  }
  if (given.startsWith(uri)) return 'something too much at the end'
  return uri.startsWith(given) ? 'its end is missing' : 'another path'
}

/**
 * The difference, and its place.
 *
 * @returns null where it is one of the registered ones, or there are none
 */
export const describeDifference = (given: string, registered: readonly string[]): string | null => {
  const { nearest, alike } = findNearest(given, registered)
  if (nearest === null || registered.includes(given)) return null
  return `differs from the registered one at character ${alike + 1}: ${sayDifference(given, nearest)}`
}
