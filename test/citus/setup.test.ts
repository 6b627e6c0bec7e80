/** Setting up a store over many machines, where the environment names a coordinator of Citus. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { afterEach, describe, type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { openShardKeys } from '../../src/crypto/shard-keys.ts'
import { places } from '../../src/store/engines/citus/place.ts'
import { types } from '../../src/store/engines/postgres/client.ts'
import { connect, Durability } from '../../src/store/engines/postgres/connection.ts'
import { plain } from '../../src/store/engines/postgres/dialect.ts'
import { distribute } from '../../src/store/engines/postgres/distribute.ts'
import { findConditions } from '../../src/store/engines/postgres/session.ts'
import { openPostgresStore, openSession } from '../../src/store/sql/open.ts'
import { tables } from '../../src/store/sql/records.ts'
import { copyStore } from '../../src/store/transfer/copy.ts'
import { program } from '../shape/made-program.ts'
import { newPath } from '../store/folder.ts'
import { all, asElsewhere, contentsOf, honoured, live } from '../store/lived.ts'
import { trace } from '../store/moments.ts'
import { sampleOwner } from '../store/sample.ts'
import { start } from '../support/start.ts'
import { type Cluster, findCluster, leftOut } from './cluster.ts'

type Row = Readonly<Record<string, unknown>>

const quiet = (): void => {}

type Ask = (sql: string) => Promise<readonly Row[]>

const askBy = async <Result>(url: string, work: (ask: Ask) => Promise<Result>): Promise<Result> => {
  const client = new Client({ connectionString: url, types })
  await client.connect()
  try {
    return await work(async (sql) => (await client.query(sql)).rows)
  } finally {
    await client.end()
  }
}

const ask = (url: string, sql: string): Promise<readonly Row[]> => askBy(url, (one) => one(sql))

/** Ends the command as a power cut does, once a question has rows. */
const killDistribute = async (url: string, question: string): Promise<void> => {
  const env = { ...process.env, LATCHKEY_STORE: url }
  const child = spawn(process.execPath, [program, 'distribute'], { env, stdio: 'ignore' })
  const ended = once(child, 'exit')
  const isDue = () =>
    ask(url, question).then(
      ({ length }) => length > 0,
      () => false,
    )
  while (child.exitCode === null && !(await isDue())) await new Promise(setImmediate)
  child.kill('SIGKILL')
  assert.deepEqual(await ended, [null, 'SIGKILL'])
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1)

