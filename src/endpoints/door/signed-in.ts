/** What all pages of the account share: they are for whoever is logged in, and say what was just done. */
import { digest, equalTexts } from '../../crypto/digest.ts'
import type { Answer } from '../../http/answer.ts'
import { type Exchange, queryOf } from '../../http/exchange.ts'
import { type ClientId, isId } from '../../model/ids.ts'
import type { Guesser } from '../../owners/counters.ts'
import { csrfToken, findVisitor, type Visitor } from '../../owners/session.ts'
import type { Parts } from '../../parts.ts'
import { accountPageOf } from './account-pages.ts'
import type { Endpoint } from './door.ts'
import { isForeign } from './forms.ts'
import { answerSeeOther } from './view.ts'

/** Somebody who is logged in. */
export type SignedIn = Visitor & { readonly login: NonNullable<Visitor['login']> }

type OwnersEndpoint = (visitor: SignedIn, exchange: Exchange, parts: Parts) => Promise<Answer>

/**
 * Sends somebody to log in who comes back to the page afterwards. What a form of ours would have done
 * is not done then, which the login page says; of what another site sends it says nothing.
 */
export const answerLoginFirst = (visitor: Visitor, exchange: Exchange, parts: Parts): Answer => {
  const { request } = exchange
  const { name: next } = accountPageOf(exchange, parts)
  const isOurs = request.method === 'POST' && visitor.browser !== null && !isForeign(request, parts)
  const done = isOurs ? doneQuery({ what: 'nothing', clientId: null }, visitor) : {}
  return answerSeeOther('/login', { next, ...done }, exchange, parts)
}

/** @param otherwise answers everybody else */
export const forOwner =
  (endpoint: OwnersEndpoint, otherwise = answerLoginFirst): Endpoint =>
  async (exchange, parts) => {
    const visitor = await findVisitor(exchange, parts)
    const { login } = visitor
    if (login === null) return otherwise(visitor, exchange, parts)
    return endpoint({ ...visitor, login }, exchange, parts)
  }

/** Strangers and other logins never make this one wait. */
export const guesserIn = ({ login }: SignedIn): Guesser => ({
  is: 'login',
  handle: login.session.handle,
  ownerId: login.owner.id,
})

/** What was done, and to the access of which application where it was to one. */
export interface Done {
  readonly what: string
  readonly clientId: ClientId | null
}

/** Says that this very browser and login was told so: nobody else knows what its forms carry. */
const tagOf = ({ what, clientId }: Done, visitor: Visitor): string =>
  digest(`done\n${csrfToken(visitor)}\n${what}\n${clientId ?? ''}`).slice(0, 16)

const doneQuery = (done: Done, visitor: Visitor): Readonly<Record<string, string>> => ({
  done: done.what,
  client: done.clientId ?? '',
  tag: tagOf(done, visitor),
})

/**
 * Back to a page, and to where its list was, which says what was done.
 *
 * @param cookies headers that set them
 */
export const answerDone = (
  path: `/account${string}`,
  what: string,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Pick<Parts, 'settings'>,
  clientId: ClientId | null = null,
  cookies: readonly string[] = [],
): Answer => {
  const after = parseCursor(exchange, 'after') ?? ''
  const query = { ...doneQuery({ what, clientId }, visitor), after }
  return answerSeeOther(path, query, exchange, parts, cookies)
}

/** What was just done; null where nothing was, or where only a link says so. */
export const doneOf = ({ request }: Exchange, visitor: Visitor): Done | null => {
  const query = queryOf(request)
  const what = query.find('done')
  // The tag of a browser without a cookie could be made by anybody.
  if (what === null || visitor.browser === null) return null
  const done = { what, clientId: query.find('client') as ClientId | null }
  return equalTexts(query.find('tag') ?? '', tagOf(done, visitor)) ? done : null
}

/** The same in the words of a page. */
export const noticeOf = (
  exchange: Exchange,
  visitor: Visitor,
  said: Readonly<Record<string, string>>,
): string | null => {
  const done = doneOf(exchange, visitor)
  return done !== null && Object.hasOwn(said, done.what) ? (said[done.what] ?? null) : null
}

/** Where a list goes on: the key that an earlier page named, or its beginning. */
export const parseCursor = <Key extends string>(
  { request }: Exchange,
  name: 'after' | 'before',
): Key | null => {
  const text = queryOf(request).find(name)
  return text !== null && isId(text) ? (text as Key) : null
}
