/** Whether a request of an application elsewhere still waits for its owner. */
import type { IsWaiting } from '../waiting.ts'

export const isBackchannelWaiting: IsWaiting = async (store, ownerId, at) =>
  (await store.listBackchannels(ownerId, at, 1)).length > 0
