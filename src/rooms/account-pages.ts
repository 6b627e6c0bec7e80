/**
 * The pages of the account and the console by name. A login leads back to a name, never to a URL from
 * the request.
 */
import type { Exchange } from '../http/exchange.ts'
import { rawPath } from '../http/request.ts'
import { isId } from '../model/ids.ts'
import type { ServiceParts } from '../registries.ts'
import { basePath } from './paths.ts'

/** A login leads back to a page of the console whose path is this long at most. */
const consolePathCharacters = 400

interface AccountPlace {
  /** What the login page and its forms carry; '' = the first page of the account. */
  readonly name: string
  readonly path: `/account${string}` | `/admin${string}`
  readonly query: Readonly<Record<string, string>>
}

const firstPage: AccountPlace = { name: '', path: '/account', query: {} }

/** The access log page: needs an authorization id. */
const ledgerOf = (id: string): AccountPlace =>
  isId(id)
    ? { name: `ledger-${id}`, path: '/account/ledger', query: { authorization: id } }
    : firstPage

/**
 * A page of the console is named by its path without the first slash. Anybody may have made it up,
 * and it leads to an address of the console in any case.
 */
const consolePageOf = (name: string): AccountPlace | null =>
  name.length <= consolePathCharacters &&
  /^admin(\/[\w~:%-][\w.~:%-]*)*$/.test(name) &&
  // Browsers take `%2e%2e` for a step upwards.
  !/^admin\/api|%2e/i.test(name)
    ? { name, path: `/${name as `admin${string}`}`, query: {} }
    : null

/**
 * A page of the account is named by its path below `/account/`, so a new page has a name. A made-up
 * name leads to an address of the account in any case.
 */
const pageOf = (name: string): AccountPlace =>
  name.length <= consolePathCharacters && /^[a-z]+(\/[\w~:-]+)*$/.test(name)
    ? { name, path: `/account/${name}`, query: {} }
    : firstPage

/** The page of a name. Anybody may have made it up. */
export const findAccountPage = (name: string): AccountPlace => {
  if (name.startsWith('ledger-')) return ledgerOf(name.slice('ledger-'.length))
  return name.startsWith('admin') ? (consolePageOf(name) ?? firstPage) : pageOf(name)
}

/**
 * The page behind a confirmation; `security` for a name that no row allows.
 *
 * @param allowed names of pages of the account; every page of the console is allowed
 */
export const findConfirmedPage = (name: string | null, allowed: readonly string[]): string => {
  const isAllowed =
    name !== null &&
    (name.startsWith('admin') ? consolePageOf(name) !== null : allowed.includes(name))
  return isAllowed ? name : 'security'
}

/** The page that a request is about: by its row, otherwise by its path. */
export const accountPageOf = (
  { request, back }: Pick<Exchange, 'request' | 'back'>,
  parts: Pick<ServiceParts, 'settings'>,
): AccountPlace => {
  if (back !== undefined) return findAccountPage(typeof back === 'string' ? back : back(request))
  const path = rawPath(request).slice(basePath(parts).length)
  return findAccountPage(path.replace(/^\/(account\/?)?/, ''))
}
