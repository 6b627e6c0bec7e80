/** Opens a store on the database that the settings name. */
import { Marks } from '../memory/marks.ts'
import { rememberingStore } from '../memory/remembering.ts'
import type { Store } from '../store.ts'
import type { PostgresOptions } from './postgres.ts'
import { createSqlStore } from './sql-store.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'

/**
 * Nobody else writes to the file, so what was read of it can be remembered (decision 0013).
 *
 * @throws StoreRefusal with one sentence that says what is wrong with the file
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
    onForeign: () => marks.spoilAll(),
  })
  return rememberingStore(createSqlStore(database), marks)
}

/** @throws StoreRefusal with one sentence that says what is wrong with the database */
export const openPostgresStore = async (options: PostgresOptions): Promise<Store> => {
  const { openPostgres } = await import('./postgres.ts')
  return createSqlStore(
    await openPostgres(options),
    Buffer.from(options.random(10)).toString('hex'),
  )
}
