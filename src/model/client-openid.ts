/** What a client registers for OpenID Connect, by its own names (OpenID Connect Registration section 2). */
import type { JwsAlgorithm } from './key.ts'

/** The members of OpenID Connect; absent where the client said nothing. */
export interface ClientOpenid {
  readonly id_token_signed_response_alg?: JwsAlgorithm
}

/** The default is that of OpenID Connect Registration section 2. */
export const idTokenAlgorithm = (openid: ClientOpenid): JwsAlgorithm =>
  openid.id_token_signed_response_alg ?? 'RS256'
