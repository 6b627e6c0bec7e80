/** Ids of what belongs to an owner: they carry the shard key of the owner (decision 113). */
import { openShardKeys, type ShardKeys } from '../crypto/shard-keys.ts'
import { type Given, makeId, type OwnerId, type Random } from '../model/ids.ts'
import type { Store } from './store.ts'

interface PlacingParts {
  readonly store: Pick<Store, 'findFact' | 'setFact'>
  readonly random: Random
}

/** The fact with the secret that masks shard keys in ids. */
export const shardSecret = 'shard secret'

const opened = new WeakMap<PlacingParts['store'], ShardKeys>()

/** The keys of a store, by its facts. Their secret is made when it is first needed, and never changes. */
export const openKeys = async (
  facts: Pick<Store, 'findFact' | 'setFact'>,
  random: Random,
): Promise<ShardKeys> => {
  let secret = await facts.findFact(shardSecret)
  if (secret === null) {
    // Another node may be first.
    await facts.setFact(shardSecret, null, Buffer.from(random(32)).toString('hex'))
    secret = await facts.findFact(shardSecret)
  }
  if (secret === null) throw new Error('the shard secret was written and is not there')
  return openShardKeys(secret)
}

const open = async ({ store, random }: PlacingParts): Promise<ShardKeys> => {
  const keys = opened.get(store) ?? (await openKeys(store, random))
  opened.set(store, keys)
  return keys
}

/** Opens the keys before the first request needs them. @throws StoreFault */
export const preparePlacing = async (parts: PlacingParts): Promise<void> => {
  await open(parts)
}

/** The same id with the shard key of an owner. @throws StoreFault */
export const placeId = async <Id extends string>(
  id: Id,
  ownerId: OwnerId,
  parts: PlacingParts,
): Promise<Id> => (opened.get(parts.store) ?? (await open(parts))).place(id, ownerId)

/** A new id of what belongs to an owner. @throws StoreFault */
export const makeOwnedId = <Id extends string>(
  ownerId: OwnerId,
  parts: Given & PlacingParts,
): Promise<Id> => placeId(makeId<Id>(parts), ownerId, parts)
