/** Scope: what a client asks for (RFC 6749 section 3.3), separated by spaces, commas or both. */
import { limits } from '../config/limits.ts'
import type { Permissions } from '../model/resource.ts'
import { Refusal } from '../protocol/refusal.ts'

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

/** Names that a description ends with. Their characters were checked, so any of them may stand there. */
export const tellNames = (names: readonly string[]): string => {
  if (names.length === 0) return ''
  const most = limits.scopeNameToldCharacters
  const told = names
    .slice(0, limits.scopeNamesTold)
    .map((name) => (name.length > most ? `${name.slice(0, most)}...` : name))
  return `: ${told.join(', ')}${names.length > told.length ? ', ...' : ''}`
}

/** The permissions of `allowed` that names stand for; `photos` stands for `photos:read` and `photos:write`. */
export const permissionsNamed = (names: readonly string[], allowed: Permissions): Permissions => {
  const wanted = new Set<string>()
  for (const name of names) {
    if (name.includes(':')) wanted.add(name)
    else wanted.add(`${name}:read`).add(`${name}:write`)
  }
  return allowed.filter((permission) => wanted.has(permission))
}

/**
 * What a request asks for, within what is allowed: everything where it names no scope. Unknown
 * names beside known ones are left out; the answer's `scope` says so.
 *
 * @throws Refusal `invalid_scope` where nothing is left
 */
export const askedPermissions = (scope: string | null, allowed: Permissions): Permissions => {
  const names = scope === null ? [] : parseScope(scope)
  const asked = scope === null ? allowed : permissionsNamed(names, allowed)
  if (asked.length > 0) return asked
  const said = 'scope names no permission that this client may ask for'
  throw invalid('unknown_scope', said + tellNames(names))
}
