/** The way back to the client: parameters added to its redirect URI (RFC 6749 sections 4.1.2 and 4.2.2). */
import type { Settings } from '../config/settings.ts'
import { type Refusal, toldOf } from '../protocol/refusal.ts'
import type { Target } from '../requests/authorization-request.ts'

const encoded = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/**
 * The URL that carries an answer, with the client's `state` and our `iss` (RFC 9207). A query that
 * the registered URI has stays as it is.
 */
export const responseLocation = (
  { redirectUri, mode, state }: Target,
  parameters: Readonly<Record<string, string>>,
  issuer: string,
): string => {
  const answer = encoded({ ...parameters, ...(state === null ? {} : { state }), iss: issuer })
  if (mode === 'fragment') return `${redirectUri}#${answer}`
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${answer}`
}

/** The URL that carries a refusal (RFC 6749 sections 4.1.2.1 and 4.2.2.1). */
export const refusalLocation = (
  target: Target,
  refusal: Refusal,
  { issuer, errorUri }: Pick<Settings, 'issuer' | 'errorUri'>,
): string => responseLocation(target, toldOf(refusal, errorUri), issuer)
