/** An item: one JSON object that an owner, or a client itself, keeps in a resource. */
import type { ClientId, ItemId, OwnerId } from './ids.ts'

/**
 * Whose item it is. The prefix tells clients from owners, whatever an id holds (RFC 9700 section 4.15).
 */
export type Holder = `owner:${OwnerId}` | `client:${ClientId}`

/** The holder of the items of an owner. */
export const holderOfOwner = (id: OwnerId): Holder => `owner:${id}`
export const makeClientHolder = (id: ClientId): Holder => `client:${id}`

/** One JSON item of the built-in resource server. */
export interface Item {
  readonly id: ItemId
  /** The fields, without the id. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Changes with every write; the ETag of the item. */
  readonly version: string
}

/** What a conditional write demands of the item as it stands (RFC 9110 section 13). */
export interface Condition {
  /** `If-Match`: one of these versions, or any at all. */
  readonly ifMatch?: readonly string[] | '*'
  /** `If-None-Match`: none of these versions, or none at all. */
  readonly ifNoneMatch?: readonly string[] | '*'
}
