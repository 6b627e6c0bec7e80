/** Whether a request of an application elsewhere still waits for its owner. */
import type { OwnerId } from '../../model/ids.ts'
import type { Store } from '../../store/store.ts'

/** @param at unix seconds */
export const isBackchannelWaiting = async (
  store: Pick<Store, 'listBackchannels'>,
  ownerId: OwnerId,
  at: number,
): Promise<boolean> => (await store.listBackchannels(ownerId, at, 1)).length > 0
