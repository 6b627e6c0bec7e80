/** The pages of the account by the names under which a login leads back to them: never a URL that somebody sent. */
import { type Exchange, queryOf } from '../../http/exchange.ts'
import { rawPath } from '../../http/request.ts'
import { isId } from '../../model/ids.ts'
import type { Parts } from '../../parts.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { basePath } from './paths.ts'

const paths = {
  sessions: '/account/sessions',
  password: '/account/password',
  events: '/account/events',
  ended: '/account/ended',
  security: '/account/security',
  codes: '/account/security/codes',
  recovery: '/account/security/recovery',
} as const

const known = Object.entries(paths)

interface AccountPage {
  /** What the login page and its forms carry; '' = the first page. */
  readonly name: string
  readonly path: `/account${string}`
  readonly query: Readonly<Record<string, string>>
}

const firstPage: AccountPage = { name: '', path: '/account', query: {} }

/** The one page that is of something. */
const ledgerOf = (id: string): AccountPage =>
  isId(id)
    ? { name: `ledger-${id}`, path: '/account/ledger', query: { authorization: id } }
    : firstPage

/** The page of a name, which anybody may have made up: what is none is the first page. */
export const findAccountPage = (name: string): AccountPage => {
  if (name.startsWith('ledger-')) return ledgerOf(name.slice('ledger-'.length))
  const [, path] = known.find(([one]) => one === name) ?? []
  return path === undefined ? firstPage : { name, path, query: {} }
}

/** The pages that `/account/confirm` leads back to. */
export type ConfirmedPage = 'security' | 'codes' | 'recovery'

/** The name that `/account/confirm` was given, or of the page that links there. */
export const confirmedPageIn = (parameters: Parameters): ConfirmedPage => {
  const next = parameters.find('next')
  return next === 'codes' || next === 'recovery' ? next : 'security'
}

/** The page that a request is about. */
export const accountPageOf = (
  { request }: Exchange,
  parts: Pick<Parts, 'settings'>,
): AccountPage => {
  const path = rawPath(request).slice(basePath(parts).length)
  if (path === '/account/ledger') return ledgerOf(queryOf(request).find('authorization') ?? '')
  // The proof that this page asks for is the login itself.
  if (path === '/account/confirm') return findAccountPage(confirmedPageIn(queryOf(request)))
  return findAccountPage(known.find(([, one]) => one === path)?.[0] ?? '')
}
