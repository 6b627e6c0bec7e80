/** Keys of the service and of clients: their uses and algorithms (RFC 7518, RFC 8037). */

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

/** Of the request objects of clients. None of them is symmetric, and `none` is no signature. */
export const requestObjectAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as const

/** How the key of the content is encrypted. RSA1_5 is missing: it leaks through its errors (RFC 8725 section 3.2). */
export const keyEncryptions = [
  'RSA-OAEP',
  'RSA-OAEP-256',
  'ECDH-ES',
  'ECDH-ES+A128KW',
  'ECDH-ES+A256KW',
] as const

/** How the content is encrypted; the default of OpenID Connect first. */
export const contentEncryptions = ['A128CBC-HS256', 'A256CBC-HS512', 'A128GCM', 'A256GCM'] as const

const ecdh = ['EC P-256', 'EC P-384', 'EC P-521', 'OKP X25519']
const ed25519 = ['OKP Ed25519']
const rsa = ['RSA']

/** The types of key that fit, each with its curve. */
const needed: Readonly<Record<string, readonly string[]>> = {
  RS256: rsa,
  PS256: rsa,
  ES256: ['EC P-256'],
  EdDSA: ed25519,
  Ed25519: ed25519,
  'RSA-OAEP': rsa,
  'RSA-OAEP-256': rsa,
  'ECDH-ES': ecdh,
  'ECDH-ES+A128KW': ecdh,
  'ECDH-ES+A256KW': ecdh,
}

/** Whether a key can be used with an algorithm: its type and curve decide, not what it says of itself. */
export const isKeyFor = (
  { kty = '', crv }: Readonly<Record<string, string>>,
  algorithm: string,
): boolean =>
  Object.hasOwn(needed, algorithm) &&
  needed[algorithm]?.includes(kty === 'RSA' ? kty : `${kty} ${crv}`) === true
