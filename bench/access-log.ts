/**
 * What the access log costs: `node bin/latchkey.js run bench/access-log.ts [sqlite|postgres]...`.
 * Authorizations are used in 20 different minutes of a day, in batches as a service writes them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { drawRandom as random } from '../src/crypto/digest.ts'
import { usesLimits } from '../src/events/uses.ts'
import { type AuthorizationId, createId } from '../src/model/ids.ts'
import type { NotedUse, Used } from '../src/model/use.ts'
import { openPostgresStore, openSqliteStore } from '../src/store/sql/open.ts'
import type { Store } from '../src/store/store.ts'
import { findPostgres } from '../test/store/postgres.ts'

const authorizations = 20_000
const minutes = 20
const apartSeconds = 40 * 60
const midnight = Math.floor(Date.now() / 86_400_000) * 86_400

interface Subject {
  readonly store: Store
  /** Bytes of the table with its indexes, and of the log of transactions so far. */
  readonly measure: () => Promise<{ readonly table: number; readonly written: number | null }>
  readonly close: () => Promise<void>
}

const openFile = async (): Promise<Subject> => {
  const folder = mkdtempSync(join(import.meta.dirname, '.access-log-'))
  const path = join(folder, 'latchkey.db')
  const store = await openSqliteStore({ path })
  return {
    store,
    async measure() {
      const database = new DatabaseSync(path, { readOnly: true })
      const sql = "select sum(pgsize) as bytes from dbstat where name = 'access_log'"
      const table = Number(database.prepare(sql).get()?.bytes)
      database.close()
      return { table, written: null }
    },
    async close() {
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const openServer = async (): Promise<Subject> => {
  const postgres = await findPostgres(import.meta.dirname)
  if (postgres === null) throw new Error('no PostgreSQL here: LATCHKEY_TEST_POSTGRES names one')
  const url = await postgres.newDatabase()
  const store = await openPostgresStore({ url, random })
  const sizes = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as written,
    pg_total_relation_size('access_log')::bigint as bytes`
  return {
    store,
    async measure() {
      const [row] = await postgres.askIn(url, sizes)
      return { table: Number(row?.bytes), written: Number(row?.written) }
    },
    async close() {
      await store.close()
      await postgres.stop()
    },
  }
}

const openers = {
  sqlite: openFile,
  postgres: openServer,
} as const

const kinds: readonly Used[] = ['photos:read', 'photos:write', 'contacts:read']

const useIn = (minute: number, id: AuthorizationId, i: number): NotedUse => ({
  authorizationId: id,
  used: kinds[(minute + i) % kinds.length] ?? 'photos:read',
  allowed: true,
  network: '192.0.2.*',
  uses: 1 + (i % 4),
  lastAt: midnight + minute * apartSeconds + (i % 60),
})

/** In another order each time, as people come. */
const shuffled = <One>(ones: readonly One[]): One[] =>
  ones
    .map((one) => [Math.random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)

const run = async (name: keyof typeof openers): Promise<void> => {
  const { store, measure, close } = await openers[name]()
  const ids = Array.from(
    { length: authorizations },
    (_, i) => createId(midnight * 1000 + i, random(10)) as AuthorizationId,
  )
  const before = await measure()
  const [begun, worked] = [performance.now(), process.cpuUsage()]
  for (let minute = 0, turn = 0; minute < minutes; minute++) {
    const order = shuffled(ids)
    for (let from = 0; from < order.length; from += usesLimits.usesTogether) {
      const uses = order
        .slice(from, from + usesLimits.usesTogether)
        .map((id, i) => useIn(minute, id, from + i))
      await store.recordUses({ collector: 'bench', turn: ++turn, uses })
    }
  }
  const rows = authorizations * minutes
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(worked)
  const after = await measure()
  const written =
    after.written === null || before.written === null
      ? null
      : Math.round((after.written - before.written) / rows)
  const told = {
    name,
    rowWritesPerSecond: Math.round(rows / seconds),
    microsecondsOfThisProcess: Math.round((user + system) / rows),
    bytesOfADay: Math.round(after.table / authorizations),
    bytesLoggedPerWrite: written,
  }
  process.stdout.write(`${JSON.stringify(told)}\n`)
  await close()
}

const names = process.argv.slice(2)
for (const name of Object.keys(openers) as (keyof typeof openers)[]) {
  if (names.length === 0 || names.includes(name)) await run(name)
}
