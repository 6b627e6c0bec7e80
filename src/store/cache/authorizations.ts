/** Remembered authorizations. */
import type { Authorization } from '../../model/authorization.ts'
import type { AuthorizationSteps } from '../contract/authorization.ts'
import type { Marks } from './marks.ts'
import type { Recall } from './recall.ts'
import type { Standings } from './standings.ts'

type AuthorizationReads = Pick<AuthorizationSteps, 'findAuthorization'>
type Find = AuthorizationReads['findAuthorization']

export const rememberAuthorizations = (
  store: AuthorizationReads,
  marks: Marks,
  standings: Standings,
  recall: Recall,
): AuthorizationReads => ({
  findAuthorization: recall<Parameters<Find>, Authorization | null>(
    (id, now) => standings.findAuthorization(id, now) ?? undefined,
    (id, now) =>
      marks.read(
        () => store.findAuthorization(id, now),
        (authorization) => standings.rememberAuthorization(authorization),
      ),
  ),
})
