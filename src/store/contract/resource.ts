/** The contract about resources: the built-in API's with their items, and those of somebody's own API. */
import type { Holder, ItemId } from '../../model/ids.ts'
import type { Condition, Item } from '../../model/item.ts'
import type { Resource, ResourceChange } from '../../model/resource.ts'
import type { Page, Trace } from './trace.ts'

/**
 * `name_used`: a deleted resource had this name. Names are not used twice, since what owners allowed of
 * the deleted one would hold again.
 */
export type CreateResourceOutcome =
  | 'created'
  | 'name_taken'
  | 'name_used'
  | 'uri_taken'
  | 'too_many'

/** Steps on resources. */
export interface ResourceSteps {
  /** All that were not deleted, in the order in which they were created. */
  listResources(): Promise<readonly Resource[]>
  /** @param most how many there may be; concurrent steps may exceed it by one each */
  createResource(resource: Resource, most: number, trace: Trace): Promise<CreateResourceOutcome>
  /**
   * Null where there is no such resource. Two changes of different members both hold.
   *
   * @param seen the resource as the operator saw it. In any other state the step changes nothing, and
   *   answers as without a resource
   */
  changeResource(
    name: string,
    change: ResourceChange,
    trace: Trace,
    seen?: Resource,
  ): Promise<Resource | 'uri_taken' | null>
  /**
   * Its `uri` may be used again, its name may not. False where there is no such resource.
   *
   * @param seen as for `changeResource`
   */
  deleteResource(name: string, trace: Trace, seen?: Resource): Promise<boolean>
}

/** An item to create or replace. */
export interface PutItem extends Item {
  readonly holder: Holder
  readonly resource: string
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
