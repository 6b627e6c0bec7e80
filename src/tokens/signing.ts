/**
 * Signs JWTs with the keys of the service, and checks those that it signed. The first key of an
 * algorithm is made when it is needed, so a service without OpenID Connect has none.
 */
import {
  claimedHeader,
  keyAlgorithmOf,
  openPrivateKey,
  type PrivateKey,
  signJwt,
  verifyJwt,
} from '../crypto/jose.ts'
import { keysFor, type Vault } from '../crypto/wrap.ts'
import type { JsonObject } from '../model/json.ts'
import type { SigningAlgorithm } from '../model/key.ts'
import type { Clock, JwtType, Signer } from '../parts.ts'
import { StoreFault } from '../store/fault.ts'
import type { StoredKey } from '../store/store.ts'
import { newestUsable, signingKinds } from './key-kinds.ts'
import type { KeyKeeper } from './keys.ts'
import { WrongRootSecret } from './root-secret.ts'

type SigningKeys = Pick<KeyKeeper, 'stored' | 'ensure' | 'learn'>

const isCarriedBy = ({ typ }: JsonObject, wanted: JwtType): boolean =>
  typeof typ === 'string' &&
  typ.toLowerCase().replace(/^application\//, '') === wanted.toLowerCase()

export const createSigner = (keys: SigningKeys, vault: Vault, clock: Clock): Signer => {
  const opened = new Map<string, Promise<PrivateKey>>()

  const open = ({ id, wrapped }: StoredKey, algorithm: SigningAlgorithm): Promise<PrivateKey> => {
    const known = opened.get(id)
    if (known !== undefined) return known
    const bytes = vault.unwrap(wrapped, keysFor('signing'))
    if (bytes === null) throw new StoreFault('unreadable', new WrongRootSecret().message)
    const key = openPrivateKey(bytes, algorithm)
    opened.set(id, key)
    return key
  }

  const keysFrom = (algorithm: SigningAlgorithm): readonly StoredKey[] =>
    keys.stored('signing').filter((key) => key.algorithm === algorithm)

  const current = async (algorithm: SigningAlgorithm): Promise<StoredKey> => {
    if (keysFrom(algorithm).length === 0) {
      await keys.ensure(signingKinds.filter((kind) => kind.algorithm === algorithm))
    }
    return newestUsable(keysFrom(algorithm), Math.floor(clock() / 1000))
  }

  const find = async (id: string): Promise<StoredKey | undefined> => {
    const known = () => keys.stored('signing').find((key) => key.id === id)
    if (known() === undefined) await keys.learn(id)
    return known()
  }

  return {
    async sign(claims, alg, typ) {
      const algorithm = keyAlgorithmOf(alg)
      const key = await current(algorithm)
      return signJwt(claims, { alg, kid: key.id, typ }, await open(key, algorithm))
    },
    async read(text, typ) {
      const header = claimedHeader(text)
      if (header === null || typeof header.kid !== 'string') return null
      if (!isCarriedBy(header, typ)) return null
      const key = await find(header.kid)
      if (key === undefined || key.publicKey === null || key.algorithm === 'HS256') return null
      return verifyJwt(text, key.publicKey, key.algorithm)
    },
    async published() {
      await keys.ensure(signingKinds)
      return keys.stored('signing')
    },
  }
}
