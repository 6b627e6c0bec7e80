/** The contract about the items of the built-in resource server. */
import type { ItemId } from '../../model/ids.ts'
import type { Condition, Holder, Item } from '../../model/item.ts'
import type { Page } from './trace.ts'

/** An item to create or replace. */
export interface PutItem {
  readonly holder: Holder
  readonly resource: string
  readonly id: ItemId
  readonly fields: Readonly<Record<string, unknown>>
  readonly version: string
  readonly condition: Condition
  /** False: only change what exists or create anew, as the condition allows. True: never overwrite. */
  readonly createOnly: boolean
  /** At most so many items per holder and resource. */
  readonly mostItems: number
}

/** The outcome of `putItem`. */
export type PutItemOutcome = 'created' | 'replaced' | 'precondition_failed' | 'full'

/** Steps on items. */
export interface ItemSteps {
  listItems(
    holder: Holder,
    resource: string,
    after: string | null,
    limit: number,
  ): Promise<Page<Item>>
  /** How many items there are in each resource of a holder; one without any is left out. */
  countItems(holder: Holder): Promise<ReadonlyMap<string, number>>
  findItem(holder: Holder, resource: string, id: ItemId): Promise<Item | null>
  putItem(put: PutItem): Promise<PutItemOutcome>
  deleteItem(
    holder: Holder,
    resource: string,
    id: ItemId,
    condition: Condition,
  ): Promise<'deleted' | 'unknown' | 'precondition_failed'>
}
