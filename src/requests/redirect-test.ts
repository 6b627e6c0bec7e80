/** Tells whether a redirect URI would match a client, and where it differs otherwise. */
import type { RedirectUriFault } from '../protocol/explanation.ts'
import { expectedFor, matchesRedirectUri, redirectUriFault } from './redirect-uri.ts'

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

const alikeIn = (a: string, b: string): number => {
  let index = 0
  while (index < a.length && index < b.length && a[index] === b[index]) index++
  return index
}

const testUri = (received: string, registered: readonly string[]): RedirectTest => {
  const exact = registered.find((one) => one === received)
  if (exact !== undefined) return { is: 'match', rule: 'exact', registered: exact }
  const matching = registered.find((one) => matchesRedirectUri(one, received))
  if (matching !== undefined) return { is: 'match', rule: 'loopback', registered: matching }
  const like = registered
    .map((one) => expectedFor(one, received))
    .map((nearest) => ({ nearest, alike: alikeIn(nearest, received) }))
    .sort((a, b) => b.alike - a.alike)[0] ?? { nearest: null, alike: 0 }
  return { is: 'differs', received, ...like, fault: redirectUriFault(received) }
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
