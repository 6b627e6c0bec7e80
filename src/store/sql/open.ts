/** Opens a store on the database that the settings name. */
import type { Store } from '../store.ts'
import type { PostgresOptions } from './postgres.ts'
import { createSqlStore } from './sql-store.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'

/** @throws StoreRefusal with one sentence that says what is wrong with the file */
export const openSqliteStore = async (options: SqliteOptions): Promise<Store> =>
  createSqlStore(await openSqlite(options))

/** @throws StoreRefusal with one sentence that says what is wrong with the database */
export const openPostgresStore = async (options: PostgresOptions): Promise<Store> => {
  const { openPostgres } = await import('./postgres.ts')
  return createSqlStore(await openPostgres(options))
}
