/** Keys of the service and of clients: their uses and algorithms (RFC 7518, RFC 8037, RFC 9964). */

/** `sealing`: tokens and codes that this service alone checks. `signing`: what others check by `/jwks`. */
export type KeyUse = 'sealing' | 'signing'

/**
 * The signature algorithms, by their names in the header of a JWS. `key`: the type of key that fits, with
 * its curve or parameter set. `own`: the algorithm of the service's key for such signatures; null for
 * none. `half`: the hash for `at_hash` and `c_hash` of an ID token.
 */
const signatures = {
  // RFC 7518 section 3.1. RS256 is the default of OpenID Connect.
  RS256: { key: 'RSA', own: 'RS256', half: 'sha256' },
  PS256: { key: 'RSA', own: null, half: 'sha256' },
  ES256: { key: 'EC P-256', own: 'ES256', half: 'sha256' },
  // RFC 8037 section 3.1. `Ed25519` is the newer name with that curve (RFC 9864 section 2.2).
  EdDSA: { key: 'OKP Ed25519', own: 'EdDSA', half: 'sha512' },
  Ed25519: { key: 'OKP Ed25519', own: 'EdDSA', half: 'sha512' },
  // RFC 9964. The hash is the choice of the OpenID Connect working group.
  'ML-DSA-44': { key: 'AKP ML-DSA-44', own: 'ML-DSA-44', half: 'shake256' },
  'ML-DSA-65': { key: 'AKP ML-DSA-65', own: 'ML-DSA-65', half: 'shake256' },
  'ML-DSA-87': { key: 'AKP ML-DSA-87', own: 'ML-DSA-87', half: 'shake256' },
} as const

type Signatures = typeof signatures

/** The name of a signature algorithm, whoever signs. None is symmetric, and `none` is no signature. */
type SignatureAlgorithm = keyof Signatures

/** The algorithm of a signing key of the service. */
export type SigningAlgorithm = NonNullable<Signatures[SignatureAlgorithm]['own']>

/** The name of an algorithm by which the service signs, in a registration and in the header of a JWS. */
export type JwsAlgorithm = Extract<
  { [Name in SignatureAlgorithm]: [Name, Signatures[Name]['own']] }[SignatureAlgorithm],
  readonly [SignatureAlgorithm, SigningAlgorithm]
>[0]

/** The JOSE names of the algorithms of the service's keys. */
export type KeyAlgorithm = 'HS256' | SigningAlgorithm

const names = Object.keys(signatures) as readonly SignatureAlgorithm[]

/** The algorithms of signatures by others: of clients, and of upstreams. */
export const signatureAlgorithms = names

/** The algorithms by which the service signs, the default of OpenID Connect first. */
export const jwsAlgorithms = names.filter(
  (name): name is JwsAlgorithm => signatures[name].own !== null,
)

/** The algorithm of the key that makes a signature. */
export const getKeyAlgorithm = (name: JwsAlgorithm): SigningAlgorithm => signatures[name].own

/** The algorithms of the service's keys. */
export const signingAlgorithms: readonly SigningAlgorithm[] = [
  ...new Set(jwsAlgorithms.map(getKeyAlgorithm)),
]

/** The names of what a key of the service signs. */
export const listSignatureNames = (algorithm: SigningAlgorithm): readonly JwsAlgorithm[] =>
  jwsAlgorithms.filter((name) => getKeyAlgorithm(name) === algorithm)

/** The hash for `at_hash` and `c_hash` (OpenID Connect Core section 3.1.3.6). */
export const getHalfHash = (name: JwsAlgorithm): Signatures[JwsAlgorithm]['half'] =>
  signatures[name].half

/** The members of a JWK that are public (RFC 7517), without `kid`, `use` and `alg`. */
export type PublicKey = Readonly<Record<string, string>>

/** Of the assertions under the secret of a client. The algorithms that hash more are no safer, and nobody needs them. */
export const secretAssertionAlgorithm = 'HS256'

/** A public key of a client, with the certificates for it (RFC 7517 section 4.7). */
export type ClientKey = Readonly<
  Partial<Record<'kty' | 'kid' | 'use' | 'alg' | 'n' | 'e' | 'crv' | 'x' | 'y' | 'pub', string>>
> & { readonly x5c?: readonly string[] }

const rsaEncryptions = ['RSA-OAEP', 'RSA-OAEP-256', 'RSA-OAEP-384', 'RSA-OAEP-512'] as const
const ecdhEncryptions = ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW'] as const

/** How the key of the content is encrypted. RSA1_5 is missing: it leaks through its errors (RFC 8725 section 3.2). */
export const keyEncryptions = [...rsaEncryptions, ...ecdhEncryptions] as const

/** How the content is encrypted; the default of OpenID Connect first. */
export const contentEncryptions = ['A128CBC-HS256', 'A256CBC-HS512', 'A128GCM', 'A256GCM'] as const

const ecdh = ['EC P-256', 'EC P-384', 'EC P-521', 'OKP X25519']

/** The types of key that fit, each with its curve or parameter set. */
const needed: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(names.map((name) => [name, [signatures[name].key]])),
  ...Object.fromEntries(rsaEncryptions.map((name) => [name, ['RSA']])),
  ...Object.fromEntries(ecdhEncryptions.map((name) => [name, ecdh])),
}

type KeyTypeMembers = Pick<ClientKey, 'kty' | 'crv' | 'alg'>

/** The type of a key, as the table above has it. `alg` of an `AKP` key is no wish: it says what the key is. */
const getKeyType = ({ kty = '', crv, alg }: KeyTypeMembers): string => {
  if (kty === 'RSA') return kty
  return `${kty} ${kty === 'AKP' ? alg : crv}`
}

/** Whether a key can be used with an algorithm: its type and curve decide, not what it says of itself. */
export const isKeyFor = (key: KeyTypeMembers, algorithm: string): boolean =>
  Object.hasOwn(needed, algorithm) && needed[algorithm]?.includes(getKeyType(key)) === true

/** Libraries write `Ed25519` where a registration or a key says `EdDSA`, and the other way round. */
export const isSameAlgorithm = (a: string, b: string): boolean =>
  a === b || [a, b].every((name) => name === 'EdDSA' || name === 'Ed25519')

/** Whether a key can be used with any algorithm. */
export const isKeyKnown = (key: KeyTypeMembers): boolean =>
  Object.keys(needed).some((algorithm) => isKeyFor(key, algorithm))
