/**
 * DPoP proofs (RFC 9449 section 4): a JWT, signed for one request with a key of its sender. Whether it came
 * before, the caller has to know.
 */
import { readClaimedHeader } from '../crypto/jose.ts'
import { isObject, type JsonObject } from '../model/json.ts'
import { isKeyFor, isSameAlgorithm, type PublicKey } from '../model/key.ts'
import { Refusal } from '../protocol/refusal.ts'

/** Of proofs; the first is the one that most clients use. */
export const dpopAlgorithms = ['ES256', 'EdDSA', 'PS256', 'RS256'] as const

export const dpopLimits = {
  proofCharacters: 8192,
  jtiCharacters: 256,
  /** Headers in memory, and the longest of them: one with an RSA key of 4,096 bits has room. */
  rememberedHeaders: 4000,
  headerCharacters: 1200,
  /** `iat` may be so long ago, or so far ahead. */
  pastSeconds: 60,
  aheadSeconds: 10,
  modulusBits: { least: 2048, most: 4096 },
  /** The same in base64url. */
  modulusCharacters: { least: 342, most: 683 },
  /** The exponent of RSA: usually `AQAB`. A long one makes each check slow. */
  exponentCharacters: 6,
} as const

/** A proof that fits its request. */
export interface DpopProof {
  /** The thumbprint of the key (RFC 7638). */
  readonly jkt: string
  readonly algorithm: string
  readonly jti: string
  readonly nonce: string | null
  /** Its `iat`, in whole seconds. */
  readonly madeAt: number
  /** Unix seconds from which on nobody takes it. */
  readonly expiresAt: number
}

/** What a proof has to be made for. */
export interface ProvenRequest {
  readonly method: string
  /** Whether `htu` is the URL of the request, in whatever spelling. */
  isTarget(htu: unknown): boolean
  /** The digest of the access token beside it, in base64url; null at endpoints that take none. */
  readonly tokenDigest: string | null
  /** Unix seconds. */
  readonly at: number
}

/** The claims of a proof that its key signed, and the thumbprint of that key (RFC 7638). */
export interface CheckedProof {
  readonly claims: JsonObject
  readonly jkt: string
}

/** What the header of a proof says. The key has the right type for the algorithm. */
export interface ProofHeader {
  readonly header: JsonObject
  readonly publicKey: PublicKey
  readonly algorithm: string
}

/** Headers of right proofs, by their text: a sender writes the same one into each. The oldest goes first. */
export const createHeaders = () => {
  const known = new Map<string, ProofHeader>()
  return {
    find: (text: string): ProofHeader | undefined => known.get(text),
    keep(text: string, header: ProofHeader): void {
      if (text.length > dpopLimits.headerCharacters) return
      // A part of a text keeps the whole of it in memory, and a copy does not.
      known.set(Buffer.from(text, 'latin1').toString('latin1'), header)
      const [oldest] = known.keys()
      if (known.size > dpopLimits.rememberedHeaders && oldest !== undefined) known.delete(oldest)
    },
  }
}

export interface ProofCheck {
  readonly headers: ReturnType<typeof createHeaders>
  /** Null where the key did not make the signature. A kept header is the same object each time. */
  check(text: string, header: ProofHeader): Promise<CheckedProof | 'no key' | null>
}

const invalidProof = (reason: string, description: string): Refusal =>
  new Refusal('invalid_dpop_proof', reason, description)

/** The refusals of right proofs at the wrong place: the guard and the service say the same. */
export const dpopRefusals = {
  replayed: (): Refusal =>
    invalidProof(
      'dpop_replayed',
      'the DPoP proof was used before: each request needs one with a jti of its own',
    ),
  otherKey: (): Refusal =>
    new Refusal(
      'invalid_token',
      'other_dpop_key',
      'the access token is bound to another key than the one of the DPoP proof',
      { scheme: 'DPoP' },
    ),
  missing: (): Refusal =>
    new Refusal(
      'invalid_token',
      'bound_token_without_proof',
      'the access token is bound to a key: send it as DPoP, with a proof in the DPoP header',
      { scheme: 'DPoP' },
    ),
  unbound: (): Refusal =>
    new Refusal(
      'invalid_token',
      'unbound_token',
      'the access token is bound to no key: send it as Bearer',
      { scheme: 'DPoP' },
    ),
} as const

/** Private members would be a key that its sender gave away. */
const publicMembers = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const

