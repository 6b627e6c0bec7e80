/** What a client registers for OpenID Connect, by its own names (OpenID Connect Registration section 2). */
import type { JwsAlgorithm, PublicKey } from './key.ts'

export const subjectTypes = ['public', 'pairwise'] as const

/** The members of OpenID Connect; absent where the client said nothing. */
export interface ClientOpenid {
  /** Absent means `public`: every client is told the same subject of an owner. */
  readonly subject_type?: 'public' | 'pairwise'
  readonly sector_identifier_uri?: string
  readonly id_token_signed_response_alg?: JwsAlgorithm
  /** The public keys of the client, or where they are. Never both. */
  readonly jwks?: { readonly keys: readonly PublicKey[] }
  readonly jwks_uri?: string
  /** Where request objects may be fetched (OpenID Connect Core section 6.2). */
  readonly request_uris?: readonly string[]
  readonly request_object_signing_alg?: string
  readonly require_signed_request_object?: boolean
  /** How ID tokens are encrypted to the client; absent means not at all. */
  readonly id_token_encrypted_response_alg?: string
  readonly id_token_encrypted_response_enc?: string
  /** How `/userinfo` answers; absent means JSON. */
  readonly userinfo_signed_response_alg?: JwsAlgorithm
  readonly userinfo_encrypted_response_alg?: string
  readonly userinfo_encrypted_response_enc?: string
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
