/** Opens a store on the database that the settings name. */
import { dayOf } from '../../model/use.ts'
import { Marks } from '../memory/marks.ts'
import { rememberingStore } from '../memory/remembering.ts'
import type { Store } from '../store.ts'
import type { PostgresOptions } from './postgres.ts'
import { invalidates } from './records.ts'
import { createSqlStore } from './sql-store.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'

/**
 * Nobody else writes to the file, so what was read of it can be remembered (decision 0013).
 *
 * @throws StoreRefusal with one sentence about the fault of the file
 */
export const openSqliteStore = async ({
  path,
  onBroken,
}: Omit<SqliteOptions, 'onForeign'>): Promise<Store> => {
  const marks = new Marks()
  const database = await openSqlite({
    path,
    onBroken: () => {
      marks.stop()
      onBroken?.()
    },
    onForeign: () => marks.invalidateAll(),
  })
  return rememberingStore(createSqlStore(database), marks, invalidates)
}

/** Once a day a purge is followed by a look at the partitions of a partitioned database. */
const keepingMonths = (store: Store, keep: (now: number) => Promise<void>): Store => {
  let lastDay: number | null = null
  return {
    ...store,
    async purge(now, ...args) {
      const went = await store.purge(now, ...args)
      const today = dayOf(now)
      if (today !== lastDay) {
        lastDay = today
        await keep(now)
      }
      return went
    },
  }
}

/** @throws StoreRefusal with one sentence about the fault of the database */
export const openPostgresStore = async (options: PostgresOptions): Promise<Store> => {
  const { openPostgres } = await import('./postgres.ts')
  const { createNextMonths, keepMonths } = await import('./postgres-months.ts')
  const database = await openPostgres(options)
  try {
    await createNextMonths(options.url)
  } catch (error) {
    await database.close()
    throw error
  }
  const store = createSqlStore(database, Buffer.from(options.random(10)).toString('hex'))
  return keepingMonths(store, (now) => keepMonths(options.url, now))
}
