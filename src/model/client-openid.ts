/** What a client registers for OpenID Connect, by its own names (OpenID Connect Registration section 2). */
import type { JwsAlgorithm } from './key.ts'

export const subjectTypes = ['public', 'pairwise'] as const

/** The members of OpenID Connect; absent where the client said nothing. */
export interface ClientOpenid {
  /** Absent means `public`: every client is told the same subject of an owner. */
  readonly subject_type?: 'public' | 'pairwise'
  readonly sector_identifier_uri?: string
  readonly id_token_signed_response_alg?: JwsAlgorithm
  /** Where the browser may go after a logout (RP-Initiated Logout section 3.1). */
  readonly post_logout_redirect_uris?: readonly string[]
  /** Takes logout tokens (Back-Channel Logout section 2.2). */
  readonly backchannel_logout_uri?: string
  readonly backchannel_logout_session_required?: boolean
  /** Shown in a frame after a logout (Front-Channel Logout section 2). */
  readonly frontchannel_logout_uri?: string
  readonly frontchannel_logout_session_required?: boolean
  /** For requests without `max_age`. */
  readonly default_max_age?: number
  /** Every ID token has `auth_time`. */
  readonly require_auth_time?: boolean
  /** For requests without `acr_values`, the preferred first. */
  readonly default_acr_values?: readonly string[]
}

/** The default is that of OpenID Connect Registration section 2. */
export const idTokenAlgorithm = (openid: ClientOpenid): JwsAlgorithm =>
  openid.id_token_signed_response_alg ?? 'RS256'
