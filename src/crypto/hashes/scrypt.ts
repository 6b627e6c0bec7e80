/**
 * Scrypt (RFC 7914): `$scrypt$ln=14,r=8,p=1$salt$hash`. Firebase hides the derived key: it encrypts a
 * key of the project under it. `$firebase-scrypt$` holds the key stream of that encryption, so the key
 * of the project is not needed any more.
 */
import { createCipheriv, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { hashLimits } from '../limits.ts'
import { type HashAlgorithm, type PhcHash, parsePhc } from './phc.ts'

const derived: (
  password: string,
  salt: Buffer,
  bytes: number,
  cost: ScryptOptions,
) => Promise<Buffer> = promisify(scrypt)

const derive = ({ parameters, salt }: PhcHash, password: string, bytes: number) => {
  const { ln = 1, r = 1, p = 1 } = parameters
  const N = 2 ** ln
  return derived(password, salt, bytes, { N, r, p, maxmem: 128 * r * (N + p + 2) })
}

/** What AES-256-CTR, counted from zero, mixes into a text. */
const keyStream = (key: Uint8Array, bytes: number): Buffer =>
  createCipheriv('aes-256-ctr', key.subarray(0, 32), Buffer.alloc(16)).update(Buffer.alloc(bytes))

const problem = ({ version, parameters }: PhcHash): string | null => {
  const { ln = 0, r = 0, p = 0, ...others } = parameters
  const isForm = version === null && Object.keys(others).length === 0
  if (!isForm || ln < 1 || r < 1 || p < 1) return 'it is not complete'
  // RFC 7914 section 2: N is less than 2^(128 * r / 8). OpenSSL takes no other.
  if (ln >= 16 * r) return `scrypt takes no ln=${ln} with r=${r}`
  const { memoryBytes, scryptBlocks } = hashLimits.cost
  const isCheap = ln <= 30 && 128 * 2 ** ln * r <= memoryBytes && 2 ** ln * r * p <= scryptBlocks
  return isCheap ? null : `its cost (ln=${ln},r=${r},p=${p}) is too high`
}

export const scryptHashes: HashAlgorithm = {
  owns: (stored) => /^\$(?:firebase-)?scrypt\$/.test(stored),
  problem(stored) {
    const parsed = parsePhc(stored)
    return parsed === null ? 'it is not complete' : problem(parsed)
  },
  async verify(stored, password) {
    const parsed = parsePhc(stored)
    if (parsed === null) return false
    const { name, hash } = parsed
    if (name === 'scrypt') return timingSafeEqual(await derive(parsed, password, hash.length), hash)
    const key = await derive(parsed, password, 64)
    return timingSafeEqual(keyStream(key, hash.length), hash)
  },
}

/** Takes the key of a Firebase project out of a hash: what is left is the key stream. */
export const withoutSignerKey = (hash: Uint8Array, signerKey: Uint8Array): Buffer =>
  Buffer.from(hash.map((byte, i) => byte ^ (signerKey[i] ?? 0)))
