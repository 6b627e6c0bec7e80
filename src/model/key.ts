/** Keys of the service: their uses and algorithms. */

/** `sealing`: tokens and codes that this service alone checks. `signing`: what others check by `/jwks`. */
export type KeyUse = 'sealing' | 'signing'

/** The JOSE names of algorithms (RFC 7518, RFC 8037). */
export type KeyAlgorithm = 'HS256' | SigningAlgorithm

/** The algorithm of a signing key. */
export type SigningAlgorithm = 'RS256' | 'ES256' | 'EdDSA'

/**
 * The names in the header of a JWS, the default of OpenID Connect first. `Ed25519` is the newer name of
 * `EdDSA` with that curve (RFC 9864 section 2.2).
 */
export const jwsAlgorithms = ['RS256', 'ES256', 'EdDSA', 'Ed25519'] as const

/** The name of a signature algorithm in a registration and in the header of a JWS. */
export type JwsAlgorithm = (typeof jwsAlgorithms)[number]

/** The members of a JWK that are public (RFC 7517), without `kid`, `use` and `alg`. */
export type PublicKey = Readonly<Record<string, string>>
