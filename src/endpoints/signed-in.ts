/** What all pages of the account share: they are for whoever is logged in, and say what was just done. */
import { digest, equalTexts } from '../crypto/digest.ts'
import { type Answer, answerRedirect } from '../http/answer.ts'
import { type Exchange, queryOf } from '../http/exchange.ts'
import { type ClientId, isId } from '../model/ids.ts'
import { csrfToken, findVisitor, type Visitor } from '../owners/session.ts'
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

/** What was done, and to the access of which application where it was to one. */
export interface Done {
  readonly what: string
  readonly clientId: ClientId | null
}

/** Says that this very login was told so: nobody else knows what its forms carry. */
const tagOf = ({ what, clientId }: Done, visitor: SignedIn): string =>
  digest(`done\n${csrfToken(visitor)}\n${what}\n${clientId ?? ''}`).slice(0, 16)

/** Back to a page, which says what was done. */
export const answerDone = (
  path: `/account${string}`,
  what: string,
  visitor: SignedIn,
  parts: Pick<Parts, 'settings'>,
  clientId: ClientId | null = null,
): Answer => {
  const client = clientId === null ? '' : `&client=${encodeURIComponent(clientId)}`
  const tag = tagOf({ what, clientId }, visitor)
  return answerRedirect(`${basePath(parts)}${path}?done=${what}${client}&tag=${tag}`, 303)
}

/** What was just done; null where nothing was, or where only a link says so. */
export const doneOf = ({ request }: Exchange, visitor: SignedIn): Done | null => {
  const query = queryOf(request)
  const what = query.find('done')
  if (what === null) return null
  const done = { what, clientId: query.find('client') as ClientId | null }
  return equalTexts(query.find('tag') ?? '', tagOf(done, visitor)) ? done : null
}

/** The same in the words of a page. */
export const noticeOf = (
  exchange: Exchange,
  visitor: SignedIn,
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
