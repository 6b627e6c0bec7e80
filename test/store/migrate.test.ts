/** A store that grows up: from SQLite to a real PostgreSQL, rows, tokens and all. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { after, describe, type TestContext, test } from 'node:test'
import { Client } from 'pg'
import { makeSalt, drawRandom as random } from '../../src/crypto/digest.ts'
import { types } from '../../src/store/engines/postgres/client.ts'
import { openPostgresStore, openSqliteStore } from '../../src/store/sql/open.ts'
import { tables } from '../../src/store/sql/records.ts'
import type { Store } from '../../src/store/store.ts'
import { copyStore, type Progress } from '../../src/store/transfer/copy.ts'
import { backUp } from '../../src/store/transfer/dump.ts'
import { restore } from '../../src/store/transfer/restore.ts'
import { runCommand } from '../shape/hosted.ts'
import { shellEnvironment } from '../shape/process.ts'
import { obtainTokens } from '../support/printing.ts'
import { start } from '../support/start.ts'
import { use } from '../support/tokens.ts'
import { newPath } from './folder.ts'
import {
  all,
  asElsewhere,
  assertEveryTableHasRows,
  contentsOf,
  honoured,
  live,
  none,
} from './lived.ts'
import { trace } from './moments.ts'
import { findPostgres, type Postgres } from './postgres.ts'
import { sampleEvent } from './sample.ts'

const ask = async (url: string, sql: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url, types })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

/** Every row of a PostgreSQL database, as `contentsOf` has those of a file. */
const contentsThere = async (url: string) => {
  const contents: Record<string, readonly unknown[]> = {}
  for (const { name } of tables) {
    const rows = await ask(url, `select * from ${name}`)
    contents[name] = [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  return contents
}

const addEvents = (store: Store, count: number, name: string) =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      store.appendEvent(
        sampleEvent({
          id: `${name}-${String(i).padStart(6, '0')}` as never,
          at: i,
          details: { i },
        }),
      ),
    ),
  )

const addOwner = (store: Store, id: string, username: string) =>
  store.createOwner(
    {
      id: id as never,
      username,
      name: '',
      email: '',
      emailVerified: false,
      attributes: {},
      roles: [],
      claims: {},
      updatedAt: 0,
      passwordHash: 'hash',
      passwordChangedAt: 0,
      disabled: false,
      createdAt: 0,
      pages: { language: null, zone: null },
      deletionAt: null,
      pictureName: '',
      pictureSource: '',
    },
    { eventId: `event-of-${id}` as never, at: 0, requestId: null, actor: { type: 'service' } },
  )

/** A database file with owners and many events, closed. */
const makeSource = async (t: TestContext): Promise<string> => {
  const path = newPath(t)
  const store = await openSqliteStore({ path })
  await addOwner(store, 'owner-1', 'ada')
  await addEvents(store, 3000, 'event')
  await store.close()
  return path
}

/** A service with a history, closed: its file, its root secret, and what people hold of it. */
const makeHistory = async (t: TestContext) => {
  const path = newPath(t)
  const service = await start({ store: `sqlite:${path}` })
  const held = await live(service)
  await service.close()
  return { path, held, secret: readFileSync(`${path}.key`, 'utf8').trim() }
}

const unfinished = {
  name: 'StoreRefusal',
  message:
    /^the database latchkey_test_\w+ at 127\.0\.0\.1:\d+ holds a part of another store: a migration into it is not finished; run latchkey migrate again: it goes on where it stopped$/,
}

/** Kills its own process after the first rows of the last table. */
const copyAndDie = `
  const [, file, from, to] = process.argv
  const { copyStore } = await import(file)
  await copyStore(from, to, ({ doing, table }) => {
    if (doing === 'copying' && table === 'events') process.kill(process.pid, 'SIGKILL')
  })`

const quiet = (): void => {}

