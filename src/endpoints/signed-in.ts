/** What all pages of the account share: they are for whoever is logged in, and say what was just done. */
import { type Answer, answerRedirect } from '../http/answer.ts'
import { type Exchange, queryOf } from '../http/exchange.ts'
import { isId } from '../model/ids.ts'
import { findVisitor, type Visitor } from '../owners/session.ts'
import type { Parts } from '../parts.ts'
import type { Endpoint } from './door.ts'
import { basePath } from './paths.ts'

/** Somebody who is logged in. */
export type SignedIn = Visitor & { readonly login: NonNullable<Visitor['login']> }

type OwnersEndpoint = (visitor: SignedIn, exchange: Exchange, parts: Parts) => Promise<Answer>

/** Everybody else is sent to log in. */
export const forOwner =
  (endpoint: OwnersEndpoint): Endpoint =>
  async (exchange, parts) => {
    const visitor = await findVisitor(exchange.request, exchange.at, parts)
    const { login } = visitor
    if (login === null) return answerRedirect(`${basePath(parts)}/login`, 303)
    return endpoint({ ...visitor, login }, exchange, parts)
  }

/** Back to a page, which says what was done. */
export const answerDone = (
  path: `/account${string}`,
  done: string,
  parts: Pick<Parts, 'settings'>,
): Answer => answerRedirect(`${basePath(parts)}${path}?done=${done}`, 303)

/**
 * What was just done, in the words of the page. The query names one of them and says nothing itself,
 * so that no link can put words into the mouth of a page.
 */
export const noticeOf = (
  { request }: Exchange,
  said: Readonly<Record<string, string>>,
): string | null => {
  const done = queryOf(request).find('done')
  return done !== null && Object.hasOwn(said, done) ? (said[done] ?? null) : null
}

/** Where a list goes on: the key that an earlier page named, or its beginning. */
export const cursorOf = <Key extends string>(
  { request }: Exchange,
  name: 'after' | 'before',
): Key | null => {
  const text = queryOf(request).find(name)
  return text !== null && isId(text) ? (text as Key) : null
}
