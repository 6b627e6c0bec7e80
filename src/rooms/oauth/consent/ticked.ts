/** The ticked boxes of a decision: no more than was asked for, and at least what is required. */
import { subtract } from '../../../access/permission.ts'
import { makeRequester } from '../../../model/requester.ts'
import type { Permissions } from '../../../model/resource.ts'
import { isOnlyOffline } from '../../../model/scope-word.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import { type ConsentVisit, hashRequester, listRequired } from './show.ts'

interface TickedRequest {
  readonly request: ConsentVisit['request']
  readonly target: Pick<ConsentVisit['target'], 'client' | 'redirectUri'>
}

export interface Ticked {
  readonly permissions: Permissions
  /** By their places in the request. */
  readonly details: readonly number[]
}

type Reason = 'bad_consent' | 'consent_incomplete' | 'consent_overtaken'

export const badConsent = (description: string, reason: Reason = 'bad_consent'): Refusal =>
  new Refusal('invalid_request', reason, description)

/** The ticked and settled permissions, and no other. All were asked for, and all required ones are among them. */
export const parseTicked = (
  form: Parameters,
  hasTickedDetail: boolean,
  { request, target }: TickedRequest,
  known: ReadonlySet<string>,
): Permissions => {
  const ticked = new Set([...form.all('permission'), ...form.all('settled')])
  const asked = request.permissions
  const permissions = asked.filter((permission) => ticked.has(permission))
  if (permissions.length < ticked.size) {
    throw badConsent('a permission was ticked that the application did not ask for')
  }
  if (isOnlyOffline(permissions) && !hasTickedDetail) return []
  const required = listRequired(request, target.client, known)
  if (subtract(required, permissions).length > 0) {
    throw badConsent(
      'the application cannot work without one of the permissions that were not ticked: allow it, or deny access',
      'consent_incomplete',
    )
  }
  return permissions
}

/** The places of the ticked details in the request. */
export const parseTickedDetails = (
  form: Parameters,
  { request }: Pick<TickedRequest, 'request'>,
): readonly number[] => {
  const ticked = new Set(form.all('detail'))
  const places = (request.terms.details ?? []).flatMap((_, place) =>
    ticked.has(String(place)) ? [place] : [],
  )
  if (places.length === ticked.size) return places
  throw badConsent('a detail was ticked that the application did not ask for')
}

/** Whether the client has changed since the page was shown: then nobody has decided about it. */
export const hasChanged = (
  form: Parameters,
  { target }: Pick<TickedRequest, 'target'>,
): boolean => {
  const seen = form.find('requester')
  return seen !== null && seen !== hashRequester(makeRequester(target.client, target.redirectUri))
}
