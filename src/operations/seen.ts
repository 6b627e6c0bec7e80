/** The state in which an operator saw the subject of an action: `If-Match` (RFC 9110 section 13.1.1). */
import { hashText } from '../crypto/digest.ts'
import { isNamed, parseCondition } from '../http/conditions.ts'
import type { HttpRequest } from '../http/request.ts'
import { Refusal } from '../protocol/refusal.ts'

/** The version of a subject. A program that read it in a list computes it from the same JSON. */
export const hashShown = (shown: object): string => hashText(JSON.stringify(shown))

export const stateChanged = (): Refusal =>
  new Refusal('precondition_failed', 'precondition_failed', 'it is not as If-Match demands')

/** For an action that compares no state. @throws Refusal `invalid_request` */
export const refuseCondition = ({ headers }: HttpRequest): void => {
  if (headers.get('if-match') === null) return
  const said = 'this action does not compare If-Match: leave it out'
  throw new Refusal('invalid_request', 'condition_unknown', said)
}

/**
 * Whether the request names the state. The step compares the state again, at its commit.
 *
 * @throws Refusal `precondition_failed`, `invalid_request`
 */
export const meetCondition = (request: HttpRequest, shown: object): boolean => {
  const { ifMatch } = parseCondition(request)
  if (ifMatch === undefined) return false
  if (isNamed(hashShown(shown), ifMatch)) return true
  throw stateChanged()
}
