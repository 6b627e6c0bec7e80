/** What an operator should know of the checks of directories. */
import type { OwnerId } from '../../model/ids.ts'
import type { Store } from '../../store/store.ts'
import type { MissingPeople } from './contract.ts'
import { leaverLimits } from './limits.ts'

/** @param at unix seconds */
export const findMissingPeople = async (
  store: Store,
  at: number,
): Promise<readonly MissingPeople[]> => {
  const checks = await store.listDirectoryChecks(at - leaverLimits.shownSeconds)
  return checks.map(({ upstream, missing, checkedAt }) => {
    return { upstream, count: missing, hours: Math.floor((at - checkedAt) / 3600) }
  })
}

/** The upstream that has disabled an owner, and no operator since; null for none. */
export const findDirectoryOfLeaver = (
  store: Pick<Store, 'findDisabler'>,
  id: OwnerId,
): Promise<string | null> => store.findDisabler(id)
