/** Permissions and words as sets: canonical arrays, so that equal sets are equal texts. */

import {
  listActions,
  operatorPermissions,
  type Permission,
  type Permissions,
  type Resource,
  type ScopeName,
} from '../model/resource.ts'
import {
  clientPermissions,
  isScopeWord,
  type OwnClaims,
  type ScopeWord,
  sortWords,
} from '../model/scope-word.ts'

/** Sorted, each once. */
const normalizeNames = <Name extends ScopeName>(names: Iterable<Name>): readonly Name[] =>
  [...new Set(names)].sort()

export const intersect = (a: Permissions, b: Permissions): Permissions =>
  a.filter((permission) => b.includes(permission))

export const subtract = (a: Permissions, b: Permissions): Permissions =>
  a.filter((permission) => !b.includes(permission))

export const hasAll = (have: Permissions, wanted: Permissions): boolean =>
  wanted.every((permission) => have.includes(permission))

/** The wire form: separated by spaces (RFC 6749 section 3.3). */
export const formatScope = (permissions: Permissions): string => permissions.join(' ')

/** Reads what `formatScope` wrote; only for text of our own. */
export const readScope = (text: string): Permissions =>
  text === '' ? [] : (text.split(' ') as ScopeName[])

export const selectWords = (names: Permissions): readonly ScopeWord[] => names.filter(isScopeWord)

export const dropWords = (names: Permissions): readonly Permission[] =>
  names.filter((name) => !isScopeWord(name)) as readonly Permission[]

export const addNames = (names: Permissions, others: Permissions): Permissions =>
  normalizeNames([...names, ...others])

/**
 * Leaves out permissions beyond the limit of a client. Every client may have words.
 *
 * @param limit null without one
 */
export const limitScope = (names: Permissions, limit: Permissions | null): Permissions =>
  limit === null ? names : names.filter((name) => limit.includes(name) || isScopeWord(name))

/** `photos` of `photos:read`. */
export const getResource = (permission: Permission): string =>
  permission.slice(0, permission.lastIndexOf(':'))

export const listOwnerPermissions = (resources: readonly Resource[]): readonly Permission[] =>
  normalizeNames(
    resources.flatMap((resource) =>
      listActions(resource).map((action): Permission => `${resource.name}:${action}`),
    ),
  )

/** What there is to ask for: resources, and words of the operator's own. */
export interface Askable {
  list(): readonly Resource[]
  readonly words: readonly OwnClaims[]
}

export const listGrantable = (askable: Askable): Permissions =>
  addNames(listOwnerPermissions(askable.list()), sortWords(askable.words))

/** Everything that a client can register for by itself. */
export const listRegistrable = (askable: Askable): Permissions =>
  normalizeNames([...listGrantable(askable), ...clientPermissions])

/** Everything that the operator can register a client for. */
export const listAllPermissions = (askable: Askable): Permissions =>
  normalizeNames([...listRegistrable(askable), ...operatorPermissions])
