/** A resource is a named kind of thing an owner has. Each has two permissions: read and write. */

import type { Text } from './language.ts'
import type { ScopeWord } from './scope-word.ts'

/** What a permission allows with a resource. */
export type Action = 'read' | 'write'

/** One permission as it is written in a scope: `photos:read`. */
export type Permission = `${string}:${string}`

/** One name in a scope. */
export type ScopeName = Permission | ScopeWord

/**
 * All that an owner allows: permissions and words, each once, in alphabetical order. So equal sets are
 * equal arrays.
 */
export type Permissions = readonly ScopeName[]

/** A named kind of thing that owners have. */
export interface Resource {
  /** The name in paths and scopes: lower-case letters, digits and `-`. */
  readonly name: string
  /** What pages call it, such as `Photos`. */
  readonly title: Text
  /** What each permission means, in plain words for the owner. */
  readonly read: Text
  readonly write: Text
}

/** The operator's own resources, reached through `/admin/api`; no owner can grant them. */
export const adminPermissions: readonly Permission[] = [
  'authorizations:read',
  'authorizations:write',
  'clients:read',
  'clients:write',
  'events:read',
  'owners:read',
  'owners:write',
]
