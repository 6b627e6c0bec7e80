/** What is new in a request that comes after an approval: only that has to be decided. */
import { without } from '../access/permission.ts'
import type { Authorization } from '../model/authorization.ts'
import { type Client, isPublic } from '../model/client.ts'
import type { Permissions } from '../model/resource.ts'
import type { Session } from '../model/session.ts'
import type { AuthorizationRequest } from '../requests/authorization-request.ts'

export interface Difference {
  /** What the owner decides now. */
  readonly open: Permissions
  /** What is asked again and was allowed before; it goes along. */
  readonly settled: Permissions
  /** All that was allowed before, asked for now or not. */
  readonly before: Permissions
}

/** All of it is decided anew where nothing is new, and where the name of a client proves nothing. */
export const differenceOf = (
  { permissions, prompt }: AuthorizationRequest,
  client: Client,
  session: Session,
  standing: readonly Authorization[],
): Difference => {
  const before = standing
    .filter(({ sessionId }) => sessionId === null || sessionId === session.id)
    .flatMap((authorization) => authorization.permissions)
  const fresh = without(permissions, before)
  const isAsked = fresh.length === 0 || isPublic(client) || prompt.includes('consent')
  return isAsked
    ? { open: permissions, settled: [], before }
    : { open: fresh, settled: without(permissions, fresh), before }
}
