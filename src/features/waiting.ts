/** Whether something of a feature waits for an owner, so that a mail about it is no news from yesterday. */
import type { OwnerId } from '../model/ids.ts'
import type { Store } from '../store/store.ts'
import { isBackchannelWaiting } from './backchannel/waiting.ts'

/** @param at unix seconds */
export type IsWaiting = (store: Store, ownerId: OwnerId, at: number) => Promise<boolean>

export const featureWaiting: readonly IsWaiting[] = [isBackchannelWaiting]
