/** Where somebody goes who has just logged in: on with what was asked, or to the account. */
import { type Answer, answerRedirect } from '../http/answer.ts'
import { type Journey, sealJourney } from '../journey/journey.ts'
import type { Visitor } from '../owners/session.ts'
import type { Parts } from '../parts.ts'
import { basePath, pagePath } from './paths.ts'

/** @param cookie the header that sets the session's cookie; null where the browser has it already */
export const answerEntered = (
  cookie: string | null,
  journey: Journey | null,
  visitor: Visitor,
  parts: Parts,
): Answer => {
  const cookies = cookie === null ? [] : [cookie]
  if (journey === null) return answerRedirect(`${basePath(parts)}/account`, 303, cookies)
  const onward = sealJourney({ ...journey, decision: null }, visitor.browser ?? '', parts)
  return answerRedirect(pagePath(parts, 'authorize', onward), 303, cookies)
}
