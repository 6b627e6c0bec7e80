/** What is new in a request that comes after an approval, and what of it is settled. */
import type { Authorization } from '../model/authorization.ts'
import { type Client, isPublic } from '../model/client.ts'
import {
  type ApprovedFor,
  holdsFor,
  type Requester,
  type RequesterChange,
  requesterChange,
} from '../model/requester.ts'
import type { Permissions, ScopeName } from '../model/resource.ts'
import type { Session } from '../model/session.ts'
import type { AuthorizationRequest } from '../requests/authorization-request.ts'

export interface Difference {
  /**
   * What is asked again beside something new and stands until it is taken back: it goes along. What
   * ends by itself is not among it, since it would get the end that is chosen for what is new.
   */
  readonly settled: Permissions
  /** All that was allowed before, asked for now or not, with what it is allowed by the longest. */
  readonly before: ReadonlyMap<ScopeName, Authorization>
}

/** Whether it stands until it is taken back. */
const isForGood = ({ sessionId, expiresAt }: Authorization): boolean =>
  sessionId === null && expiresAt === null

/**
 * What has changed about the client since its owner approved something; null where nothing has, or
 * where the owner has seen it since.
 */
export const changeOf = (
  standing: readonly Authorization[],
  { host, ...requester }: Requester,
): RequesterChange | null => {
  const now: ApprovedFor = { ...requester, hosts: [host] }
  const changes = standing
    .map(({ approvedFor }) => approvedFor)
    .filter((approvedFor) => approvedFor !== null)
    .map((approvedFor) => requesterChange(approvedFor, now))
  return changes.includes(null) ? null : (changes[0] ?? null)
}

/**
 * All of it is decided anew where nothing is new, and where the name of a client proves nothing.
 * What was approved for the client as it was before a change is not settled either.
 *
 * @param standing the longest-lasting first
 */
export const differenceOf = (
  { permissions, prompt }: AuthorizationRequest,
  client: Client,
  session: Session,
  standing: readonly Authorization[],
  requester: Requester,
): Difference => {
  const before = new Map<ScopeName, Authorization>()
  for (const authorization of standing) {
    if (authorization.sessionId !== null && authorization.sessionId !== session.id) continue
    for (const permission of authorization.permissions) {
      if (!before.has(permission)) before.set(permission, authorization)
    }
  }
  const lasts = (permission: ScopeName): boolean => {
    const by = before.get(permission)
    return by !== undefined && isForGood(by) && holdsFor(by.approvedFor, requester)
  }
  const isNew = permissions.some((permission) => !before.has(permission))
  const isAsked = !isNew || isPublic(client) || prompt.includes('consent')
  return { settled: isAsked ? [] : permissions.filter(lasts), before }
}
