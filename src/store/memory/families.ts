/** Remembered families and standings. */
import type { Family } from '../../model/authorization.ts'
import type { FamilySteps } from '../family-steps.ts'
import type { Marks } from './marks.ts'
import type { Standings } from './standings.ts'

type FamilyReads = Pick<FamilySteps, 'findStanding'>

/** The outcome of these steps holds the family as it is now. */
type Left = { readonly family?: Family } | null

export const rememberFamilies = (store: FamilyReads, marks: Marks, standings: Standings) => {
  const remember = (outcome: unknown): void => {
    const family = (outcome as Left)?.family
    if (family !== undefined) standings.rememberFamily(family)
  }
  const reads: FamilyReads = {
    findStanding(id, now, also) {
      const known = standings.find(id, now)
      if (known !== null) return Promise.resolve(known)
      // Where client and owner may be disabled, the answer does not say whether they are.
      if (also !== undefined) return store.findStanding(id, now, also)
      return marks.read(
        () => store.findStanding(id, now),
        (standing) => standings.remember(standing),
      )
    },
  }
  return {
    reads,
    outcomes: { redeemCode: remember, startFamily: remember, rotateRefreshToken: remember },
  }
}
