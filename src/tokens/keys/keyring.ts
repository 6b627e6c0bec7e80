/**
 * Keys of every kind: kept in the store, known to every node before their first use, rotated by
 * themselves. Keys for sealing are opened here.
 */
import { throttleLoad } from '../../clock.ts'
import { type Keyring, makeSealingKey, type SealingKey } from '../../crypto/seal.ts'
import { getKeyPurpose, type Vault } from '../../crypto/wrap.ts'
import type { Given } from '../../model/ids.ts'
import type { KeyAlgorithm, KeyUse } from '../../model/key.ts'
import type { StoredKey } from '../../store/contract/key.ts'
import { StoreFault } from '../../store/fault.ts'
import type { Store } from '../../store/store.ts'
import { makeServiceTrace } from '../../store/trace.ts'
import {
  filterRetired,
  isDue,
  isOfKind,
  type KeyKind,
  keyLimits,
  makeKey,
  pickNewestUsable,
  sealingKind,
} from './kinds.ts'
import { type RootSecret, WrongRootSecret } from './root-secret.ts'

type KeyParts = Given & { readonly store: Store }

export interface KeyKeeper extends Keyring {
  readonly stored: (use: KeyUse) => readonly StoredKey[]
  /** Learns keys that other nodes added or took away, and adds a new one when it is time. */
  refresh(): Promise<void>
  /**
   * Makes the first key of each kind of this use that has none, but for kinds on demand; or of this
   * algorithm alone. Nodes that do this at once agree on one.
   */
  ensure(use: KeyUse, algorithm?: KeyAlgorithm): Promise<void>
  /** Reads the keys again, after one turned out to be gone. */
  reload(): Promise<void>
}

const filterKeys = (stored: readonly StoredKey[], kind: KeyKind): readonly StoredKey[] =>
  stored.filter((key) => isOfKind(key, kind))

const openKey = ({ id, wrapped }: StoredKey, vault: Vault, issuer: string): SealingKey => {
  const bytes = vault.unwrap(wrapped, getKeyPurpose('sealing'))
  if (bytes === null) throw new WrongRootSecret()
  return makeSealingKey(id, bytes, issuer)
}

/**
 * The sealing key of a service, for a command that makes a seal for it.
 *
 * @param stored all keys of the store; there is at least one
 * @param at unix seconds
 * @throws WrongRootSecret
 */
export const openNewest = (
  stored: readonly StoredKey[],
  vault: Vault,
  issuer: string,
  at: number,
): SealingKey => openKey(pickNewestUsable(filterKeys(stored, sealingKind), at), vault, issuer)

const getSeconds = (parts: KeyParts): number => Math.floor(parts.clock() / 1000)

/** A node whose keys do not open can know nothing about any token. */
const unknowable = (): StoreFault => new StoreFault('unreadable', new WrongRootSecret().message)

const refuseWrongRoot = (fault: unknown): never => {
  throw fault instanceof WrongRootSecret ? unknowable() : fault
}

const isAsked = (kind: KeyKind, algorithm: string | undefined): boolean =>
  algorithm === undefined ? kind.isOnDemand !== true : kind.algorithm === algorithm

/** A list of keys that comes late must take no newer key away. */
const orderLoads = () => {
  let asked = 0
  let latest = 0
  return () => {
    const number = ++asked
    /** Whether no list that was asked for later has come already. */
    return (): boolean => {
      if (number < latest) return false
      latest = number
      return true
    }
  }
}

/** Two nodes that do this at once agree through the store: only one key is added. */
const addKey = async (
  kind: KeyKind,
  usableFrom: number,
  unlessSince: number,
  vault: Vault,
  parts: KeyParts,
): Promise<void> => {
  const at = getSeconds(parts)
  const key = await makeKey(kind, usableFrom, at, vault, parts)
  await parts.store.addKey(key, unlessSince, makeServiceTrace(at, parts))
}

const retireOld = async (
  stored: readonly StoredKey[],
  kinds: readonly KeyKind[],
  parts: KeyParts,
): Promise<boolean> => {
  const at = getSeconds(parts)
  const old = kinds.flatMap((kind) => filterRetired(filterKeys(stored, kind), kind, at))
  for (const { id } of old) await parts.store.retireKey(id, at, makeServiceTrace(at, parts))
  return old.length > 0
}

/** The key to seal with, chosen once for each second. */
const keepForSecond = (parts: KeyParts, choose: (at: number) => SealingKey | null) => {
  let newest: { readonly at: number; readonly key: SealingKey } | null = null
  return {
    current(): SealingKey {
      const at = Math.floor(parts.clock() / 1000)
      if (newest?.at === at) return newest.key
      const key = choose(at)
      if (key === null) throw unknowable()
      newest = { at, key }
      return key
    },
    forget(): void {
      newest = null
    },
  }
}

/**
 * Loads the keys, making the first sealing key where the store has none.
 *
 * @param issuer what they seal counts for this one only
 * @throws WrongRootSecret
 */
export const openKeyring = async (
  parts: KeyParts,
  root: Pick<RootSecret, 'vault' | 'learn'>,
  issuer: string,
  kinds: readonly KeyKind[],
): Promise<KeyKeeper> => {
  let sealing: ReadonlyMap<string, SealingKey> = new Map()
  let stored: readonly StoredKey[] = []
  let forSealing: readonly StoredKey[] = []
  const chosen = keepForSecond(parts, (at) => {
    const usable = forSealing.length === 0 ? null : pickNewestUsable(forSealing, at)
    return (usable && sealing.get(usable.id)) ?? null
  })

  const beginLoad = orderLoads()

  /** A key that is gone from the store opens nothing any more. */
  const load = async (): Promise<void> => {
    const isLatest = beginLoad()
    try {
      await root.learn()
      const listed = await parts.store.listKeys()
      if (!isLatest()) return
      const before = sealing
      stored = listed
      forSealing = filterKeys(stored, sealingKind)
      sealing = new Map(
        forSealing.map((key) => [key.id, before.get(key.id) ?? openKey(key, root.vault, issuer)]),
      )
    } catch (fault) {
      if (fault instanceof WrongRootSecret) sealing = new Map()
      throw fault
    } finally {
      chosen.forget()
    }
  }

  const learn = (): Promise<void> => load().catch(refuseWrongRoot)

  const add = async (kind: KeyKind, usableFrom: number, unlessSince: number): Promise<void> => {
    await addKey(kind, usableFrom, unlessSince, root.vault, parts)
    await load()
  }

  const ensure: KeyKeeper['ensure'] = async (use, algorithm) => {
    for (const kind of kinds.filter((one) => one.use === use && isAsked(one, algorithm))) {
      if (filterKeys(stored, kind).length === 0) await add(kind, getSeconds(parts), 0)
    }
  }

  const refresh = async (): Promise<void> => {
    await load()
    await ensure('sealing')
    for (const kind of kinds) {
      const at = getSeconds(parts)
      if (!isDue(filterKeys(stored, kind), kind, at)) continue
      await add(kind, at + keyLimits.keyPublishSeconds, at - kind.rotationSeconds + 1)
    }
    if (await retireOld(stored, kinds, parts)) await load()
  }

  await load()
  await ensure('sealing')
  return {
    current: chosen.current,
    find: (id) => sealing.get(id) ?? null,
    // Anyone can name a key that there is not.
    learn: throttleLoad(parts.clock, learn),
    refresh,
    ensure,
    reload: learn,
    stored: (use) => stored.filter((key) => key.use === use),
  }
}
