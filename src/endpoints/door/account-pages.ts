/** The account pages by name. A login leads back to a name, never to a URL from the request. */
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
  /** What the login page and its forms carry; '' = the first page. */
  readonly name: string
  readonly path: `/account${string}`
  readonly query: Readonly<Record<string, string>>
}

const firstPage: AccountPlace = { name: '', path: '/account', query: {} }

/** The access log page: needs an authorization id. */
const ledgerOf = (id: string): AccountPlace =>
  isId(id)
    ? { name: `ledger-${id}`, path: '/account/ledger', query: { authorization: id } }
    : firstPage

/** The page of a name. Anybody may have made it up, so an unknown name is the first page. */
export const findAccountPage = (name: string): AccountPlace => {
  if (name.startsWith('ledger-')) return ledgerOf(name.slice('ledger-'.length))
  const [, path] = known.find(([one]) => one === name) ?? []
  return path === undefined ? firstPage : { name, path, query: {} }
}

/** The pages that `/account/confirm` leads back to. */
const confirmedPages = ['security', 'codes', 'recovery', 'email', 'delete'] as const

export type ConfirmedPage = (typeof confirmedPages)[number]

/** The page that `/account/confirm` leads back to; `security` for an unknown name. */
export const confirmedPageIn = (parameters: Parameters): ConfirmedPage => {
  const next = parameters.find('next')
  return confirmedPages.find((page) => page === next) ?? 'security'
}

/** The page that a request is about. */
export const accountPageOf = (
  { request }: Pick<Exchange, 'request'>,
  parts: Pick<Parts, 'settings'>,
): AccountPlace => {
  const path = rawPath(request).slice(basePath(parts).length)
  if (path === '/account/ledger') return ledgerOf(queryOf(request).find('authorization') ?? '')
  // The proof that this page asks for is the login itself.
  if (path === '/account/confirm') return findAccountPage(confirmedPageIn(queryOf(request)))
  return findAccountPage(known.find(([, one]) => one === path)?.[0] ?? '')
}
