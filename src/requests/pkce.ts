/** Proof key for code exchange (RFC 7636), S256 only. */
import { hashText } from '../crypto/digest.ts'
import type { Digest } from '../model/ids.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { invalidRequest } from '../protocol/refusal.ts'

/**
 * The challenge of an authorization request, or null where there is none and none is needed.
 *
 * @throws Refusal `invalid_request`
 */
export const parseChallenge = (parameters: Parameters, required: boolean): Digest | null => {
  const challenge = parameters.find('code_challenge')
  const method = parameters.find('code_challenge_method')
  if (challenge === null) {
    if (method !== null) {
      throw invalidRequest('missing_code_challenge', 'parameter code_challenge is missing')
    }
    if (!required) return null
    throw invalidRequest(
      'missing_code_challenge',
      'parameter code_challenge is missing: a public client has to use PKCE',
    )
  }
  // An absent method means plain (RFC 7636 section 4.3), which protects nothing on the way here.
  if (method !== 'S256') {
    throw invalidRequest('bad_code_challenge_method', 'code_challenge_method has to be S256')
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    const said = 'code_challenge has to be 43 characters of base64url'
    throw invalidRequest('bad_code_challenge', said)
  }
  // Of the 256 bits of SHA-256 the last character holds only four.
  if (/[AEIMQUYcgkosw048]$/.test(challenge)) return challenge as Digest
  const said =
    'code_challenge has to be 43 characters of base64url, and the last is one of AEIMQUYcgkosw048, as of each SHA-256 digest'
  throw invalidRequest('bad_code_challenge', said)
}

/** The S256 challenge of a verifier; null where the verifier is malformed (RFC 7636 section 4.1). */
export const hashVerifier = (verifier: string): Digest | null =>
  /^[A-Za-z0-9\-._~]{43,128}$/.test(verifier) ? hashText(verifier) : null
