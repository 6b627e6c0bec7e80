/** The new and the settled permissions of a request after an approval. */
import type { Authorization } from '../model/authorization.ts'
import { type Client, isPublic } from '../model/client.ts'
import {
  type ApprovedFor,
  isApprovedFor,
  type Requester,
  type RequesterChange,
  requesterChange,
} from '../model/requester.ts'
import type { Permissions, ScopeName } from '../model/resource.ts'
import type { Session } from '../model/session.ts'
import type { AuthorizationRequest } from '../requests/authorization-request.ts'

export type Difference = ReturnType<typeof computeDifference>

/** Whether it stands until it is taken back. */
const isForGood = ({ sessionId, expiresAt }: Authorization): boolean =>
  sessionId === null && expiresAt === null

/**
 * The client's changes since an approval; null without any, or if the owner has seen them since.
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
 * Everything is decided anew without a new permission, and for a client whose name proves nothing.
 * An approval from before a change of the client settles nothing either.
 *
 * @param standing the longest-lasting first
 */
export const computeDifference = (
  { permissions, prompt }: AuthorizationRequest,
  client: Client,
  session: Session,
  standing: readonly Authorization[],
  requester: Requester,
) => {
  /** All that was allowed before, asked for now or not, with what it is allowed by the longest. */
  const before = new Map<ScopeName, Authorization>()
  for (const authorization of standing) {
    if (authorization.sessionId !== null && authorization.sessionId !== session.id) continue
    for (const permission of authorization.permissions) {
      if (!before.has(permission)) before.set(permission, authorization)
    }
  }
  const lasts = (permission: ScopeName): boolean => {
    const by = before.get(permission)
    return by !== undefined && isForGood(by) && isApprovedFor(by.approvedFor, requester)
  }
  const isNew = permissions.some((permission) => !before.has(permission))
  const isAsked = !isNew || isPublic(client) || prompt.includes('consent')
  // Permissions with an end are not settled: they would get the end of the new ones.
  const settled: Permissions = isAsked ? [] : permissions.filter(lasts)
  return { settled, before }
}
