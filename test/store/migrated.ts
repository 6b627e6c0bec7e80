/** Databases of PostgreSQL with the tables. A copy of one is quicker than all migrations. */
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import type { Postgres } from './postgres.ts'

/** Answers with the URL of a new database, copied from one that is made for the first of them. */
export const openMigrated = (postgres: Postgres): Postgres['newDatabase'] => {
  let first: Promise<string> | null = null
  const migrate = async (): Promise<string> => {
    const url = await postgres.newDatabase()
    const store = await openPostgresStore({ url, random })
    await store.close()
    return url
  }
  return async (settings) => {
    first ??= migrate()
    return postgres.copyDatabase(await first, settings)
  }
}
