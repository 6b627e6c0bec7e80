/** Notes uses of clients that registered themselves: unused ones are deleted. */
import type { Client } from '../model/client.ts'
import type { ClientId } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import { storeLimits } from '../store/limits.ts'
import type { Store } from '../store/store.ts'
import { clientLimits } from './limits.ts'

/**
 * Notes that a client which registered itself authenticated or got tokens. Unused ones are deleted.
 * Never rejects.
 */
export type NoteClientUse = (
  client: Client,
  at: number,
  store: Pick<Store, 'noteClientUse'>,
) => Promise<void>

/** Writes now and then only, so that a busy client costs no write for each of its requests. */
export const createClientUses = (tell: Tell): NoteClientUse => {
  const noted = new Map<ClientId, number>()
  return async ({ id }, at, store) => {
    if (at - (noted.get(id) ?? 0) < storeLimits.clientUseSeconds) return
    const [oldest] = noted.size < clientLimits.usesNoted ? [] : noted.keys()
    if (oldest !== undefined) noted.delete(oldest)
    noted.delete(id)
    noted.set(id, at)
    try {
      await store.noteClientUse(id, at)
    } catch (fault) {
      // What the client asked for is done. The next request tries again.
      noted.delete(id)
      tell({ level: 'warn', message: 'the use of a client was not noted', fault: String(fault) })
    }
  }
}
