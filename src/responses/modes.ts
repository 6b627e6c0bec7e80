/**
 * How an authorization response gets to the client: by redirect (RFC 6749 sections 4.1.2 and 4.2.2), or
 * by a page that posts itself (OAuth 2.0 Form Post Response Mode).
 */
import type { Settings } from '../config/settings.ts'
import { type Refusal, tellRefusal } from '../protocol/refusal.ts'
import type { Target } from '../requests/authorization-request.ts'

type ResponseParameters = Readonly<Record<string, string>>

/** How a response leaves. A further way is one more member, and the compiler names what lacks it. */
export type AuthorizationResponse =
  | { readonly by: 'redirect'; readonly location: string }
  | { readonly by: 'form'; readonly action: string; readonly fields: ResponseParameters }

const encodeQuery = (parameters: ResponseParameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/**
 * The response with the client's `state` and our `iss` (RFC 9207). A query that the registered URI has
 * stays as it is.
 */
export const makeResponse = (
  { redirectUri, mode, state }: Target,
  parameters: ResponseParameters,
  issuer: string,
): AuthorizationResponse => {
  const fields = { ...parameters, ...(state === null ? {} : { state }), iss: issuer }
  switch (mode) {
    case 'query': {
      const separator = redirectUri.includes('?') ? '&' : '?'
      return { by: 'redirect', location: `${redirectUri}${separator}${encodeQuery(fields)}` }
    }
    case 'fragment':
      return { by: 'redirect', location: `${redirectUri}#${encodeQuery(fields)}` }
    case 'form_post':
      return { by: 'form', action: redirectUri, fields }
  }
}

/**
 * The response that carries a refusal (RFC 6749 sections 4.1.2.1 and 4.2.2.1). Clients ignore what they
 * do not know of it.
 */
export const carryRefusal = (
  target: Target,
  refusal: Refusal,
  reference: string,
  { issuer, errorUri }: Pick<Settings, 'issuer' | 'errorUri'>,
): AuthorizationResponse => makeResponse(target, tellRefusal(refusal, errorUri, reference), issuer)
