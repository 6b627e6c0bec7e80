/** Scope: what a client asks for (RFC 6749 section 3.3), separated by spaces, commas or both. */
import { limits } from '../config/limits.ts'
import type { Client } from '../model/client.ts'
import type { Permissions, Resource } from '../model/resource.ts'
import { allowsNothing, isScopeWord, scopeWords } from '../model/scope-word.ts'
import { Refusal } from '../protocol/refusal.ts'
import { intersection, ownerPermissions, permissionsIn, withWords } from './permission.ts'

/** RFC 6749 section 3.3; the comma separates here as the space does, and so stands in no name. */
const scopeText = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

const invalid = (reason: string, description: string): Refusal =>
  new Refusal('invalid_scope', reason, description)

/**
 * Splits a scope into its names, once, at the edge: nothing behind this ever sees a comma.
 *
 * @throws Refusal `invalid_scope`
 */
export const parseScope = (text: string): readonly string[] => {
  if (text.length > limits.scopeCharacters) {
    throw invalid('scope_too_long', `scope is longer than ${limits.scopeCharacters} characters`)
  }
  if (!scopeText.test(text)) {
    throw invalid('bad_scope_character', 'scope holds a character that no scope name may have')
  }
  const names = text
    .replaceAll(',', ' ')
    .split(' ')
    .filter((name) => name !== '')
  if (names.length === 0) throw invalid('empty_scope', 'scope names no permission')
  return names
}

/** Names as one text of bounded length. Their characters were checked. */
export const listNames = (names: readonly string[]): string => {
  const most = limits.scopeNameToldCharacters
  const told = names
    .slice(0, limits.scopeNamesTold)
    .map((name) => (name.length > most ? `${name.slice(0, most)}...` : name))
  return `${told.join(', ')}${names.length > told.length ? ', ...' : ''}`
}

/** Names that a description ends with. */
export const tellNames = (names: readonly string[]): string =>
  names.length === 0 ? '' : `: ${listNames(names)}`

/**
 * What names stand for, within `allowed`: a word or a permission for itself, `photos` for `photos:read`
 * and `photos:write`.
 */
export const permissionsNamed = (names: readonly string[], allowed: Permissions): Permissions => {
  const wanted = new Set<string>()
  for (const name of names) {
    if (name.includes(':') || isScopeWord(name)) wanted.add(name)
    else wanted.add(`${name}:read`).add(`${name}:write`)
  }
  return allowed.filter((permission) => wanted.has(permission))
}

/** Names without an effect in `asked`. */
export const namesLeftOut = (scope: string | null, asked: Permissions): readonly string[] =>
  scope === null
    ? []
    : [...new Set(parseScope(scope))].filter((name) => permissionsNamed([name], asked).length === 0)

/**
 * All that a client may ask an owner for: its registered permissions, and every word.
 *
 * @param refreshes false where the answer cannot bring a refresh token: then `offline_access` says nothing
 */
export const askableOfOwner = (
  { scope, grantTypes }: Pick<Client, 'scope' | 'grantTypes'>,
  resources: readonly Resource[],
  refreshes = true,
): Permissions => {
  const isOffline = refreshes && grantTypes.includes('refresh_token')
  return withWords(
    intersection(scope, ownerPermissions(resources)),
    scopeWords.filter((word) => isOffline || word !== 'offline_access'),
  )
}

/**
 * The effect of a requested scope, within the allowed one: every permission without a scope.
 * Unknown names beside known ones are left out; the answer's `scope` says so.
 *
 * @throws Refusal `invalid_scope` where nothing is left
 */
export const askedPermissions = (scope: string | null, allowed: Permissions): Permissions => {
  const names = scope === null ? [] : parseScope(scope)
  const asked = scope === null ? permissionsIn(allowed) : permissionsNamed(names, allowed)
  if (!allowsNothing(asked)) return asked
  if (scope === null) {
    throw invalid('no_scope', 'scope is missing, and the client is registered for no permission')
  }
  const said = 'scope names no permission that this client may ask for'
  throw invalid('unknown_scope', said + tellNames(names))
}
