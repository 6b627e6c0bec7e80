/** Keys of the service: their uses and algorithms. */

/** `sealing`: tokens and codes that this service alone checks. `signing`: what others check by `/jwks`. */
export type KeyUse = 'sealing' | 'signing'

/** The JOSE names of algorithms (RFC 7518, RFC 8037). */
export type KeyAlgorithm = 'HS256' | 'RS256' | 'ES256' | 'EdDSA'

/** The members of a JWK that are public (RFC 7517), without `kid`, `use` and `alg`. */
export type PublicKey = Readonly<Record<string, string>>