const suite = (postgres: Postgres): void => {
  describe('migrating', () => {
    test('copies every row of every table, and tokens live on', async (t) => {
      const { path, held, secret } = await makeHistory(t)
      const before = contentsOf(path)
      assertEveryTableHasRows(before)
      const url = await postgres.newDatabase()
      const told: Progress[] = []
      const { rows, sealingKeys } = await copyStore(`sqlite:${path}`, url, (one) => told.push(one))

      assert.deepEqual(await contentsThere(url), asElsewhere(before))
      assert.deepEqual(contentsOf(path), before)
      assert.equal(sealingKeys, 'wrapped')
      assert.deepEqual(
        rows,
        Object.fromEntries(tables.map(({ name }) => [name, before[name]?.length])),
      )
      assert.deepEqual(
        told.map(({ fraction }) => fraction),
        told.map(({ fraction }) => fraction).sort((a, b) => a - b),
      )
      assert.equal(told.at(-1)?.fraction, 1)

      const migrated = await start({ store: url, secret })
      const answer = await honoured(migrated, held)
      await migrated.close()
      assert.deepEqual(answer, all)
    })

    test('killed in the middle, it leaves a store that nobody can open, and goes on', async (t) => {
      const path = await makeSource(t)
      const url = await postgres.newDatabase()
      const file = new URL('../../src/store/transfer/copy.ts', import.meta.url).href
      const args = ['--input-type=module', '-e', copyAndDie, file, `sqlite:${path}`, url]
      const child = spawn(process.execPath, args, { stdio: 'inherit' })
      assert.deepEqual(await once(child, 'close'), [null, 'SIGKILL'])
      assert.deepEqual(await ask(url, 'select count(*) as count from events'), [{ count: 500 }])
      await assert.rejects(openPostgresStore({ url, random }), unfinished)
      await assert.rejects(backUp(url, `${path}.backup`, 0), unfinished)

      let copied = 0
      await copyStore(`sqlite:${path}`, url, ({ doing, table }) => {
        if (doing === 'copying' && table === 'events') copied++
      })
      assert.deepEqual(await contentsThere(url), asElsewhere(contentsOf(path)))
      // One report for the earlier rows, one for each part.
      assert.equal(copied, 1 + Math.ceil((3001 - 500) / 500))
      const store = await openPostgresStore({ url, random })
      await store.close()
    })

    test('copies anew what changed since it was interrupted', async (t) => {
      const path = await makeSource(t)
      const url = await postgres.newDatabase()
      const stop = new Error('stopped')
      const interrupted = copyStore(`sqlite:${path}`, url, ({ doing, table }) => {
        if (doing === 'copying' && table === 'events') throw stop
      })
      await assert.rejects(interrupted, stop)
      const store = await openSqliteStore({ path })
      await store.deleteOwner('owner-1' as never, {
        eventId: 'a-deletion' as never,
        at: 0,
        requestId: null,
        actor: { type: 'service' },
      })
      await addOwner(store, 'owner-2', 'ada')
      await store.close()

      await copyStore(`sqlite:${path}`, url, quiet)
      assert.deepEqual(await contentsThere(url), asElsewhere(contentsOf(path)))
    })

    test('is refused where something is there already, or the service runs', async (t) => {
      const path = await makeSource(t)
      const url = await postgres.newDatabase()
      const other = await openPostgresStore({ url, random })
      await addOwner(other, 'somebody', 'somebody')
      const before = await contentsThere(url)
      await assert.rejects(copyStore(`sqlite:${path}`, url, quiet), {
        name: 'StoreRefusal',
        message:
          'the database to migrate to is not empty (it has owners); give a new one, in which no service was started yet',
      })
      await other.close()
      assert.deepEqual(await contentsThere(url), before)

      const running = await openSqliteStore({ path })
      const unused = await postgres.newDatabase()
      await assert.rejects(copyStore(`sqlite:${path}`, unused, quiet), {
        name: 'StoreRefusal',
        message: `the database ${path} is in use by another process`,
      })
      await running.close()
    })

    test('of a store that is not there makes none', async (t) => {
      const path = newPath(t)
      await assert.rejects(copyStore(`sqlite:${path}`, await postgres.newDatabase(), quiet), {
        name: 'StoreRefusal',
        message: `there is no database ${path}`,
      })
      assert.equal(existsSync(path), false)
    })

    test('says where a text cannot be kept', async (t) => {
      const path = newPath(t)
      const store = await openSqliteStore({ path })
      await addOwner(store, 'a\0b', 'ada')
      await store.close()
      await assert.rejects(copyStore(`sqlite:${path}`, await postgres.newDatabase(), quiet), {
        name: 'StoreRefusal',
        message: 'a text holds the character U+0000, which PostgreSQL cannot keep',
      })
    })
  })

  describe('latchkey migrate', () => {
    const latchkey = (path: string, ...args: readonly string[]) =>
      runCommand(['migrate', ...args], {
        cwd: process.cwd(),
        env: shellEnvironment(path, { LATCHKEY_STORE: `sqlite:${path}`, PGPASSWORD: password }),
      })

    let password = ''
    /** The flag takes no password, so the environment carries it. */
    const newTarget = async (): Promise<string> => {
      const url = new URL(await postgres.newDatabase())
      password = decodeURIComponent(url.password)
      url.password = ''
      return url.href
    }

    test('says what to set, and the secret only to whoever asks', async (t) => {
      const { path, secret } = await makeHistory(t)
      const plain = await latchkey(path, '--to', await newTarget())
      assert.equal(plain.code, 0, plain.output)
      assert.match(plain.output, /^ +\d+ % {2}copying clients\n/m)
      assert.match(plain.output, /LATCHKEY_STORE +the URL that you gave as --to/)
      assert.ok(plain.output.includes(`LATCHKEY_SECRET  the content of ${path}.key, which`))
      assert.equal(plain.output.includes(secret), false)
      assert.equal(plain.output.includes('password'), false)

      const shown = await latchkey(path, '--to', await newTarget(), '--show-secret')
      assert.equal(shown.code, 0, shown.output)
      assert.ok(shown.output.includes(`LATCHKEY_SECRET  ${secret}\n`))
    })

    test('hears of a wrong address before anything is done', async (t) => {
      const path = await makeSource(t)
      assert.deepEqual(await latchkey(path, '--to', 'sqlite:other.db'), {
        code: 2,
        output:
          'latchkey: the settings are wrong\n  - --to must be postgres://USER@HOST:PORT/DATABASE\n',
      })
      const elsewhere = 'postgres://u@127.0.0.1:1/a'
      assert.deepEqual(await latchkey(path, '--to', elsewhere, '--store', elsewhere), {
        code: 2,
        output:
          'latchkey: the settings are wrong\n  - LATCHKEY_STORE must be sqlite:PATH, the store to migrate from; or give it as --store sqlite:PATH\n',
      })
      assert.deepEqual(await latchkey(path, '--to', elsewhere), {
        code: 1,
        output: 'latchkey: the database a at 127.0.0.1:1 cannot be reached (ECONNREFUSED)\n',
      })
    })
  })

  describe('a password in a database URL', () => {
    const advice =
      'must not hold a password, because every user of this machine can read it: put the password in PGPASSWORD or a password file (PGPASSFILE)'

    for (const url of ['postgres://u:hush@127.0.0.1:1/a', 'postgres://127.0.0.1/a?password=hush']) {
      test(`is refused in the arguments of a command: ${url}`, async (t) => {
        const path = newPath(t)
        const latchkey = (...args: readonly string[]) =>
          runCommand(args, {
            cwd: process.cwd(),
            env: shellEnvironment(path, { LATCHKEY_STORE: `sqlite:${path}` }),
          })
        assert.deepEqual(await latchkey('migrate', '--to', url), {
          code: 2,
          output: `latchkey: the settings are wrong\n  - --to ${advice}\n`,
        })
        assert.deepEqual(await latchkey('client', 'list', '--store', url), {
          code: 2,
          output: `latchkey: the settings are wrong\n  - --store ${advice}, or the whole URL in LATCHKEY_STORE or the file that LATCHKEY_STORE_FILE names\n`,
        })
      })
    }
  })

  describe('backups of PostgreSQL', () => {
    test('go into either engine, and show one moment', async (t) => {
      const { path, held, secret } = await makeHistory(t)
      const url = await postgres.newDatabase()
      await copyStore(`sqlite:${path}`, url, quiet)
      const store = await openPostgresStore({ url, random })
      const file = `${newPath(t)}.backup`
      const [{ rows, sealingKeys }] = await Promise.all([
        backUp(url, file, 0),
        addEvents(store, 2000, 'late'),
      ])
      await store.close()
      assert.equal(sealingKeys, 'wrapped')
      const late = (await contentsThere(url)).events?.length ?? 0
      assert.ok((rows.events ?? 0) <= late)

      const [back, again] = [newPath(t), await postgres.newDatabase()]
      await restore(`sqlite:${back}`, file, { tokens: 'keep' })
      await restore(again, file, { tokens: 'keep' })
      assert.equal(contentsOf(back).events?.length, rows.events)
      assert.deepEqual(await contentsThere(again), contentsOf(back))
      const kept = await start({ store: again, secret })
      assert.deepEqual(await honoured(kept, held), all)
      await kept.close()

      const third = await postgres.newDatabase()
      await restore(third, file, { tokens: 'end', newSalt: () => makeSalt(random), trace })
      const restored = await start({
        store: third,
        secret: 'another secret of 32 characters or more',
      })
      assert.deepEqual(await honoured(restored, held), none)
      assert.equal(await restored.server().store.findFact('used ids'), String(trace().at))
      const { access_token } = await obtainTokens(restored)
      assert.equal(await use(restored, access_token), 200)
      await restored.close()
      await assert.rejects(
        restore(third, file, { tokens: 'end', newSalt: () => makeSalt(random), trace }),
        {
          name: 'StoreRefusal',
        },
      )
    })

    test('have no event that a reader takes for new, nor has a copy', async (t) => {
      const path = await makeSource(t)
      const file = `${path}.backup`
      await backUp(`sqlite:${path}`, file, 0)
      const [restored, copied] = [await postgres.newDatabase(), await postgres.newDatabase()]
      await restore(restored, file, { tokens: 'keep' })
      await copyStore(`sqlite:${path}`, copied, quiet)
      for (const url of [restored, copied]) {
        const store = await openPostgresStore({ url, random })
        const begin = await store.listCommittedEvents({}, null, 100)
        assert.ok(begin !== 'unknown_position')
        const written = Array.from({ length: 20 }, (_, i) => `new-${i}`)
        for (const name of written) await addEvents(store, 1, name)
        const page = await store.listCommittedEvents({}, begin.next, 100)
        assert.ok(page !== 'unknown_position')
        assert.deepEqual(
          page.rows.map(({ id }) => id),
          written.map((name) => `${name}-000000`),
        )
        await store.close()
      }
    })

    test('are not taken of a database that holds no store, and leave it as it is', async (t) => {
      const url = await postgres.newDatabase()
      await assert.rejects(backUp(url, `${newPath(t)}.backup`, 0), {
        name: 'StoreRefusal',
        message: /^the database latchkey_test_\w+ at 127\.0\.0\.1:\d+ holds no store$/,
      })
      const found = await ask(url, "select 1 from pg_tables where schemaname = 'public'")
      assert.deepEqual(found, [])
    })

    test('say so where the sealing keys are in clear', async (t) => {
      const url = await postgres.newDatabase()
      const service = await start({ store: url })
      await service.close()
      const { sealingKeys } = await backUp(url, `${newPath(t)}.backup`, 0)
      assert.equal(sealingKeys, 'plain')
    })
  })
}

const postgres = await findPostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): migrating to it is left out')
} else {
  after(() => postgres.stop())
  suite(postgres)
}
