/**
 * The pages of the account and the console by name. A login leads back to a name, never to a URL from
 * the request.
 */
import { consoleLimits } from '../config/console-limits.ts'
import { type Exchange, queryOf } from '../http/exchange.ts'
import { rawPath } from '../http/request.ts'
import { isId } from '../model/ids.ts'
import type { Parts } from '../parts.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { basePath } from './paths.ts'

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
  name.length <= consoleLimits.consolePathCharacters &&
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
  name.length <= consoleLimits.consolePathCharacters && /^[a-z]+(\/[\w~:-]+)*$/.test(name)
    ? { name, path: `/account/${name}`, query: {} }
    : firstPage

/** The page of a name. Anybody may have made it up. */
export const findAccountPage = (name: string): AccountPlace => {
  if (name.startsWith('ledger-')) return ledgerOf(name.slice('ledger-'.length))
  return name.startsWith('admin') ? (consolePageOf(name) ?? firstPage) : pageOf(name)
}

/** The pages that `/account/confirm` leads back to. */
const confirmedPages = [
  'security',
  'security/codes',
  'security/recovery',
  'email',
  'download',
  'delete',
] as const

export type ConfirmedPage = (typeof confirmedPages)[number] | `admin${string}`

const isOfConsole = (name: string): name is `admin${string}` =>
  name.startsWith('admin') && consolePageOf(name) !== null

/** The page that `/account/confirm` leads back to; `security` for an unknown name. */
export const confirmedPageOf = (name: string | null): ConfirmedPage => {
  if (name !== null && isOfConsole(name)) return name
  return confirmedPages.find((page) => page === name) ?? 'security'
}

export const confirmedPageIn = (parameters: Parameters): ConfirmedPage =>
  confirmedPageOf(parameters.find('next'))

/** The page that a request is about. */
export const accountPageOf = (
  { request }: Pick<Exchange, 'request'>,
  parts: Pick<Parts, 'settings'>,
): AccountPlace => {
  const path = rawPath(request).slice(basePath(parts).length)
  if (path.startsWith('/admin')) return findAccountPage(path.slice(1))
  if (path === '/account/ledger') return ledgerOf(queryOf(request).find('authorization') ?? '')
  // The proof that this page asks for is the login itself.
  if (path === '/account/confirm') return findAccountPage(confirmedPageIn(queryOf(request)))
  // Its forms stand on the page of security.
  if (path === '/account/upstreams') return pageOf('security')
  return pageOf(path.slice('/account/'.length))
}
