/** Scope: what a client asks for (RFC 6749 section 3.3), separated by spaces, commas or both. */
import { type Client, getScopeLimit } from '../model/client.ts'
import type { Permissions } from '../model/resource.ts'
import { isClientPermission, isOnlyOffline, isScopeWord } from '../model/scope-word.ts'
import type { Extent } from '../model/terms.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { addNames, dropWords, intersect } from './permission.ts'
import { narrowToResources } from './resource-indicator.ts'
import type { Resources } from './resources.ts'

export const scopeLimits = {
  scopeCharacters: 4096,
  /** A refused scope: so many of its names are told, and so much of each. */
  namesTold: 10,
  nameToldCharacters: 80,
} as const

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
  if (text.length > scopeLimits.scopeCharacters) {
    throw invalid(
      'scope_too_long',
      `scope is longer than ${scopeLimits.scopeCharacters} characters`,
    )
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
  const most = scopeLimits.nameToldCharacters
  const told = names
    .slice(0, scopeLimits.namesTold)
    .map((name) => (name.length > most ? `${name.slice(0, most)}...` : name))
  return `${told.join(', ')}${names.length > told.length ? ', ...' : ''}`
}

export const tellNames = (names: readonly string[]): string =>
  names.length === 0 ? '' : `: ${listNames(names)}`

/**
 * What names stand for, within `allowed`: a word or a permission for itself, `photos` for `photos:read`
 * and `photos:write`.
 */
export const selectNamed = (names: readonly string[], allowed: Permissions): Permissions => {
  const wanted = new Set<string>()
  for (const name of names) {
    if (name.includes(':') || allowed.some((one) => one === name)) wanted.add(name)
    else wanted.add(`${name}:read`).add(`${name}:write`)
  }
  return allowed.filter((permission) => wanted.has(permission))
}

/** Names without an effect in `asked`. */
export const listLeftOut = (scope: string | null, asked: Permissions): readonly string[] =>
  scope === null
    ? []
    : [...new Set(parseScope(scope))].filter((name) => selectNamed([name], asked).length === 0)

export type ScopedClient = Pick<Client, 'scope' | 'scopeLimits'>

/**
 * The permissions of a request without `scope`: all that the limit allows. Without a limit they are the
 * client's default, or those of the named `resource`.
 */
export const listImplied = (
  client: ScopedClient,
  allowed: Permissions,
  indicators: readonly string[],
): Permissions => {
  const all = dropWords(allowed)
  if (getScopeLimit(client) !== null) return all
  const defaults = intersect(all, client.scope)
  const namesResource = indicators.some((uri) => uri !== '')
  return defaults.length === 0 && namesResource ? all : defaults
}

/**
 * All that a client may ask an owner for: every word, and every permission within its limit.
 *
 * @param refreshes false where the answer cannot bring a refresh token: then `offline_access` says nothing
 */
export const listAskableOfOwner = (
  client: ScopedClient & Pick<Client, 'grantTypes'>,
  { latest }: Pick<Resources, 'latest'>,
  refreshes = true,
): Permissions => {
  const isOffline = refreshes && client.grantTypes.includes('refresh_token')
  const limit = getScopeLimit(client)
  return latest.grantable.filter((name) =>
    isScopeWord(name)
      ? isOffline || name !== 'offline_access'
      : limit === null || limit.includes(name),
  )
}

/**
 * The effect of a requested scope, within the allowed one. Unknown names beside known ones are left
 * out; the answer's `scope` says so.
 *
 * @param implied the effect of a request without a scope
 * @throws Refusal `invalid_scope` where nothing is left
 */
export const listAsked = (
  scope: string | null,
  allowed: Permissions,
  implied: Permissions = dropWords(allowed),
): Permissions => {
  const names = scope === null ? [] : parseScope(scope)
  const asked = scope === null ? implied : selectNamed(names, allowed)
  if (!isOnlyOffline(asked)) return asked
  if (scope === null) {
    const there = dropWords(allowed)
    const said =
      there.length === 0
        ? 'the client is registered for no permission'
        : `the client registered no default: name some of ${listNames(there)}`
    throw invalid('no_scope', `scope is missing, and ${said}`)
  }
  const said = 'scope names no permission that this client may ask for'
  throw invalid('unknown_scope', said + tellNames(names))
}

/**
 * The same for a request that has `authorization_details` as well. Details grant nothing of a scope, so
 * without one they are all that is asked for.
 *
 * @throws Refusal `invalid_scope`
 */
export const listAskedBeside = (scope: string | null, allowed: Permissions): Permissions => {
  if (scope === null) return []
  const asked = selectNamed(parseScope(scope), allowed)
  return asked.length === 0 ? listAsked(scope, allowed) : asked
}

/** A token request, as its scope follows from it. Its client names only permissions that exist. */
interface AskingRequest {
  readonly client: ScopedClient & Pick<Client, 'grantTypes'>
  readonly parameters: Parameters
}

const listUnlimited = ({ scope }: ScopedClient, { latest }: Resources): Permissions =>
  addNames(latest.builtInPermissions, scope.filter(isClientPermission))

/**
 * What a token request asks for by `scope` and `resource`, within the registration of the client: of an
 * owner, words and permissions. For a token of the client itself, permissions alone, since words are about
 * owners. Nobody approves such a token, so a client without a limit reaches no API elsewhere. Permissions over what is
 * its own it has to register.
 *
 * @throws Refusal `invalid_scope`, `invalid_target`
 */
export const parseAsked = (
  { client, parameters }: AskingRequest,
  of: 'owner' | 'client',
  resources: Resources,
  details: Extent['details'] = [],
): Extent => {
  const allowed =
    of === 'owner'
      ? listAskableOfOwner(client, resources)
      : dropWords(getScopeLimit(client) ?? listUnlimited(client, resources))
  const scope = parameters.find('scope')
  const indicators = parameters.all('resource')
  const implied = scope === null ? listImplied(client, allowed, indicators) : allowed
  const permissions =
    details.length === 0 ? listAsked(scope, allowed, implied) : listAskedBeside(scope, allowed)
  const asked = { permissions, details, audience: [] }
  return indicators.length === 0
    ? asked
    : narrowToResources(asked, indicators, resources.latest.site)
}
