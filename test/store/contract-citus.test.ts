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

const limits = { postgresConnections: 4 }

const open = async (url: string) =>
  createSqlStore(await openPostgres({ url, random, limits }, noCache, speakCitus(shardKeys)))

/** Removes all rows, and keeps the tables: to distribute them takes seconds. */
const empty = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const all = [
    'names',
    'event_outbox',
    ...[...tables, ...localTables].toReversed().map(({ name }) => name),
  ]
  // One commit. Rows of all machines refer to tables that every machine has, so one machine follows the other.
  await client.query(`begin; set local citus.multi_shard_modify_mode = 'sequential';
    ${all.map((name) => `delete from ${name};`).join(' ')} commit`)
  await client.end()
}

const openOn = (url: string) => async (): Promise<Opened> => {
  let store = await open(url)
  // As a service does: from then on its requests go straight to the machines. Ids of tests have no times.
  await store.noteTime(0)
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
  const { workers } = cluster
  // One shard for each machine: more of them take longer, and prove no more.
  storeContract('Citus', openOn(await cluster.newDatabase(workers, workers.length)))
}
