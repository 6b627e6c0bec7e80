/** The ids that one process remembers: the watermark beside them, and their rows once it ends (decision 0117). */
import type { Ceremony } from '../contract/factor.ts'
import { StoreFault } from '../fault.ts'
import { type Read, type Step, sql } from '../sql/statement.ts'
import { findFact } from './note.ts'

const factId = 'used ids'

/** Unix seconds: each used id without a row was made by then; 0: all have rows. @throws StoreFault */
export const findWatermark = async (read: Read): Promise<number> => {
  const watermark = Number((await findFact(read, factId)) ?? 0)
  if (Number.isSafeInteger(watermark)) return watermark
  throw new StoreFault('failed', 'the watermark of used ids cannot be read')
}

/** @param watermark null: it stays */
export function* noteUsedIds(used: readonly Ceremony[], watermark: number | null): Step<void> {
  for (const { id, expiresAt } of used) {
    // An ended row of the same id may still be there.
    yield sql`insert into finished_ceremonies (id, expires_at) values (${id}, ${expiresAt})
      on conflict (id) do update set expires_at = case
        when finished_ceremonies.expires_at < excluded.expires_at
        then excluded.expires_at else finished_ceremonies.expires_at end`
  }
  if (watermark === null) return
  yield sql`insert into facts (id, value) values (${factId}, ${String(watermark)})
    on conflict (id) do update set value = excluded.value`
}
