/** Permissions and words as sets: canonical arrays, so that equal sets are equal texts. */

import {
  actionsOf,
  adminPermissions,
  type Permission,
  type Permissions,
  type Resource,
  type ScopeName,
} from '../model/resource.ts'
import { isScopeWord, type OwnClaims, type ScopeWord, scopeWords } from '../model/scope-word.ts'

/** Sorted, each once. */
const permissionSet = <Name extends ScopeName>(names: Iterable<Name>): readonly Name[] =>
  [...new Set(names)].sort()

export const intersection = (a: Permissions, b: Permissions): Permissions =>
  a.filter((permission) => b.includes(permission))

export const difference = (a: Permissions, b: Permissions): Permissions =>
  a.filter((permission) => !b.includes(permission))

export const covers = (have: Permissions, wanted: Permissions): boolean =>
  wanted.every((permission) => have.includes(permission))

/** The wire form: separated by spaces (RFC 6749 section 3.3). */
export const formatScope = (permissions: Permissions): string => permissions.join(' ')

/** Reads what `formatScope` wrote; only for text of our own. */
export const readScope = (text: string): Permissions =>
  text === '' ? [] : (text.split(' ') as ScopeName[])

export const wordsIn = (names: Permissions): readonly ScopeWord[] => names.filter(isScopeWord)

export const permissionsIn = (names: Permissions): readonly Permission[] =>
  names.filter((name) => !isScopeWord(name)) as readonly Permission[]

export const withWords = (names: Permissions, words: readonly ScopeWord[]): Permissions =>
  permissionSet([...names, ...words])

/**
 * Leaves out permissions beyond the limit of a client. Every client may have words.
 *
 * @param limit null without one
 */
export const withinScope = (names: Permissions, limit: Permissions | null): Permissions =>
  limit === null ? names : names.filter((name) => limit.includes(name) || isScopeWord(name))

/** `photos` of `photos:read`. */
export const resourceOf = (permission: Permission): string =>
  permission.slice(0, permission.lastIndexOf(':'))

export const ownerPermissions = (resources: readonly Resource[]): readonly Permission[] =>
  permissionSet(
    resources.flatMap((resource) =>
      actionsOf(resource).map((action): Permission => `${resource.name}:${action}`),
    ),
  )

/** What there is to ask for: resources, and words of the operator's own. */
export interface Askable {
  list(): readonly Resource[]
  readonly words: readonly OwnClaims[]
}

export const grantableNames = (askable: Askable): Permissions =>
  withWords(ownerPermissions(askable.list()), scopeWords(askable.words))

/** Everything that the operator can register a client for. */
export const allPermissions = (askable: Askable): Permissions =>
  permissionSet([...grantableNames(askable), ...adminPermissions])
