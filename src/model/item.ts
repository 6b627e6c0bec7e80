/** An item: one JSON object that an owner, or a client itself, keeps in a resource. */
import type { ItemId } from './ids.ts'

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
