/** The ids that one process remembers: the watermark beside them, and their rows once it ends (decision 0117). */
import type { Ceremony } from '../contract/factor.ts'
import { StoreFault } from '../fault.ts'
import { findOne, type Read, type Step, sql } from '../sql/statement.ts'
import { findFact, putFact } from './note.ts'

export const usedIdLimits = {
  /** So many in memory. Further ones are rows. */
  remembered: 500_000,
  /** A stop writes rows of so many at most, since it has some seconds. */
  writtenAtEnd: 20_000,
  /** An id that lasts longer is a row. */
  longestSeconds: 3660,
  /** Ids are left to memory for so long after the watermark, or before it. A nonce of DPoP lasts as long. */
  watermarkSeconds: 600,
  /** So many rows in one step. */
  rowsTogether: 500,
} as const

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
  if (watermark !== null) yield putFact(factId, String(watermark))
}

/**
 * Of a restored store: no backup knows what was used after it.
 *
 * @param at of the restore, in unix seconds
 * @returns the rows that it added
 */
export function* endUsedIds(at: number): Step<number> {
  const row = yield* findOne(sql`select value from facts where id = ${factId}`)
  const found = Number(row?.value ?? 0)
  // The clock of this machine may be late. A watermark far ahead is of a clock that was wrong.
  const isLater = found > at && found <= at + usedIdLimits.watermarkSeconds
  yield* noteUsedIds([], isLater ? found : at)
  return row === null ? 1 : 0
}