const suite = (cluster: Cluster): void => {
  const [worker] = cluster.workers
  assert.ok(worker)
  const newDatabase = () => cluster.newDatabase(cluster.workers, 4)
  const workerOf = (url: string): string => cluster.move(url, worker)
  afterEach(() => cluster.close())

  /** A node of before the tables were distributed, which was cut off. */
  const refuseOutdated = (url: string) =>
    assert.rejects(connect(url, new Durability(), plain), {
      reason: 'unreachable',
      message: 'the database was distributed since this node started; start the node again',
    })

  /** Every row but its shard key. */
  const contentsThere = (url: string) =>
    askBy(url, async (ask) => {
      const contents: Record<string, readonly Row[]> = {}
      for (const { name } of tables) {
        const rows = await ask(`select * from ${name}`)
        contents[name] = rows
          .map(({ shard_key: _, ...row }) => row)
          .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      }
      return contents
    })

  /** Columns in an order of their own. */
  const sortColumns = (contents: Readonly<Record<string, readonly unknown[]>>) =>
    Object.fromEntries(
      Object.entries(contents).map(([table, rows]) => [
        table,
        rows.map((row) => JSON.stringify(row, Object.keys(row as object).sort())).sort(),
      ]),
    )

  /** A store with a history, on one machine of the cluster. */
  const makePlain = async (t: TestContext) => {
    const path = newPath(t)
    const service = await start({ store: `sqlite:${path}` })
    const held = await live(service)
    await service.close()
    const url = await newDatabase()
    await copyStore(`sqlite:${path}`, url, quiet)
    return { url, held, path, secret: readFileSync(`${path}.key`, 'utf8').trim() }
  }

  test('nodes that start at once on an empty database distribute it once, also by a worker', async () => {
    const url = await newDatabase()
    const urls = [url, workerOf(url), url]
    const stores = await Promise.all(urls.map((one) => openPostgresStore({ url: one, random })))
    const distributed = await ask(
      url,
      "select logicalrelid::text as name from pg_dist_partition where partmethod = 'h' or repmodel = 't'",
    )
    assert.deepEqual(distributed.map(({ name }) => String(name)).sort(), Object.keys(places).sort())
    const { port } = new URL(url)
    assert.deepEqual(
      stores.map(({ notes }) => notes),
      [[], [`${port}`], []].map((ports, i) =>
        ports.map(
          (one) =>
            `the database ${nameOf(url)} at ${new URL(urls[i] ?? '').host} is a worker of Citus: the coordinator serves, the database ${nameOf(url)} at 127.0.0.1:${one}`,
        ),
      ),
    )
    const [first, second] = stores
    const owner = sampleOwner()
    await first?.createOwner(owner, trace())
    assert.deepEqual(await second?.findOwner(owner.id), owner)
    await Promise.all(stores.map((store) => store.close()))
    await assert.rejects(openSession(url, 'target'), /takes no rows of another store/)
    await refuseOutdated(url)
  })

  test('a row of an owner and an event are committed in two phases', async () => {
    const url = await newDatabase()
    await (await openPostgresStore({ url, random })).close()
    const client = new Client({ connectionString: url })
    await client.connect()
    const notices: string[] = []
    client.on('notice', ({ message }) => notices.push(String(message)))
    try {
      await client.query('set citus.log_remote_commands = on')
      const change = "update owners set name = '' where shard_key = 1 and id = ''"
      const note = "insert into events (id, at, type, details) values ('', 0, '', '{}')"
      for (const sql of ['begin', change, note, 'commit']) await client.query(sql)
    } finally {
      await client.end()
    }
    const phases = notices.flatMap(
      (one) => /issuing (PREPARE|COMMIT PREPARED)/.exec(one)?.[1] ?? [],
    )
    assert.deepEqual(phases, ['PREPARE', 'COMMIT PREPARED'])
  })

  test('a worker that could lose what it acknowledged is refused, before anything is written', async () => {
    const url = await newDatabase()
    const worker = workerOf(url)
    const database = nameOf(url)
    const lossy = new RegExp(
      `has a worker, ${new URL(worker).host}, that has synchronous_commit = off, expected on`,
    )
    // Of this machine alone.
    const alter = (change: string) =>
      ask(worker, `set citus.enable_ddl_propagation = off; alter database ${database} ${change}`)
    await alter('set synchronous_commit = off')
    await assert.rejects(openPostgresStore({ url, random }), lossy)
    await (await openSession(url, 'empty')).close()
    for (const isTried of [true, false]) {
      await assert.rejects(distribute(url, isTried, quiet), lossy)
    }
    await (await connect(url, new Durability(), plain)).end()
    await alter('reset synchronous_commit')
    await distribute(url, false, quiet)
    // Nobody reaches this port.
    await ask(url, `update pg_dist_node set nodeport = 1 where groupid = 1`)
    await (await openPostgresStore({ url, random })).close()
  })

  test('a later schema is made there, or refused before anything is written', async () => {
    const url = await newDatabase()
    await (await openPostgresStore({ url, random })).close()
    await ask(url, "update latchkey_schema set version = 68 where id = 'schema'")
    await ask(url, 'drop table directory_checks, directory_leavers')
    await (await openPostgresStore({ url, random })).close()
    assert.deepEqual(await ask(url, 'select * from directory_leavers'), [])
    await ask(url, "update latchkey_schema set version = 65 where id = 'schema'")
    await assert.rejects(openPostgresStore({ url, random }), {
      name: 'StoreRefusal',
      message: new RegExp(
        `^the database ${nameOf(url)} at .* is distributed, and schema 66 needs a change that Citus cannot do \\(insert into owner_words\\); use a version of this program that can$`,
      ),
    })
    assert.deepEqual(await ask(url, 'select version from latchkey_schema'), [{ version: 65 }])
  })

  test('distribute keeps every row and every token, however often it is interrupted', async (t) => {
    const { url, held, path, secret } = await makePlain(t)
    const serving = await openPostgresStore({ url, random })
    assert.deepEqual(serving.notes, [
      'the database has Citus, and the tables are on one machine: latchkey distribute distributes them',
    ])
    await serving.ping()
    await assert.rejects(distribute(url, false, quiet), /is in use: a service or another command/)
    await serving.close()
    const before = await contentsThere(url)
    const tried = await distribute(url, true, quiet)
    assert.deepEqual(await contentsThere(url), before)

    await killDistribute(
      url,
      `select 1 from pg_stat_activity where application_name = 'latchkey distribute'
        and datname = current_database() and query like '%create_distributed_table%'`,
    )
    assert.deepEqual(await contentsThere(url), before)
    await killDistribute(url, "select 1 from latchkey_plain.progress where reached <> ''")
    await assert.rejects(openPostgresStore({ url, random }), /run latchkey distribute again/)
    const stop = new Error('interrupted')
    for (const pieces of [0, 25, tables.length - 1]) {
      let left = pieces
      const interrupted = distribute(url, false, () => {
        if (left-- === 0) throw stop
      })
      await assert.rejects(interrupted, { name: 'StoreRefusal' })
      await assert.rejects(openPostgresStore({ url, random }), /run latchkey distribute again/)
      await refuseOutdated(url)
    }
    const urls = [url, workerOf(url)]
    const done = await Promise.all(urls.map((one) => distribute(one, false, quiet)))
    assert.deepEqual(done, [tried, tried])
    assert.deepEqual(
      sortColumns(await contentsThere(url)),
      sortColumns(asElsewhere(contentsOf(path))),
    )
    await assert.rejects(distribute(url, false, quiet), /is distributed already/)

    const service = await start({ store: url, secret })
    assert.deepEqual(await honoured(service, held), all)
    await service.close()
    const { machines } = await findConditions(url)
    assert.deepEqual(
      machines?.workers.map(({ isReachable }) => isReachable),
      [true, true],
    )
  })

  test('sessions and tokens of before the ids carried keys end, and approvals stay', async (t) => {
    const { url, held, secret } = await makePlain(t)
    // As the version before made them: without a key in the cookie, and with random bits in its place.
    const old = openShardKeys('11'.repeat(32))
    const [before] = await ask(url, 'select * from authorizations order by id limit 1')
    const unplace = (id: unknown) => old.place(String(id), 'somebody else' as never)
    for (const { id } of await ask(url, 'select id from authorizations')) {
      await ask(
        url,
        `update families set authorization_id = '${unplace(id)}' where authorization_id = '${id}'`,
      )
      await ask(url, `update authorizations set id = '${unplace(id)}' where id = '${id}'`)
    }
    for (const { id } of await ask(url, 'select id from families')) {
      await ask(url, `update families set id = '${unplace(id)}' where id = '${id}'`)
    }
    await ask(url, 'update sessions set id = substr(id, 5)')
    const [counted] = await ask(
      url,
      `select (select count(*) from sessions) as sessions,
        (select count(*) from authorizations) as authorizations,
        (select count(*) from families) as families`,
    )
    const done = await distribute(url, false, quiet)
    assert.deepEqual(done.ended, { sessions: counted?.sessions, families: counted?.families })
    assert.equal(done.renamed, counted?.authorizations)
    assert.deepEqual(await ask(url, `select id from authorizations where id = '${before?.id}'`), [
      { id: before?.id },
    ])
    const service = await start({ store: url, secret })
    const { ownToken, ...others } = await honoured(service, held)
    assert.deepEqual(
      [ownToken, others],
      [true, { accessToken: false, login: false, refreshToken: false }],
    )
    await service.close()
  })
}

const cluster = await findCluster()
if (cluster === null) test(`a store over many machines is set up: ${leftOut}`)
else describe('a store over many machines is set up', () => suite(cluster))
