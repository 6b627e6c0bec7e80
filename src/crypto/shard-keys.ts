/**
 * The shard key in an id: it says where the rows of an owner lie (decision 113). 12 bits behind the time of the id
 * say it, mixed with a keyed digest of the other bits. So only the service can read it. Others see random bits, or
 * two clients could tell that their owners are the same.
 */
import { type OwnerId, readIdKey, writeIdKey } from '../model/ids.ts'
import { computeHmac, makeHmacKey } from './digest.ts'

/** How many there are. */
const shardKeyCount = 4096

/**
 * The shard key of all rows of an owner, from 0 to 4095. The key is FNV-1a of 32 bits over the id of the owner,
 * folded to 12, and must never change.
 */
export const deriveShardKey = (ownerId: OwnerId): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < ownerId.length; i++) {
    hash = Math.imul(hash ^ ownerId.charCodeAt(i), 0x01000193) >>> 0
  }
  return ((hash >>> 24) ^ (hash >>> 12) ^ hash) & (shardKeyCount - 1)
}

export interface ShardKeys {
  /** The same id with the shard key of an owner. Its time and its 68 random bits stay. */
  place<Id extends string>(id: Id, ownerId: OwnerId): Id
  /** The shard key in an id that was placed. @returns null for a text of another form */
  read(id: string): number | null
}

/** @param secret of the store, in hexadecimal digits: it never changes */
export const openShardKeys = (secret: string): ShardKeys => {
  const key = makeHmacKey(Buffer.from(secret, 'hex'))
  // Without the last letters, so that an id beside another (`idBefore`) has the same shard key.
  const computeMask = (id: string): number => {
    const digest = computeHmac(key, id.slice(0, 10) + id.slice(13, 22))
    return Buffer.from(digest, 'base64url').readUInt16BE(0) % shardKeyCount
  }
  return {
    place: (id, ownerId) => writeIdKey(id, deriveShardKey(ownerId) ^ computeMask(id)),
    read: (id) => {
      const masked = readIdKey(id)
      return masked === null ? null : masked ^ computeMask(id)
    },
  }
}
