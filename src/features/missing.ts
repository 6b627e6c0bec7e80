/** People whom a directory misses, or does not tell of, for the console. */
import type { Store } from '../store/store.ts'
import type { MissingPeople } from './contract.ts'
import { findMissingPeople } from './leavers/missing.ts'

/** @param at unix seconds */
export type FindMissing = (store: Store, at: number) => Promise<readonly MissingPeople[]>

export const featureMissing: readonly FindMissing[] = [findMissingPeople]
