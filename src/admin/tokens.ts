/** Describes and revokes a presented token, for operators. It comes in the body, and is kept nowhere. */
import { type Answer, answerJson } from '../http/answer.ts'
import { readJsonObject } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { traceOf } from '../parts.ts'
import { parseMembers } from '../protocol/members.ts'
import type { EndpointParts } from '../registries.ts'
import { inspectToken } from '../tokens/inspect.ts'
import { describeInspected } from '../tokens/inspected.ts'
import { revokeToken } from '../tokens/revoke.ts'
import { findOperator } from './admin.ts'
import { tokenForm } from './token-form.ts'

const readToken = async ({ request }: Exchange): Promise<string> =>
  parseMembers(tokenForm(), await readJsonObject(request), () => 'invalid_request').token

export const inspect = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'authorizations:read', parts)
  const inspected = await inspectToken(await readToken(exchange), exchange.at, parts)
  return answerJson(describeInspected(inspected))
}

/** An access token alone, or a refresh token with all tokens of its grant. */
export const revoke = async (exchange: Exchange, parts: EndpointParts): Promise<Answer> => {
  await findOperator(exchange, 'authorizations:write', parts)
  const text = (await readToken(exchange)).trim()
  const revoked = await revokeToken(text, 'operator', traceOf(exchange, parts), parts)
  if (revoked !== null) parts.meter.countRevoked(revoked)
  return answerJson({ revoked })
}
