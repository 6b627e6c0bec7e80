/** People whom a directory misses, or does not tell of, for the console. */
import type { OwnerId } from '../model/ids.ts'
import type { Store } from '../store/store.ts'
import type { MissingPeople } from './contract.ts'
import { findDirectoryOfLeaver, findMissingPeople } from './leavers/missing.ts'

/** @param at unix seconds */
export type FindMissing = (store: Store, at: number) => Promise<readonly MissingPeople[]>

export const featureMissing: readonly FindMissing[] = [findMissingPeople]

const featureDisablers = [findDirectoryOfLeaver] as const

/** The upstream that has disabled an owner, and no operator since; null for none. */
export const findDisabledBy = async (store: Store, id: OwnerId): Promise<string | null> => {
  const found = await Promise.all(featureDisablers.map((find) => find(store, id)))
  return found.find((upstream) => upstream !== null) ?? null
}
