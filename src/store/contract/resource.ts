/** Steps on resources: the built-in API's, and those of somebody's own API. */
import type { Resource, ResourceChange } from '../../model/resource.ts'
import type { Trace } from './trace.ts'

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
  /** Null where there is no such resource. Two changes of different members both hold. */
  changeResource(
    name: string,
    change: ResourceChange,
    trace: Trace,
  ): Promise<Resource | 'uri_taken' | null>
  /** Its `uri` may be used again, its name may not. False where there is no such resource. */
  deleteResource(name: string, trace: Trace): Promise<boolean>
}
