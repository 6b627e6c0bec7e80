/** People whom the latest check of a directory left enabled. */
import type { Store } from '../../store/store.ts'
import type { MissingPeople } from './contract.ts'
import { leaverLimits } from './limits.ts'

/** @param at unix seconds */
export const findMissingPeople = (store: Store, at: number): Promise<readonly MissingPeople[]> =>
  store.listMissingPeople(at - leaverLimits.shownSeconds)
