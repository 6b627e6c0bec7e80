/**
 * What the page of a change to a grant showed. The request is widened by the grant at each step, so the same
 * journey asks for something else once the grant has changed.
 */
import { hashText } from '../../../crypto/digest.ts'
import { makeDetailKey } from '../../../model/detail.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { AuthorizationRequest } from '../../../requests/authorization-request.ts'

/** Goes along with the form. Null where the request names no grant: then the journey says it all. */
export const hashAsked = ({ grant, permissions, terms }: AuthorizationRequest): string | null =>
  grant === undefined || grant.action === 'create'
    ? null
    : hashText(JSON.stringify([permissions, (terms.details ?? []).map(makeDetailKey)]))

/** Whether the owner decided about something else than the request asks for now. */
export const hasMoved = (form: Parameters, request: AuthorizationRequest): boolean => {
  const asked = hashAsked(request)
  return asked !== null && form.find('asked') !== asked
}
