/** How long APIs take for revocations, for metrics and for the console. */
import type { Lag } from '../model/metric.ts'
import type { Store } from '../store/store.ts'
import { findSignalLags } from './signals/lag.ts'

/** @param now unix milliseconds */
export type FindLags = (store: Store, now: number) => Promise<readonly Lag[]>

export const featureLags: readonly FindLags[] = [findSignalLags]
