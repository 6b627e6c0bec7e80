/** A resource is a named kind of thing an owner has. Its permissions are read, write and further actions. */

import type { ClientId } from './ids.ts'
import type { JwsAlgorithm } from './key.ts'
import type { Text } from './language.ts'
import {
  type ApiPermission,
  apiPermissions,
  type ClientPermission,
  type ScopeWord,
} from './scope-word.ts'

/** What every resource lets a permission allow. */
export type Action = 'read' | 'write'

/** One permission as it is written in a scope: `photos:read`, or one of a client at the service itself. */
export type Permission = `${string}:${string}` | ClientPermission | ApiPermission

/** One name in a scope. */
export type ScopeName = Permission | ScopeWord

/**
 * All that an owner allows: permissions and words, each once, in alphabetical order. So equal sets are
 * equal arrays.
 */
export type Permissions = readonly ScopeName[]

/** A named kind of thing that owners have, in the built-in API or in somebody's own. */
export interface Resource {
  /** The name in paths and scopes: lower-case letters, digits and `-`. */
  readonly name: string
  /** What pages call it, such as `Photos`. */
  readonly title: Text
  /** What each permission means, in plain words for the owner. */
  readonly read: Text
  readonly write: Text
  /** Further actions, by name, such as `refund`: what each of them means. */
  readonly actions: Readonly<Record<string, Text>>
  /** Members of details about it, by name (RFC 9396 section 2): what each of them means. */
  readonly details: Readonly<Record<string, Text>>
  /** Actions with a mark on pages: `publish` alone is hard to undo, and `write:delete` can delete. */
  readonly destructive: readonly string[]
  /** Somebody's own API: the value of `resource` and the `aud` of its tokens. Null = the built-in API. */
  readonly uri: string | null
  /** `jwt`: as RFC 9068 says, so that an API can verify tokens by itself. */
  readonly accessTokenFormat: 'opaque' | 'jwt'
  /** How such JWTs are signed; absent means RS256. */
  readonly accessTokenAlgorithm?: JwsAlgorithm
  /** The clients that introspect tokens for this resource. */
  readonly introspectionClients: readonly ClientId[]
}

/** The members of a resource that may change. */
export type ResourceChange = Partial<Omit<Resource, 'name'>>

/** All actions of a resource: `read`, `write` and the further ones. */
export const listActions = ({ actions }: Pick<Resource, 'actions'>): readonly string[] => [
  'read',
  'write',
  ...Object.keys(actions),
]

/** The kinds of marked actions: can delete, can spend. */
export const harmKinds = ['delete', 'spend'] as const

/** Why pages mark an action; `other` where its resource names no kind. */
export type Harm = (typeof harmKinds)[number] | 'other'

/** The operator's own resources, reached through `/admin/api`; no owner can grant them. */
export const adminPermissions: readonly Permission[] = [
  'authorizations:read',
  'authorizations:write',
  'clients:read',
  'clients:write',
  'events:read',
  'groups:read',
  'groups:write',
  'issuers:read',
  'issuers:write',
  'keys:read',
  'keys:write',
  'owners:read',
  'owners:write',
  'resources:read',
  'resources:write',
  'streams:read',
  'streams:write',
]

/** What only an operator gives to a client. */
export const operatorPermissions: readonly Permission[] = [...adminPermissions, ...apiPermissions]
