/**
 * The key that seals events. Its private half signs seals (Ed25519, RFC 8037), and a second key out of it makes
 * the digests of events. So nobody without the root secret can guess what a stripped event had said.
 */
import { computeHmac, hashText, makeHmacKey } from '../../crypto/digest.ts'
import {
  exportPublicKey,
  makeKeyPair,
  openOwnPublicKey,
  openPrivateKey,
  signJwtAtOnce,
  verifyOwnJwt,
} from '../../crypto/own-jws.ts'
import { eventSeals, type Vault } from '../../crypto/wrap.ts'
import type { PublicKey } from '../../model/key.ts'
import { StoreFault } from '../../store/fault.ts'
import type { Store } from '../../store/store.ts'
import { findWrappedFact, takeWrappedFact, type WrappedFact } from '../../store/wrapped-fact.ts'

export const sealFact: WrappedFact = {
  fact: 'event seals',
  purpose: eventSeals,
  mayBePlain: false,
  lost: 'the key that seals events lies in clear, or under another root secret. To keep its seals, give that secret as LATCHKEY_PREVIOUS_SECRET and run latchkey key rewrap. Otherwise the next start begins a new chain',
}

/** What the statement of a seal says. Its hash stands in the next one. */
export type SealClaims = {
  readonly seal: number
  /** The hash of the statement before; empty in the first. */
  readonly previous: string
  /** The segment: ids beyond the first, up to the second. */
  readonly after: string
  readonly until: string
  /** When it was made, in unix seconds. */
  readonly iat: number
  readonly events: number
  readonly late: number
  /** The hash of the digests of its events. */
  readonly entries: string
  /** Events from before that time may be gone, for they were kept long enough. Never goes back. */
  readonly keptFrom: number
}

/** What a digest is made of. One kind never takes the place of another. */
export type DigestKind = 'fixed' | 'details' | 'short details' | 'actor'

export interface SealKey {
  readonly publicKey: PublicKey
  /** When it was made, in unix seconds; 0 where it does not say. Events from before were sealed in arrears. */
  readonly since: number
  /** Whether it took the place of one that was lost: it reads no earlier seals. */
  readonly isAnew: boolean
  digest(kind: DigestKind, id: string, text: string): string
  sign(claims: SealClaims): string
  /** Null where this key has not signed the statement. */
  read(statement: string): SealClaims | null
}

/** 128 bits: half of the HMAC (RFC 2104 section 5). */
const digestCharacters = 22

/** The date is wrapped with the key, so a writer of the database cannot change it. */
const dated = '\nsince '

export const makeSealSecret = async (at: number, isAnew: boolean): Promise<Uint8Array> => {
  const { secret } = await makeKeyPair('EdDSA')
  return Buffer.from(`${Buffer.from(secret)}${dated}${at}${isAnew ? ' anew' : ''}`)
}

const openSealKey = (secret: Uint8Array): SealKey => {
  const [pem = '', said = ''] = Buffer.from(secret).toString().split(dated)
  const [since, anew] = said.split(' ')
  const privateKey = openPrivateKey(Buffer.from(pem))
  const publicKey = exportPublicKey(privateKey)
  const verifying = openOwnPublicKey(publicKey)
  const header = {
    alg: 'EdDSA',
    kid: hashText(JSON.stringify(publicKey)).slice(0, 10),
    typ: 'latchkey-seal+jwt',
  } as const
  const digests = makeHmacKey(Buffer.from(hashText(`latchkey digests of events\n${pem}`)))
  return {
    publicKey,
    since: Number(since ?? 0),
    isAnew: anew !== undefined,
    digest: (kind, id, text) =>
      computeHmac(digests, hashText(JSON.stringify([kind, id, text]))).slice(0, digestCharacters),
    sign: (claims) => signJwtAtOnce(claims, header, privateKey),
    read: (statement) => verifyOwnJwt(statement, verifying, 'EdDSA') as SealClaims | null,
  }
}

/** Makes the first key of a store. @param at unix seconds @throws StoreFault for a key that is lost */
export const takeSealKey = async (store: Store, vault: Vault, at: number): Promise<SealKey> =>
  openSealKey(await takeWrappedFact(sealFact, store, vault, () => makeSealSecret(at, false)))

/** Null without a key. @throws StoreFault for one that is lost */
export const findSealKey = async (store: Store, vault: Vault): Promise<SealKey | null> => {
  const secret = await findWrappedFact(sealFact, store, vault)
  if (secret === null) return null
  try {
    return openSealKey(secret)
  } catch {
    throw new StoreFault('unreadable', sealFact.lost)
  }
}

export const hashSeal = ({ statement }: { readonly statement: string }): string =>
  hashText(statement)
