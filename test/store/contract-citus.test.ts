/** The store contract over many machines, where the environment names a coordinator of Citus. */
import { after, test } from 'node:test'
import { Client } from 'pg'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { speakCitus } from '../../src/store/engines/citus/dialect.ts'
import { openPostgres } from '../../src/store/engines/postgres/postgres.ts'
import { localTables, tables } from '../../src/store/sql/records.ts'
import { createSqlStore } from '../../src/store/sql/sql-store.ts'
import { findCluster, leftOut } from '../citus/cluster.ts'
import { type Opened, storeContract } from './contract.ts'
import { shardKeys } from './moments.ts'

const noCache = { invalidate() {}, invalidateAll() {} }

const open = async (url: string) =>
  createSqlStore(await openPostgres({ url, random }, noCache, speakCitus(shardKeys)))

/** Removes all rows, and keeps the tables: to distribute them takes seconds. */
const empty = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const { name } of [...tables, ...localTables].toReversed()) {
    await client.query(`delete from ${name}`)
  }
  await client.query('delete from names')
  await client.end()
}

const openOn = (url: string) => async (): Promise<Opened> => {
  let store = await open(url)
  await empty(url)
  return {
    store,
    reopen: async () => {
      await store.close()
      store = await open(url)
      return store
    },
    dispose: () => store.close(),
  }
}

const cluster = await findCluster()
if (cluster === null) test(`the store contract: ${leftOut}`)
else {
  after(() => cluster.close())
  storeContract('Citus', openOn(await cluster.newDatabase()))
}
