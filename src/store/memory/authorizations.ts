/** Remembered authorizations, and which step changes what about them. */
import type { AuthorizationSteps } from '../authorization-steps.ts'
import type { Marks } from './marks.ts'
import type { Standings } from './standings.ts'
import { theAuthorization, theOwner } from './things.ts'

export const rememberAuthorizations = (
  store: AuthorizationSteps,
  marks: Marks,
  standings: Standings,
): AuthorizationSteps => ({
  findAuthorization(id, now) {
    const known = standings.findAuthorization(id, now)
    if (known !== null) return Promise.resolve(known)
    return marks.read(
      () => store.findAuthorization(id, now),
      (authorization) => standings.rememberAuthorization(authorization),
    )
  },
  findAuthorizations: store.findAuthorizations,
  listAuthorizations: store.listAuthorizations,

  /** It may change others of the same owner, too. */
  approve: (approval, trace) =>
    marks.change([theOwner(approval.ownerId)], () => store.approve(approval, trace)),
  narrowAuthorization: (id, ...args) =>
    marks.change([theAuthorization(id)], () => store.narrowAuthorization(id, ...args)),
  changeAuthorizationEnd: (change, trace) =>
    marks.change([theAuthorization(change.id)], () => store.changeAuthorizationEnd(change, trace)),
  endAuthorization: (id, ...args) =>
    marks.change([theAuthorization(id)], () => store.endAuthorization(id, ...args)),
})
