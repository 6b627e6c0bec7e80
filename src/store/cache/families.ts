/** Remembered families and standings. */
import type { Authorization, Family, Standing } from '../../model/authorization.ts'
import type { AuthorizationSteps } from '../contract/authorization.ts'
import type { FamilySteps } from '../contract/family.ts'
import type { Marks } from './marks.ts'
import type { Recall } from './recall.ts'
import type { Standings } from './standings.ts'

type FamilyReads = Pick<FamilySteps, 'findStanding'>
type Rotate = FamilySteps['rotateRefreshToken']

/** The outcome of these steps holds the family as it is now. */
type Left = { readonly family?: Family } | null

export const rememberStandings = (
  store: FamilyReads,
  marks: Marks,
  standings: Standings,
  recall: Recall,
): FamilyReads => ({
  findStanding: recall<Parameters<FamilyReads['findStanding']>, Standing | null>(
    (id, now) => standings.find(id, now) ?? undefined,
    async (id, now, also) => {
      const read = await marks.read(
        () => store.findStanding(id, now, 'disabled'),
        (standing) => {
          if (!standing.isDisabled) standings.remember(standing)
        },
      )
      return read?.isDisabled && also === undefined ? null : read
    },
  ),
})

/** What the only writer of a database knows of families by its own steps. */
export const rememberFamilies = (standings: Standings) => {
  const remember = (outcome: unknown): void => {
    const family = (outcome as Left)?.family
    if (family !== undefined) standings.rememberFamily(family)
  }
  /** Adds the cached family to a rotation, before the step itself invalidates it. */
  const rotateKnown =
    (rotate: Rotate): Rotate =>
    (rotation, trace) =>
      rotate({ ...rotation, known: standings.findCurrent(rotation, trace.at) }, trace)
  return {
    rotateKnown,
    outcomes: { redeemCode: remember, startFamily: remember, rotateRefreshToken: remember },
  }
}

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
