/**
 * The pages of the account and the console by name. A login leads back to a name, never to a URL from
 * the request.
 */

import type { Exchange } from '../http/exchange.ts'
import { getRawPath } from '../http/request.ts'
import { isId } from '../model/ids.ts'
import type { ServiceParts } from '../registries.ts'
import { getBasePath } from './visit.ts'

/** A login leads back to a page of the console whose path is this long at most. */
const consolePathCharacters = 400

interface AccountPlace {
  /** What the login page and its forms carry; '' = the first page of the account. */
  readonly name: string
  readonly path: `/account${string}` | `/admin${string}`
  readonly query: Readonly<Record<string, string>>
}

const firstPage: AccountPlace = { name: '', path: '/account', query: {} }

const lostName = /^lost-(?<why>phone|not-me)-(?<step>[1-5])(?:-(?<kind>event|session)-(?<id>.*))?$/

/** A step of the guided page, with the login that the step is about. */
const findLostPage = (name: string): AccountPlace | null => {
  const { why = '', step = '', kind, id = '' } = lostName.exec(name)?.groups ?? {}
  if (why === '' || (kind !== undefined && !isId(id))) return null
  const about = kind === undefined ? {} : { [kind]: id }
  return { name, path: '/account/lost', query: { why, step, ...about } }
}

/**
 * A page of the account is named by its path below `/account/`, and a page of the console by its path
 * without the first slash. Anybody may have made a name up: such a name leads to an address of the
 * account or the console in any case.
 */
const findPage = (name: string): AccountPlace | null => {
  if (name.startsWith('ledger-')) {
    const id = name.slice('ledger-'.length)
    return isId(id) ? { name, path: '/account/ledger', query: { authorization: id } } : null
  }
  if (name.startsWith('lost-')) return findLostPage(name)
  if (name.length > consolePathCharacters) return null
  if (!name.startsWith('admin')) {
    const isPage = /^[a-z]+(\/[\w~:-]+)*$/.test(name)
    return isPage ? { name, path: `/account/${name}`, query: {} } : null
  }
  const isPage = /^admin(\/[\w~:%-][\w.~:%-]*)*$/.test(name)
  // Browsers take `%2e%2e` for a step upwards.
  const isElsewhere = /^admin\/api|%2e/i.test(name)
  return isPage && !isElsewhere ? { name, path: `/${name as `admin${string}`}`, query: {} } : null
}

/** The page of a name; the first page for a name of none. */
export const findAccountPage = (name: string): AccountPlace => findPage(name) ?? firstPage

/**
 * The page behind a confirmation; `security` for a name that no row allows.
 *
 * @param allowed names of pages of the account; every page of the console is allowed
 */
export const findConfirmedPage = (name: string | null, allowed: readonly string[]): string => {
  const found = name === null ? null : findPage(name)
  if (name === null || found === null) return 'security'
  const isAllowed =
    name.startsWith('admin') || allowed.includes(found.path.slice('/account/'.length))
  return isAllowed ? name : 'security'
}

/** The page that a request is about: by its row, otherwise by its path. */
export const findAccountPlace = (
  { request, back }: Pick<Exchange, 'request' | 'back'>,
  parts: Pick<ServiceParts, 'settings'>,
): AccountPlace => {
  if (back !== undefined) return findAccountPage(typeof back === 'string' ? back : back(request))
  const path = getRawPath(request).slice(getBasePath(parts).length)
  return findAccountPage(path.replace(/^\/(account\/?)?/, ''))
}
