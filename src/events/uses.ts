/** Last uses of authorizations: collected in memory and written in batches, so that reading costs no write. */
import { limits } from '../config/limits.ts'
import type { AuthorizationId } from '../model/ids.ts'
import type { Uses } from '../parts.ts'
import type { Store } from '../store/store.ts'

export const collectUses = (store: Pick<Store, 'recordUses'>): Uses => {
  let noted = new Map<AuthorizationId, number>()
  const note = (id: AuthorizationId, at: number): void => {
    if (noted.size >= limits.usesCollected && !noted.has(id)) return
    noted.set(id, Math.max(at, noted.get(id) ?? 0))
  }
  return {
    note,
    async flush() {
      if (noted.size === 0) return
      const batch = noted
      noted = new Map()
      try {
        await store.recordUses([...batch].map(([id, at]) => ({ id, at })))
      } catch (fault) {
        for (const [id, at] of batch) note(id, at)
        throw fault
      }
    },
  }
}
