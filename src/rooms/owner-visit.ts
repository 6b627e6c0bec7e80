/** Pages for owners who are logged in. The pages say what was just done. */
import type { Settings } from '../config/settings.ts'
import { equalTexts, hashText } from '../crypto/digest.ts'
import type { Answer } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { queryOf } from '../http/request.ts'
import { type ClientId, isId } from '../model/ids.ts'
import type { Guesser } from '../owners/counters.ts'
import { deriveCsrfToken, stripLogin } from '../owners/session.ts'
import { findAccountPlace } from './account-pages.ts'
import { isForeign } from './form.ts'
import { answerSeeOther, type Visit } from './visit.ts'

export interface OwnerVisit extends Visit {
  readonly login: NonNullable<Visit['login']>
}

/**
 * Redirects to the login and back. A submitted form is not executed, and the login page says so.
 * The page says nothing about what another site sent.
 */
export const answerLoginFirst = (visit: Visit, parts: { readonly settings: Settings }): Answer => {
  const { request, browser } = visit
  const { name: next } = findAccountPlace(visit, parts)
  const isOurs = request.method === 'POST' && browser !== null && !isForeign(request, parts)
  const csrf = deriveCsrfToken(stripLogin(visit))
  const done = isOurs ? formatDone({ what: 'nothing', clientId: null }, csrf) : {}
  return answerSeeOther(visit, '/login', { next, ...done })
}

/** The login that a change is made by. */
export const identify = ({ login }: OwnerVisit) => ({
  ownerId: login.owner.id,
  session: login.session.id,
})

/** Strangers and other logins never make this one wait. */
export const getGuesser = ({ login }: Pick<OwnerVisit, 'login'>): Guesser => ({
  is: 'login',
  handle: login.session.handle,
  ownerId: login.owner.id,
})

/** A change that was just made; `clientId` if it was to the access of one application. */
export interface Done {
  readonly what: string
  readonly clientId: ClientId | null
  /** Further facts for the notice, such as a number. */
  readonly detail?: string
}

/** Proves that this browser and login was told so: nobody else knows what its forms carry. */
const tagOf = ({ what, clientId, detail = '' }: Done, csrf: string): string =>
  hashText(`done\n${csrf}\n${what}\n${clientId ?? ''}\n${detail}`).slice(0, 16)

const formatDone = (done: Done, csrf: string): Readonly<Record<string, string>> => ({
  done: done.what,
  client: done.clientId ?? '',
  detail: done.detail ?? '',
  tag: tagOf(done, csrf),
})

/**
 * Back to a page, and to where its list was. The page says what was done.
 *
 * @param cookies headers that set them
 */
export const answerDone = (
  visit: Visit,
  path: `/account${string}`,
  what: string,
  cookies: readonly string[] = [],
): Answer => {
  const done = formatDone({ what, clientId: null }, visit.csrf)
  const after = parseCursor(visit, 'after') ?? ''
  return answerSeeOther(visit, path, { ...done, after }, cookies)
}

/** The same with more to tell, and with a query of that page's own. */
export const answerDoneAt = (
  visit: Visit,
  path: `/account${string}` | `/admin${string}`,
  done: Done,
  query: Readonly<Record<string, string>> = {},
): Answer => answerSeeOther(visit, path, { ...formatDone(done, visit.csrf), ...query })

/**
 * Redirects to the login page with a notice. A browser that is logged in goes on to the account.
 *
 * @param to the account page, or the request that waits, behind the login
 */
export const answerLogInNow = (
  visit: Visit,
  what: string,
  to: { readonly next?: string; readonly journey?: string } = {},
  cookies: readonly string[] = [],
): Answer => {
  const csrf = deriveCsrfToken(stripLogin(visit))
  const done = formatDone({ what, clientId: null }, csrf)
  return answerSeeOther(visit, '/login', { ...to, ...done }, cookies)
}

/** The change that was just made; null if there was none, or only a foreign link says so. */
export const readDone = ({ request, browser, csrf }: Visit): Done | null => {
  const query = queryOf(request)
  const what = query.find('done')
  // Anybody could make the tag of a browser without a cookie.
  if (what === null || browser === null) return null
  const clientId = query.find('client') as ClientId | null
  const done = { what, clientId, detail: query.find('detail') ?? '' }
  return equalTexts(query.find('tag') ?? '', tagOf(done, csrf)) ? done : null
}

/** The same in the words of a page. */
export const findNotice = (visit: Visit, said: Readonly<Record<string, string>>): string | null => {
  const done = readDone(visit)
  return done !== null && Object.hasOwn(said, done.what) ? (said[done.what] ?? null) : null
}

/** The key after which a list goes on; null = from its beginning. */
export const parseCursor = <Key extends string>(
  { request }: Pick<Exchange, 'request'>,
  name: 'after' | 'before',
): Key | null => {
  const text = queryOf(request).find(name)
  return text !== null && isId(text) ? (text as Key) : null
}
