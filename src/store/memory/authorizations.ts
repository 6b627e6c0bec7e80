/** Remembered authorizations. */
import type { AuthorizationSteps } from '../authorization-steps.ts'
import type { Marks } from './marks.ts'
import type { Standings } from './standings.ts'

type AuthorizationReads = Pick<AuthorizationSteps, 'findAuthorization'>

export const rememberAuthorizations = (
  store: AuthorizationReads,
  marks: Marks,
  standings: Standings,
): AuthorizationReads => ({
  findAuthorization(id, now) {
    const known = standings.findAuthorization(id, now)
    if (known !== null) return Promise.resolve(known)
    return marks.read(
      () => store.findAuthorization(id, now),
      (authorization) => standings.rememberAuthorization(authorization),
    )
  },
})
