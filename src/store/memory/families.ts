/** Remembered families and standings, and which step changes what about them. */
import type { Family } from '../../model/authorization.ts'
import type { FamilySteps } from '../family-steps.ts'
import type { Marks } from './marks.ts'
import type { Standings } from './standings.ts'
import { theEndings, theFamily, theOwner } from './things.ts'

/** What a step answers that tells how it has left a family. */
interface Changed {
  readonly family?: Family
  readonly outcome?: string
}

export const rememberFamilies = (
  store: FamilySteps,
  marks: Marks,
  standings: Standings,
): FamilySteps => {
  const change = <Outcome extends Changed | null>(
    things: readonly string[],
    step: () => Promise<Outcome>,
  ): Promise<Outcome> =>
    marks.change(things, step, (outcome) => {
      if (outcome?.family !== undefined) standings.rememberFamily(outcome.family)
    })

  return {
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
    isRedeemed: store.isRedeemed,
    isTokenEnded: store.isTokenEnded,

    redeemCode: (redemption, trace) =>
      change([theFamily(redemption.familyId)], () => store.redeemCode(redemption, trace)),
    startFamily(start, trace) {
      const approved = 'asked' in start.under ? [theOwner(start.under.ownerId)] : []
      const things = [theFamily(start.familyId), ...approved]
      return change(things, () => store.startFamily(start, trace))
    },
    rotateRefreshToken(rotation, trace) {
      const { familyId } = rotation
      // Its outcome says whether a token was ended singly, too.
      const things = [theFamily(familyId), theEndings(familyId)]
      return change(things, () => store.rotateRefreshToken(rotation, trace))
    },
    endFamily: (id, trace) => marks.change([theFamily(id)], () => store.endFamily(id, trace)),
    endToken(token, trace) {
      const { of } = token
      const thing = theEndings('clientId' in of ? of.clientId : of.familyId)
      return marks.change([thing], () => store.endToken(token, trace))
    },
  }
}
