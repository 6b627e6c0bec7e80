/**
 * Signs JWTs with the keys of the service, and checks those that it signed. The first key of an
 * algorithm is made when it is needed, so a service without OpenID Connect has none.
 */

import { hashText, Verified } from '../../crypto/digest.ts'
import { readClaimedHeader } from '../../crypto/jose.ts'
import {
  type KeyObject,
  openOwnPublicKey,
  openPrivateKey,
  signJwt,
  verifyOwnJwt,
} from '../../crypto/own-jws.ts'
import { getKeyPurpose, type Vault } from '../../crypto/wrap.ts'
import type { Clock } from '../../model/ids.ts'
import type { JsonObject } from '../../model/json.ts'
import { getKeyAlgorithm, type JwsAlgorithm, type SigningAlgorithm } from '../../model/key.ts'
import type { StoredKey } from '../../store/contract/key.ts'
import { StoreFault } from '../../store/fault.ts'
import type { Store } from '../../store/store.ts'
import type { KeyKeeper } from './keyring.ts'
import { pickNewestUsable, signingKeyLimits } from './kinds.ts'
import { WrongRootSecret } from './root-secret.ts'

/** The `typ` of a JWT (RFC 8725 section 3.11): what it is, so that none is taken for another. */
type JwtType = 'JWT' | 'at+jwt' | 'logout+jwt' | 'secevent+jwt' | 'token-introspection+jwt'

export interface Signer {
  /** @throws StoreFault where the keys do not open */
  sign(claims: JsonObject, algorithm: JwsAlgorithm, typ: JwtType): Promise<string>
  /** The claims of a JWT that this service signed as this type; null for everything else. */
  read(text: string, typ: JwtType): Promise<JsonObject | null>
  /** All signing keys. Makes the first of most algorithms, so that others can learn of it. */
  published(): Promise<readonly StoredKey[]>
}

type SigningKeys = Pick<KeyKeeper, 'stored' | 'ensure' | 'learn' | 'reload'>

const isCarriedBy = ({ typ }: JsonObject, wanted: JwtType): boolean =>
  typeof typ === 'string' &&
  typ.toLowerCase().replace(/^application\//, '') === wanted.toLowerCase()

/** Answers whether the key stays in the store for as long as others may check the token. */
const createKeeping = (store: Pick<Store, 'keepKey'>) => {
  const noted = new Map<string, { readonly until: number; readonly isKept: Promise<boolean> }>()
  return async ({ id, keepUntil }: StoredKey, tokenEnd: number): Promise<boolean> => {
    const needed = tokenEnd + signingKeyLimits.keepAfterEndSeconds
    if ((keepUntil ?? 0) >= needed) return true
    const before = noted.get(id)
    if (before !== undefined && before.until >= needed) return before.isKept
    const until = needed + signingKeyLimits.keepAheadSeconds
    const isKept = store.keepKey(id, until)
    noted.set(id, { until, isKept })
    isKept.catch(() => noted.delete(id))
    return isKept
  }
}

const readPublished = async (keys: SigningKeys): Promise<readonly StoredKey[]> => {
  await keys.ensure('signing')
  // Another node may just have made the first key of an algorithm, and signed with it at once.
  await keys.learn('').catch(() => {})
  return keys.stored('signing')
}

export const createSigner = (
  keys: SigningKeys,
  vault: Vault,
  { store, clock }: { readonly store: Store; readonly clock: Clock },
): Signer => {
  const opened = new Map<string, KeyObject>()
  /** To check with; importing one takes longer than a check. */
  const checking = new Map<string, KeyObject>()
  const verified = new Verified<JsonObject>()
  const keep = createKeeping(store)

  const open = ({ id, wrapped }: StoredKey): KeyObject => {
    const known = opened.get(id)
    if (known !== undefined) return known
    const bytes = vault.unwrap(wrapped, getKeyPurpose('signing'))
    if (bytes === null) throw new StoreFault('unreadable', new WrongRootSecret().message)
    const key = openPrivateKey(bytes)
    opened.set(id, key)
    return key
  }

  const keysOf = (algorithm: SigningAlgorithm): readonly StoredKey[] =>
    keys.stored('signing').filter((key) => key.algorithm === algorithm)

  const current = async (algorithm: SigningAlgorithm): Promise<StoredKey> => {
    if (keysOf(algorithm).length === 0) await keys.ensure('signing', algorithm)
    return pickNewestUsable(keysOf(algorithm), Math.floor(clock() / 1000))
  }

  /** A key that another node took away is not used again. */
  const keptKey = async (algorithm: SigningAlgorithm, tokenEnd: number): Promise<StoredKey> => {
    const key = await current(algorithm)
    if (await keep(key, tokenEnd)) return key
    await keys.reload()
    const next = await current(algorithm)
    if (await keep(next, tokenEnd)) return next
    throw new StoreFault('busy', 'the signing keys are being changed')
  }

  const find = async (id: string): Promise<StoredKey | undefined> => {
    const known = () => keys.stored('signing').find((key) => key.id === id)
    if (known() === undefined) await keys.learn(id)
    return known()
  }

  return {
    async sign(claims, alg, typ) {
      const algorithm = getKeyAlgorithm(alg)
      const { exp } = claims
      const end = typeof exp === 'number' ? exp : Math.floor(clock() / 1000)
      const key = await keptKey(algorithm, end)
      return signJwt(claims, { alg, kid: key.id, typ }, open(key))
    },
    async read(text, typ) {
      const header = readClaimedHeader(text)
      if (header === null || typeof header.kid !== 'string') return null
      if (!isCarriedBy(header, typ)) return null
      const key = await find(header.kid)
      if (key === undefined || key.publicKey === null || key.algorithm === 'HS256') return null
      const id = hashText(text)
      const known = verified.find(id)
      if (known !== undefined) return known
      const ready = checking.get(key.id) ?? openOwnPublicKey(key.publicKey)
      checking.set(key.id, ready)
      const claims = verifyOwnJwt(text, ready, key.algorithm)
      if (claims !== null) verified.keep(id, claims)
      return claims
    },
    published: () => readPublished(keys),
  }
}
