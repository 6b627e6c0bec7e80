/** Remembered authorizations. */
import type { AuthorizationSteps } from '../authorization-steps.ts'
import type { Marks } from './marks.ts'
import type { Standings } from './standings.ts'

type Reads = Pick<AuthorizationSteps, 'findAuthorization'>

export const rememberAuthorizations = (
  store: Reads,
  marks: Marks,
  standings: Standings,
): Reads => ({
  findAuthorization(id, now) {
    const known = standings.findAuthorization(id, now)
    if (known !== null) return Promise.resolve(known)
    return marks.read(
      () => store.findAuthorization(id, now),
      (authorization) => standings.rememberAuthorization(authorization),
    )
  },
})
