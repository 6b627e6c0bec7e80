/**
 * The pages of the account and the console by name. A login leads back to a name, never to a URL from
 * the request.
 */
import { consoleLimits } from '../../config/console-limits.ts'
import { type Exchange, queryOf } from '../../http/exchange.ts'
import { rawPath } from '../../http/request.ts'
import { isId } from '../../model/ids.ts'
import type { Parts } from '../../parts.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { basePath } from './paths.ts'

const paths = {
  sessions: '/account/sessions',
  email: '/account/email',
  profile: '/account/profile',
  download: '/account/download',
  delete: '/account/delete',
  password: '/account/password',
  events: '/account/events',
  ended: '/account/ended',
  security: '/account/security',
  codes: '/account/security/codes',
  recovery: '/account/security/recovery',
} as const

const known = Object.entries(paths)

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

/** The page of one application. */
const accessOf = (id: string): AccountPlace =>
  isId(id) ? { name: `access-${id}`, path: `/account/access/${id}`, query: {} } : firstPage

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

/** The page of a name. Anybody may have made it up, so an unknown name is the first page. */
export const findAccountPage = (name: string): AccountPlace => {
  if (name.startsWith('ledger-')) return ledgerOf(name.slice('ledger-'.length))
  if (name.startsWith('access-')) return accessOf(name.slice('access-'.length))
  if (name.startsWith('admin')) return consolePageOf(name) ?? firstPage
  const [, path] = known.find(([one]) => one === name) ?? []
  return path === undefined ? firstPage : { name, path, query: {} }
}

/** The pages that `/account/confirm` leads back to. */
const confirmedPages = ['security', 'codes', 'recovery', 'email', 'download', 'delete'] as const

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
  if (path.startsWith('/account/access/')) return accessOf(path.slice('/account/access/'.length))
  // The proof that this page asks for is the login itself.
  if (path === '/account/confirm') return findAccountPage(confirmedPageIn(queryOf(request)))
  return findAccountPage(known.find(([, one]) => one === path)?.[0] ?? '')
}
