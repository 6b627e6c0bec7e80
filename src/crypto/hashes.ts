/** The algorithms of password hashes that come from elsewhere. A new one is one row. */
import {
  createCipheriv,
  hash as digestOf,
  pbkdf2,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { verify as verifyArgon2 } from '@node-rs/argon2'
import { type PhcHash, parsePhc } from './phc.ts'

/** A hash from elsewhere must not be able to keep the service busy. */
const hashLimits = {
  /** Upper bounds for one hash: about a second of one core, and 128 MiB. */
  cost: {
    bcryptRounds: 14,
    pbkdf2Iterations: 2_500_000,
    memoryBytes: 128 * 1024 * 1024,
    /** Argon2: bytes of memory times passes. */
    argon2Bytes: 1024 * 1024 * 1024,
    argon2Lanes: 16,
    /** Scrypt: N times r times p. */
    scryptBlocks: 2 ** 21,
  },
  /** A hash, and the salt in it. */
  hashBytes: { least: 16, most: 128 },
  saltBytes: 512,
} as const

const incomplete = 'it is not complete'

const hasOthers = (others: object): boolean => Object.keys(others).length > 0

/** One algorithm. A text of it may be verified only if it has no problem. */
interface HashAlgorithm {
  readonly form: RegExp
  /** In words for the operator; null = verifying has a bearable cost. */
  problem(stored: string): string | null
  /** Off the main thread. */
  verify(stored: string, password: string): Promise<boolean>
}

/** An algorithm whose texts are PHC strings. */
const makeAlgorithm = (
  form: RegExp,
  findProblem: (phc: PhcHash) => string | null,
  verify: (phc: PhcHash, password: string, stored: string) => Promise<boolean>,
): HashAlgorithm => ({
  form,
  problem(stored) {
    const parsed = parsePhc(stored)
    return parsed === null ? incomplete : findProblem(parsed)
  },
  async verify(stored, password) {
    const parsed = parsePhc(stored)
    return parsed !== null && (await verify(parsed, password, stored))
  },
})

/** Argon2 (RFC 9106) with any cost and of any type: `$argon2i$v=19$m=4096,t=3,p=1$salt$hash`. */
const argon2 = makeAlgorithm(
  /^\$argon2(?:i|d|id)\$/,
  ({ version, parameters, salt }) => {
    const { m = 0, t = 0, p = 0, ...others } = parameters
    const isForm = (version === 16 || version === 19) && !hasOthers(others)
    const isPossible = p >= 1 && t >= 1 && m >= 8 * p && salt.length >= 8 && salt.length <= 48
    if (!isForm || !isPossible) return incomplete
    const { memoryBytes, argon2Bytes, argon2Lanes } = hashLimits.cost
    const bytes = m * 1024
    const isCheap = bytes <= memoryBytes && bytes * t <= argon2Bytes && p <= argon2Lanes
    return isCheap ? null : `its cost (m=${m},t=${t},p=${p}) is too high`
  },
  (_phc, password, stored) => verifyArgon2(stored, password),
)

const bcryptForm = /^(\$django-bcrypt-sha256)?(\$2b\$(\d\d)\$[./A-Za-z0-9]{53})$/

/**
 * Bcrypt: `$2b$10$` and 53 characters of salt and hash. Django hashes the hexadecimal SHA-256 of the
 * password instead: `$django-bcrypt-sha256$2b$12$`.
 */
const bcrypt: HashAlgorithm = {
  form: /^(?:\$django-bcrypt-sha256)?\$2b\$/,
  problem(stored) {
    const rounds = Number(bcryptForm.exec(stored)?.[3] ?? 0)
    if (rounds < 4) return incomplete
    const most = hashLimits.cost.bcryptRounds
    return rounds > most ? `its cost is ${rounds}, and ${most} is the most` : null
  },
  async verify(stored, password) {
    const [, django, hash] = bcryptForm.exec(stored) ?? []
    if (hash === undefined) return false
    // Loaded by the first such hash: most services never have one.
    const { verify } = await import('@node-rs/bcrypt')
    return verify(django === undefined ? password : digestOf('sha256', password, 'hex'), hash)
  },
}

const pbkdf2Digests = {
  'pbkdf2-sha1': { digest: 'sha1', bytes: 20 },
  'pbkdf2-sha256': { digest: 'sha256', bytes: 32 },
  'pbkdf2-sha512': { digest: 'sha512', bytes: 64 },
} as const

export const isPbkdf2Name = (name: string): name is keyof typeof pbkdf2Digests =>
  Object.hasOwn(pbkdf2Digests, name)

/** PBKDF2 (RFC 8018 section 5.2): `$pbkdf2-sha256$i=27500,l=64$salt$hash`. */
const pbkdf2s = makeAlgorithm(
  /^\$pbkdf2-/,
  ({ name, version, parameters, hash }) => {
    const { i = 0, l, ...others } = parameters
    const isForm = version === null && l === hash.length && !hasOthers(others)
    if (!isPbkdf2Name(name) || !isForm || i < 1) return incomplete
    // A key longer than the digest takes all iterations once more.
    const work = i * Math.ceil(hash.length / pbkdf2Digests[name].bytes)
    const most = hashLimits.cost.pbkdf2Iterations
    return work > most ? `it takes ${work} iterations, and ${most} are the most` : null
  },
  async ({ name, parameters, salt, hash }, password) => {
    if (!isPbkdf2Name(name)) return false
    const { digest } = pbkdf2Digests[name]
    const key = await promisify(pbkdf2)(password, salt, parameters.i ?? 1, hash.length, digest)
    return timingSafeEqual(key, hash)
  },
)

const deriveScrypt: (
  password: string,
  salt: Buffer,
  bytes: number,
  cost: ScryptOptions,
) => Promise<Buffer> = promisify(scrypt)

/** What AES-256-CTR, counted from zero, mixes into a text. */
const makeKeyStream = (key: Uint8Array, bytes: number): Buffer =>
  createCipheriv('aes-256-ctr', key.subarray(0, 32), Buffer.alloc(16)).update(Buffer.alloc(bytes))

/**
 * Scrypt (RFC 7914): `$scrypt$ln=14,r=8,p=1$salt$hash`. Firebase hides the derived key: it encrypts a
 * key of the project under it. `$firebase-scrypt$` holds the key stream of that encryption, so the key
 * of the project is not needed any more.
 */
const scrypts = makeAlgorithm(
  /^\$(?:firebase-)?scrypt\$/,
  ({ version, parameters }) => {
    const { ln = 0, r = 0, p = 0, ...others } = parameters
    if (version !== null || hasOthers(others) || ln < 1 || r < 1 || p < 1) return incomplete
    // RFC 7914 section 2: N is less than 2^(128 * r / 8). OpenSSL takes no other.
    if (ln >= 16 * r) return `scrypt takes no ln=${ln} with r=${r}`
    const { memoryBytes, scryptBlocks } = hashLimits.cost
    const isCheap = ln <= 30 && 128 * 2 ** ln * r <= memoryBytes && 2 ** ln * r * p <= scryptBlocks
    return isCheap ? null : `its cost (ln=${ln},r=${r},p=${p}) is too high`
  },
  async ({ name, parameters, salt, hash }, password) => {
    const { ln = 1, r = 1, p = 1 } = parameters
    const N = 2 ** ln
    const cost = { N, r, p, maxmem: 128 * r * (N + p + 2) }
    const isPlain = name === 'scrypt'
    const key = await deriveScrypt(password, salt, isPlain ? hash.length : 64, cost)
    return timingSafeEqual(isPlain ? key : makeKeyStream(key, hash.length), hash)
  },
)

/** Takes the key of a Firebase project out of a hash: what is left is the key stream. */
export const removeSignerKey = (hash: Uint8Array, signerKey: Uint8Array): Buffer =>
  Buffer.from(hash.map((byte, i) => byte ^ (signerKey[i] ?? 0)))

const algorithms: readonly HashAlgorithm[] = [argon2, bcrypt, pbkdf2s, scrypts]

const findAlgorithm = (stored: string): HashAlgorithm | undefined =>
  algorithms.find(({ form }) => form.test(stored))

/** Short hashes are refused: one byte would fit every two hundredth password. */
const hasLengths = (stored: string): boolean => {
  const parsed = parsePhc(stored)
  if (parsed === null) return true
  const { least, most } = hashLimits.hashBytes
  const { hash, salt } = parsed
  return hash.length >= least && hash.length <= most && salt.length <= hashLimits.saltBytes
}

/** Why a hash is not taken, in words for the operator; null = it is. */
export const findHashProblem = (stored: string): string | null => {
  const algorithm = findAlgorithm(stored)
  if (algorithm === undefined) return 'its algorithm is unknown'
  return algorithm.problem(stored) ?? (hasLengths(stored) ? null : 'its length is unusual')
}

/** @throws for a text with a problem */
export const verifyStrictly = async (stored: string, password: string): Promise<boolean> =>
  (await findAlgorithm(stored)?.verify(stored, password)) === true

/**
 * The empty password is wrong, whatever other servers took. A fault makes a wrong try: each hash is
 * computed for every name, so one bad hash must not end the logins of others.
 */
export const verifyImported = async (stored: string, password: string): Promise<boolean> => {
  const isRight = await verifyStrictly(stored, password).catch(() => false)
  return isRight && password !== ''
}
