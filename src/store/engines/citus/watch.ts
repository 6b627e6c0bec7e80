/** Looks from time to time which workers the coordinator reaches. Nobody waits for a look. */
import { statement } from '../../sql/statement.ts'
import type { SeenWorkers } from '../../store.ts'
import type { Line } from '../postgres/line.ts'
import type { Ask } from './cluster.ts'
import { lookAtWorkers } from './workers.ts'

/** @param note told what each look found */
export const createWatch = (
  line: Line,
  note: (seen: SeenWorkers, ask: Ask) => Promise<void> = async () => {},
) => {
  let latest: SeenWorkers | null = null
  let looking: Promise<void> | null = null
  const ask: Ask = async (sql, ...params) => (await line.take()).query(statement(sql, ...params))
  const look = async (): Promise<void> => {
    try {
      latest = await lookAtWorkers(ask)
      await note(latest, ask)
    } catch {
      // Without the coordinator nothing is ready, and readiness says so.
    } finally {
      looking = null
    }
  }
  return {
    /** Begins a look, unless one is under way. */
    look(): void {
      looking ??= look()
    },
    find: async (): Promise<SeenWorkers | null> => latest,
    async close(): Promise<void> {
      await looking
      await line.close()
    },
  }
}
