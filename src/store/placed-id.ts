/** Ids of what belongs to an owner: they carry the shard key of the owner (decision 113). */
import { openShardKeys, type ShardKeys } from '../crypto/shard-keys.ts'
import { type Given, makeId, type OwnerId, type Random } from '../model/ids.ts'
import type { Store } from './store.ts'

/** The fact with the secret that masks shard keys in ids. */
export const shardSecret = 'shard secret'

/**
 * The keys of a store, by its facts. Their secret is made at the first start, and never changes.
 *
 * @throws StoreFault
 */
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

/** Such an id is made of a clock, random bytes and the shard keys. */
export interface OwnedGiven extends Given {
  readonly shardKeys: ShardKeys
}

/** A new id of what belongs to an owner. */
export const makeOwnedId = <Id extends string>(ownerId: OwnerId, given: OwnedGiven): Id =>
  given.shardKeys.place(makeId<Id>(given), ownerId)
