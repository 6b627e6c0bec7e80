/** PostgreSQL that ends, restarts, is cut off or will not do (fault plan F-09, F-10). */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, describe, type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import type { Authorization } from '../../src/model/authorization.ts'
import type { FamilyId } from '../../src/model/ids.ts'
import { findCondition } from '../../src/store/engines/postgres/start.ts'
import { StoreFault, StoreRefusal } from '../../src/store/fault.ts'
import { openPostgresStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { openMigrated } from './migrated.ts'
import { start, together, trace } from './moments.ts'
import { findPostgres, type Postgres } from './postgres.ts'
import { sampleRedemption, sampleRotation } from './sample.ts'
import { settle, settleFamily, told } from './settle.ts'
import { malformed, openWay } from './way.ts'

const openFor = async (t: TestContext, url: string): Promise<Store> => {
  const store = await openPostgresStore({ url, random })
  t.after(() => store.close())
  return store
}

/** What the store has acknowledged, and how often it could not. */
interface Noted {
  readonly redeemed: FamilyId[]
  readonly rotated: FamilyId[]
  readonly ended: FamilyId[]
  readonly faults: string[]
}

/** Redeems, rotates and ends until told to stop, noting only what was answered. */
const load = async (
  store: Store,
  authorization: Authorization,
  noted: Noted,
  run: { going: boolean; harm: Promise<void> },
): Promise<void> => {
  for (let turn = 0; run.going; turn++) {
    const redemption = sampleRedemption(authorization)
    const { familyId } = redemption
    try {
      assert.equal((await store.redeemCode(redemption, trace())).outcome, 'redeemed')
      noted.redeemed.push(familyId)
      const rotated = await store.rotateRefreshToken(sampleRotation(familyId, 0), trace())
      assert.equal(rotated.outcome, 'rotated')
      noted.rotated.push(familyId)
      assert.notEqual(await store.findStanding(familyId, start), null)
      if (turn % 2 === 0) continue
      assert.equal(await store.endFamily(familyId, trace()), true)
      noted.ended.push(familyId)
    } catch (fault) {
      if (!(fault instanceof StoreFault)) throw fault
      noted.faults.push(fault.reason)
      await run.harm
      await new Promise(setImmediate)
    }
  }
}

/** Puts a store under load, does harm to it again and again, and looks for what it acknowledged. */
const survive = async (
  t: TestContext,
  url: string,
  rounds: number,
  harm: (store: Store) => Promise<void>,
): Promise<void> => {
  const store = await openFor(t, url)
  const { authorization } = await settle(store)
  const noted: Noted = { redeemed: [], rotated: [], ended: [], faults: [] }
  const run = { going: true, harm: Promise.resolve() }
  const clients = together(20, () => load(store, authorization, noted, run))
  const more = async (): Promise<void> => {
    const enough = noted.ended.length + 50
    while (noted.ended.length < enough) await new Promise(setImmediate)
  }
  for (let round = 0; round < rounds; round++) {
    await more()
    run.harm = harm(store)
    await run.harm
  }
  await more()
  run.going = false
  await clients
  const ended = new Set(noted.ended)
  for (const familyId of noted.redeemed) assert.equal(await store.isRedeemed(familyId), true)
  for (const familyId of noted.rotated) {
    const standing = await store.findStanding(familyId, start)
    if (ended.has(familyId)) assert.equal(standing, null)
    else if (standing !== null) assert.equal(standing.family.generation, 1)
  }
  for (const reason of noted.faults) assert.match(reason, /^(unreachable|indeterminate)$/)
}

/**
 * A line may not have heard of the crash yet, and what was sent on it has an unknown end. That happens
 * once per line: from then on each has to be made anew.
 */
const assertUnreachable = async (store: Store): Promise<void> => {
  const faults: unknown[] = []
  // Three fifths of the connections are for writes.
  const lines = (defaultLimits.postgresConnections * 3) / 5
  for (let line = 0; line <= lines; line++) {
    faults.push(await store.ping().catch((fault: StoreFault) => fault.reason))
    if (faults.at(-1) !== 'indeterminate') break
  }
  assert.equal(faults.at(-1), 'unreachable')
}

const refusal = (message: string | RegExp) => (error: unknown) => {
  assert.ok(error instanceof StoreRefusal)
  if (typeof message === 'string') assert.equal(error.message, message)
  else assert.match(error.message, message)
  assert.doesNotMatch(error.message, /must-not-be-told/)
  return true
}

const testFaults = (postgres: Postgres): void => {
  const newMigrated = openMigrated(postgres)
  test('F-09 backends killed under load: nothing acknowledged is lost, and it heals by itself', async (t) => {
    const url = await newMigrated()
    const name = new URL(url).pathname.slice(1)
    await survive(t, url, 5, async () => {
      await postgres.ask(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      )
    })
  })

  const { crash } = postgres
  if (crash !== null) {
    test('F-09 a server that crashes under load: likewise', async (t) => {
      const url = await newMigrated()
      await survive(t, url, 2, async (store) => {
        await crash.end()
        await assertUnreachable(store)
        await crash.start()
      })
    })
  }

  for (const cut of ['before', 'after'] as const) {
    const done = cut === 'after'
    test(`F-10 cut ${cut} a commit arrived: nobody says what became of it, and it is ${done ? 'wholly' : 'not at all'} there`, async (t) => {
      const url = await newMigrated()
      const direct = await openFor(t, url)
      const way = await openWay(t, url)
      const cutOff = await openFor(t, way.url)
      const families = await together(3, () => settleFamily(direct))
      await cutOff.ping()
      void way.cutAt('commit', cut)
      const settled = await Promise.allSettled(
        families.map(({ familyId }) => cutOff.endFamily(familyId, trace())),
      )
      for (const one of settled) {
        assert.equal(one.status, 'rejected')
        assert.equal((one.reason as StoreFault).reason, 'indeterminate')
      }
      for (const { familyId, owner } of families) {
        assert.equal((await direct.findStanding(familyId, start)) === null, done)
        assert.equal((await told(direct, { ownerId: owner.id })).includes('family.revoked'), done)
      }
      await cutOff.ping()
    })

    test(`F-10 the same for a step that commits with its only statement, cut ${cut} it arrived`, async (t) => {
      const url = await newMigrated()
      const direct = await openFor(t, url)
      const way = await openWay(t, url)
      const cutOff = await openFor(t, way.url)
      const redemption = sampleRedemption((await settle(direct)).authorization)
      void way.cutAt('insert into families', cut)
      await assert.rejects(cutOff.redeemCode(redemption, trace()), { reason: 'indeterminate' })
      assert.equal(await direct.isRedeemed(redemption.familyId), done)
    })
  }

  test('F-10 cut before it commits, a step is done again', async (t) => {
    const url = await newMigrated()
    const way = await openWay(t, url)
    const store = await openFor(t, way.url)
    const { familyId, owner } = await settleFamily(store)
    void way.cutAt('update families set ended', 'after')
    assert.equal(await store.endFamily(familyId, trace()), true)
    const events = await told(store, { ownerId: owner.id })
    assert.deepEqual(
      events.filter((type) => type === 'family.revoked'),
      ['family.revoked'],
    )
  })

  test('F-10 a read that is cut off is read again', async (t) => {
    const url = await newMigrated()
    const way = await openWay(t, url)
    const store = await openFor(t, way.url)
    const { familyId } = await settleFamily(store)
    void way.cutAt('from families f', 'after')
    assert.notEqual(await store.findStanding(familyId, start), null)
  })

  test('a malformed message ends its connection and not the process', async (t) => {
    const url = await newMigrated()
    const way = await openWay(t, url)
    const store = await openFor(t, way.url)
    const { familyId } = await settleFamily(store)
    void way.cutAt('from families f', 'malformed')
    assert.notEqual(await store.findStanding(familyId, start), null)
    void way.cutAt('commit', 'malformed')
    await assert.rejects(store.endFamily(familyId, trace()), {
      reason: 'indeterminate',
      message:
        /^the connection .* lost while it committed: .*; the database sent a message that is none/,
    })
    await store.ping()
  })

  test('where every message is malformed, the fault says so', async (t) => {
    const url = new URL(await newMigrated())
    const store = await openFor(t, url.href)
    const server = createServer((near) => {
      near.on('error', () => {})
      near.on('data', () => near.write(malformed))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const address = server.address()
    url.port = String(typeof address === 'object' && address !== null ? address.port : 0)
    await assert.rejects(openPostgresStore({ url: url.href, random }), /none of PostgreSQL/)
    await store.ping()
  })

  test('what somebody waits for does not wait for uses that are written at the same time', async (t) => {
    const url = await newMigrated()
    const store = await openFor(t, url)
    const { authorization } = await settle(store)
    const other = new Client(url)
    await other.connect()
    await other.query("begin; insert into pings (id, turn) values ('uses slow', 0)")
    let written = false
    const uses = store.recordUses({ collector: 'slow', turn: 1, uses: [] }).then(() => {
      written = true
    })
    assert.equal(await store.endAuthorization(authorization.id, null, trace()), true)
    assert.equal(written, false)
    await other.query('commit')
    await other.end()
    await uses
  })

  test('F-10 where answers stop coming, waiting ends, and it heals by itself', async (t) => {
    const url = await newMigrated()
    const direct = await openFor(t, url)
    const way = await openWay(t, url)
    const store = await openFor(t, way.url)
    const families = await together(3, () => settleFamily(store))
    const silence = way.cutAt('commit', 'never')
    const endings = families.map(({ familyId }) => store.endFamily(familyId, trace()))
    const ended = Promise.allSettled(endings)
    await silence
    const read = Promise.allSettled(families.map((one) => store.findStanding(one.familyId, start)))
    const reasons = (await Promise.all([ended, read])).flat().map((one) => {
      assert.equal(one.status, 'rejected')
      return (one.reason as StoreFault).reason
    })
    const expected = ['indeterminate', 'unreachable'].flatMap((reason) =>
      families.map(() => reason),
    )
    assert.deepEqual(reasons, expected)
    way.heal()
    while (
      await store.ping().then(
        () => false,
        () => true,
      )
    )
      await new Promise(setImmediate)
    for (const { familyId } of families) {
      assert.deepEqual(
        await store.findStanding(familyId, start),
        await direct.findStanding(familyId, start),
      )
    }
  })

  test('text that PostgreSQL cannot store finds nothing', async (t) => {
    const store = await openFor(t, await newMigrated())
    assert.equal(await store.findClient('a\0b' as never), null)
    assert.equal(await store.findOwnerByName('a\0b'), null)
  })

  test('ids are in the order of their bytes', async (t) => {
    const store = await openFor(t, await newMigrated())
    const { client } = await settle(store)
    const ids = ['B', 'a', 'Z', '_', 'a-b', 'ab', 'é'].map((id) => `z${id}`)
    for (const id of ids) await store.createClient({ ...client, id: id as never }, trace())
    const { rows } = await store.listClients('z', 10)
    assert.deepEqual(
      rows.map(({ id }) => id),
      ids.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    )
  })

  describe('at the start', () => {
    const open = (url: string) => openPostgresStore({ url, random })
    const databaseOf = (url: string) =>
      `the database ${new URL(url).pathname.slice(1)} at ${new URL(url).host}`

    test('a server that is not there is refused', async () => {
      const url = 'postgres://me:must-not-be-told@127.0.0.1:1/accounts'
      const message = 'the database accounts at 127.0.0.1:1 cannot be reached (ECONNREFUSED)'
      await assert.rejects(open(url), refusal(message))
    })

    test('a wrong password is refused, and not told', async () => {
      const url = new URL(await postgres.newDatabase())
      url.password = 'wrong-and-must-not-be-told'
      const message = `${databaseOf(url.href)} refuses the user name or the password`
      await assert.rejects(open(url.href), refusal(message))
    })

    test('a database that is not there is refused', async () => {
      const url = new URL(await postgres.newDatabase())
      url.pathname = '/nowhere'
      await assert.rejects(open(url.href), refusal(`${databaseOf(url.href)} does not exist`))
    })

    test('one that takes no writes is refused', async () => {
      const url = await postgres.newDatabase({ default_transaction_read_only: 'on' })
      const message = `${databaseOf(url)} takes no writes: it is a standby or set to read-only`
      await assert.rejects(open(url), refusal(message))
    })

    const relations = 'select relname, relkind, xmin::text from pg_class order by oid'

    for (const taken of [
      'create table clients (id integer)',
      'create table t (a integer); create index events_by_client on t (a)',
    ]) {
      test(`one of another program is refused before anything is written: ${taken}`, async () => {
        const url = await postgres.newDatabase()
        await postgres.askIn(url, taken)
        const before = await postgres.askIn(url, relations)
        const message = `${databaseOf(url)} belongs to another program: one of its tables has a name that is needed here`
        await assert.rejects(open(url), refusal(message))
        assert.deepEqual(await postgres.askIn(url, relations), before)
      })
    }

    test('one with tables of other names is shared', async () => {
      const url = await postgres.newDatabase()
      await postgres.askIn(url, 'create table notes (id integer)')
      await (await open(url)).close()
      assert.deepEqual(await postgres.askIn(url, 'select * from notes'), [])
    })

    test('one that a newer version wrote is refused', async () => {
      const url = await postgres.newDatabase()
      await (await open(url)).close()
      await postgres.askIn(url, 'update latchkey_schema set version = 999')
      await assert.rejects(
        open(url),
        refusal(/ was written by a newer version of this program \(its schema is 999, this one/),
      )
    })

    test('many nodes may find an empty database at once', async () => {
      const url = await postgres.newDatabase()
      const stores = await together(4, () => open(url))
      await Promise.all(stores.map((store) => store.ping()))
      await Promise.all(stores.map((store) => store.close()))
    })
  })
}

test('what PostgreSQL says of itself is believed only where it keeps what it acknowledges', () => {
  const good = {
    version: 'PostgreSQL 15.1',
    number: '150001',
    encoding: 'UTF8',
    synchronous_commit: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    read_only: 'off',
  }
  const loses = 'expected on: what it says it has kept, it could lose'
  const conditions = {
    ok: findCondition(good),
    replicated: findCondition({ ...good, synchronous_commit: 'remote_apply' }),
    cockroach: findCondition({ ...good, version: 'CockroachDB CCL v25.2.0', fsync: null }),
    yugabyte: findCondition({ ...good, version: 'PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64' }),
    old: findCondition({ ...good, number: '120022' }),
    encoding: findCondition({ ...good, encoding: 'LATIN1' }),
    fsync: findCondition({ ...good, fsync: 'off' }),
    pages: findCondition({ ...good, full_page_writes: 'off' }),
  }
  assert.deepEqual(conditions, {
    ok: null,
    replicated: null,
    cockroach: 'is CockroachDB, which is not supported; expected PostgreSQL',
    yugabyte: 'is YugabyteDB, which is not supported; expected PostgreSQL',
    old: 'is PostgreSQL 12, expected 13 or later',
    encoding: 'is encoded in LATIN1, expected UTF8',
    fsync: `has fsync = off, ${loses}`,
    pages: `has full_page_writes = off, ${loses}`,
  })
})

const postgres = await findPostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its faults are left out')
} else {
  after(() => postgres.stop())
  testFaults(postgres)
}
