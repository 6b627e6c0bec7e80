/** The resources of the service, as others see them. */

import type { Permissions, Resource } from '../model/resource.ts'
import type { OwnClaims } from '../model/scope-word.ts'
import type { CreateResourceOutcome } from '../store/contract/resource.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'

/**
 * The resources of the service, held in memory. Nothing on the way of a request waits for the store.
 * Changes of this node count at once, and those of other nodes within five seconds.
 */
export interface Resources {
  /** In the order in which they were created. */
  list(): readonly Resource[]
  /** Words of a scope that the operator added. No resource has such a name. */
  readonly words: readonly OwnClaims[]
  find(name: string): Resource | null
  /** The names that still exist: those of a deleted resource are gone. The same list if all exist. */
  known(names: Permissions): Permissions
  /** Reads them from the store again. */
  refresh(): Promise<void>
  /** The same before something unknown is refused, once a second at most. */
  learn(): Promise<void>
  create(resource: Resource, trace: Trace): Promise<CreateResourceOutcome>
  readonly change: Store['changeResource']
  readonly remove: Store['deleteResource']
}

/** The resources for whoever only reads them. */
export type KnownResources = Pick<Resources, 'list' | 'words'>