const pickPublic = (jwk: JsonObject): PublicKey =>
  Object.fromEntries(
    publicMembers.flatMap((name) => {
      const value = jwk[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/** Whether a check takes no longer than with usual keys. Senders choose their keys, and importing one checks it. */
const isCheap = ({ kty, n = '', e = '' }: PublicKey): boolean => {
  if (kty !== 'RSA') return true
  const { modulusCharacters, exponentCharacters } = dpopLimits
  const { least, most } = modulusCharacters
  return n.length >= least && n.length <= most && e.length <= exponentCharacters
}

const noKey = (): Refusal => {
  const { least, most } = dpopLimits.modulusBits
  const said = `jwk of the DPoP proof has to be a key for its alg, and RSA keys have ${least} to ${most} bits`
  return invalidProof('dpop_key', said)
}

const readHeader = (text: string): ProofHeader => {
  const header = readClaimedHeader(text) ?? {}
  const { typ, alg, jwk } = header
  if (typeof typ !== 'string' || typ.toLowerCase() !== 'dpop+jwt') {
    throw invalidProof('dpop_type', 'typ of the DPoP proof has to be dpop+jwt')
  }
  if (typeof alg !== 'string' || !dpopAlgorithms.some((known) => isSameAlgorithm(known, alg))) {
    const said = `the DPoP proof has to be signed with ${dpopAlgorithms.join(', ')}`
    throw invalidProof('dpop_algorithm', said)
  }
  if (!isObject(jwk) || privateMembers.some((name) => name in jwk)) {
    throw invalidProof('dpop_key', 'jwk of the DPoP proof has to be a public key')
  }
  const publicKey = pickPublic(jwk)
  if (!isKeyFor(publicKey, alg) || !isCheap(publicKey)) throw noKey()
  return { header, publicKey, algorithm: alg }
}

/** The claims, once the key in the header has signed them. */
const verifySignature = async (
  text: string,
  { headers, check }: ProofCheck,
): Promise<CheckedProof & { readonly algorithm: string }> => {
  if (text.length > dpopLimits.proofCharacters || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) {
    throw invalidProof('dpop_form', 'the DPoP header has to be one signed JWT')
  }
  const first = text.slice(0, text.indexOf('.'))
  const known = headers.find(first)
  const header = known ?? readHeader(text)
  const checked = await check(text, header)
  if (checked === 'no key') throw noKey()
  if (checked === null) {
    throw invalidProof('dpop_signature', 'the key in the DPoP proof did not sign it')
  }
  if (known === undefined) headers.keep(first, header)
  return { claims: checked.claims, jkt: checked.jkt, algorithm: header.algorithm }
}

const unreserved = /[A-Za-z0-9._~-]/

/** A path in one spelling (RFC 3986 section 6.2.2): no needless escapes, and hex digits in upper case. */
export const normalizePath = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (coded) => {
    const character = String.fromCharCode(Number.parseInt(coded.slice(1), 16))
    return unreserved.test(character) ? character : coded.toUpperCase()
  })

/** A URL as proofs are compared by it: without query and fragment; null for none. */
export const parseTarget = (htu: unknown): URL | null => {
  const url = typeof htu === 'string' ? URL.parse(htu) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) return null
  // Each of these parses the URL once more.
  if (url.href.includes('?')) url.search = ''
  if (url.href.includes('#')) url.hash = ''
  if (url.pathname.includes('%')) url.pathname = normalizePath(url.pathname)
  return url
}

/** A path that each router reads as one and the same: of characters of URLs, and without dot segments. */
const plainPath = /^\/(?!.*[#\\])[\x21-\x7e]*$/
const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i

export const isPlainPath = (path: string): boolean => plainPath.test(path) && !dotSegment.test(path)

/**
 * The URL that a request asks for, as `parseTarget` writes it. Null for a path that a router may take for
 * another one: a proof for `/b` would open `/a/../b`, too.
 *
 * @param target the path with its query, or the whole URL
 */
export const parseRequestTarget = (origin: string, target: string): URL | null => {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split('?')
  return isPlainPath(path) ? parseTarget(origin + path) : null
}

const checkRequest = (
  { htm, htu, ath }: JsonObject,
  { method, isTarget, tokenDigest }: ProvenRequest,
): void => {
  if (htm !== method) {
    throw invalidProof('dpop_method', 'htm of the DPoP proof has to be the method of the request')
  }
  if (!isTarget(htu)) {
    const said = 'htu of the DPoP proof has to be the URL of the request'
    throw invalidProof('dpop_target', said)
  }
  if (tokenDigest !== null && ath !== tokenDigest) {
    const said = 'ath of the DPoP proof has to be the SHA-256 digest of the access token'
    throw invalidProof('dpop_token', said)
  }
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= dpopLimits.jtiCharacters

/**
 * Reads the proof of a request. Two headers arrive joined by a comma, and so are no proof.
 *
 * @param text the value of the DPoP header
 * @throws Refusal `invalid_dpop_proof` (RFC 9449 section 4.3)
 */
export const verifyProof = async (
  text: string,
  request: ProvenRequest,
  check: ProofCheck,
): Promise<DpopProof> => {
  const { claims, jkt, algorithm } = await verifySignature(text, check)
  checkRequest(claims, request)
  const { iat, jti, nonce = null } = claims
  const { pastSeconds, aheadSeconds } = dpopLimits
  if (
    typeof iat !== 'number' ||
    !(iat >= request.at - pastSeconds && iat <= request.at + aheadSeconds)
  ) {
    const said = `iat of the DPoP proof has to be at most ${pastSeconds} s ago and ${aheadSeconds} s ahead`
    throw invalidProof('dpop_time', said)
  }
  if (!isText(jti)) {
    const said = `jti of the DPoP proof has to be text of 1 to ${dpopLimits.jtiCharacters} characters`
    throw invalidProof('dpop_id', said)
  }
  if (nonce !== null && typeof nonce !== 'string') {
    throw invalidProof('dpop_nonce_form', 'nonce of the DPoP proof has to be text')
  }
  const expiresAt = Math.ceil(iat) + pastSeconds + 1
  return { jkt, algorithm, jti, nonce, madeAt: Math.floor(iat), expiresAt }
}
