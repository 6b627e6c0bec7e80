/** The logins and the access of one owner, for operators: to be seen and ended. */
import { type Answer, answerJson, answerNothing } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { SessionHandle } from '../model/ids.ts'
import { noSession, type Session } from '../model/session.ts'
import { traceOf } from '../parts.ts'
import { parseLimit } from '../protocol/parameters.ts'
import type { EndpointParts } from '../registries.ts'
import { findOperator } from './admin.ts'
import { checkSameRoles, findChangeable, findNamed } from './named-owner.ts'
import { describePage, keyOf, readListQuery } from './paging.ts'

/** Nothing that opens the session. */
const describe = (session: Session) => ({
  id: session.handle,
  started_at: session.startedAt,
  seen_at: session.seenAt,
  expires_at: session.expiresAt,
  user_agent: session.userAgent,
  network: session.network,
  amr: session.methods,
})

/** `GET .../sessions`: newest first. */
export const listSessions = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'owners:read', parts)
  const { id } = await findNamed(exchange, parts)
  const query = readListQuery(exchange)
  const after = keyOf<SessionHandle>(query, 'after')
  const page = await parts.store.listSessions(id, after, parseLimit(query), exchange.at)
  return answerJson(describePage(page, describe))
}

/** `POST .../end-sessions`: logs the owner out everywhere. Applications keep their access. */
export const endSessions = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const owner = await findChangeable(exchange, parts)
  const { id, roles } = owner
  const trace = traceOf(exchange, parts)
  const ended = await parts.store.endOtherSessions(id, noSession, trace, roles)
  if (ended === 0) await checkSameRoles(owner, parts)
  return answerNothing()
}

/** `POST .../end-access`: ends all logins, and all access of applications. */
export const endAccess = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  const owner = await findChangeable(exchange, parts)
  const ended = await parts.store.endAccessOf(owner.id, traceOf(exchange, parts), owner.roles)
  if (!ended) await checkSameRoles(owner, parts)
  return answerNothing()
}
