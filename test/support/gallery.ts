/** The demo's public client: what it asks for, and how it redeems a code with PKCE. */
import type { Answer, Started } from './start.ts'
import { type Changes, redeem } from './tokens.ts'

/** RFC 7636 appendix B. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const challenge = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

export const galleryCallback = 'http://127.0.0.1:6750/gallery'

/** What the demo's public client asks for. */
export const galleryRequest = {
  response_type: 'code',
  client_id: 'gallery',
  redirect_uri: galleryCallback,
  state: 'xyz',
  ...challenge,
}

/** Exchanges a code of the demo's public client. */
export const redeemPublicly = (
  service: Pick<Started, 'post'>,
  code: string,
  changes: Changes = {},
): Promise<Answer> =>
  redeem(service, code, null, {
    client_id: 'gallery',
    redirect_uri: galleryCallback,
    code_verifier: verifier,
    ...changes,
  })
