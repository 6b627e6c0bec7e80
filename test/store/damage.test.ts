/** Fault F-08: a file that is damaged, emptied, foreign or too new is refused, and never made anew. */
import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { hashText } from '../../src/crypto/digest.ts'
import { schemaVersion } from '../../src/store/schema/migrate.ts'
import { openSession, openSqliteStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { newPath } from './folder.ts'
import { together, trace } from './moments.ts'
import { paddedEvent } from './sample.ts'
import { settleFamily } from './settle.ts'

const fill = (store: Store) => together(200, () => store.appendEvent(paddedEvent(1000)))

/** A sound database of some 300 KiB, closed. */
const makeDatabase = async (path: string): Promise<void> => {
  const store = await openSqliteStore({ path })
  await settleFamily(store)
  await fill(store)
  await store.close()
}

const overwrite = (path: string, from: number, to: number): void => {
  const bytes = readFileSync(path)
  bytes.fill(0xa5, from, to)
  writeFileSync(path, bytes)
}

const damaged = (path: string) => `the database ${path} is damaged; restore it from a backup`
const unreadable = (path: string) =>
  `the database ${path} is damaged or not a database of this program`

const cases: Record<
  string,
  { readonly harm: (path: string) => void; readonly says: (path: string) => string }
> = {
  'text instead of a database': {
    harm: (path) => writeFileSync(path, 'not a database '.repeat(1000)),
    says: unreadable,
  },
  'a header that was overwritten': { harm: (path) => overwrite(path, 0, 100), says: unreadable },
  'a schema that was overwritten': { harm: (path) => overwrite(path, 100, 4096), says: unreadable },
  'pages that were overwritten': {
    harm: (path) => overwrite(path, 4096 * 30, 4096 * 34),
    says: damaged,
  },
  'a file cut short': {
    harm: (path) => truncateSync(path, statSync(path).size - 4096 * 3),
    says: unreadable,
  },
  'a file cut to nothing': {
    harm: (path) => truncateSync(path, 0),
    says: (path) => `the database ${path} is empty; restore it, or remove it to begin anew`,
  },
  'a file that is gone while its journal is there': {
    harm: (path) => renameSync(path, `${path}-wal`),
    says: (path) => `the database ${path} is missing, but its journal is there`,
  },
  'a database of another program': {
    harm: (path) => {
      rmSync(path)
      const foreign = new DatabaseSync(path)
      foreign.exec('create table notes (text)')
      foreign.close()
    },
    says: (path) => `the database ${path} belongs to another program`,
  },
  'a database of a newer version': {
    harm: (path) => {
      const newer = new DatabaseSync(path)
      newer.exec('pragma user_version = 999')
      newer.close()
    },
    says: (path) =>
      `the database ${path} was written by a newer version of this program ` +
      `(its schema is 999, this one knows ${schemaVersion})`,
  },
  'a folder in its place': {
    harm: (path) => {
      rmSync(path)
      mkdirSync(path)
    },
    says: unreadable,
  },
}

const contentsOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, hashText(readFileSync(join(folder, name), 'base64'))]),
  )

const foreigners: Readonly<Record<string, (path: string) => void>> = {
  'a database of another program': (path) => {
    const foreign = new DatabaseSync(path)
    foreign.exec('create table clients (id text); pragma user_version = 3')
    foreign.close()
  },
  'a database of another program that was not closed': (path) => {
    const foreign = new DatabaseSync(`${path}.open`)
    foreign.exec('pragma journal_mode = wal; create table clients (id text)')
    for (const rest of ['', '-wal']) copyFileSync(`${path}.open${rest}`, path + rest)
    foreign.close()
    rmSync(`${path}.open`)
  },
  'a text': (path) => writeFileSync(path, 'not a database '.repeat(1000)),
}

for (const [name, make] of Object.entries(foreigners)) {
  test(`${name} is refused before anything is written, to it or beside it`, async (t) => {
    const path = newPath(t)
    make(path)
    const before = contentsOf(dirname(path))
    await assert.rejects(openSqliteStore({ path }), { name: 'StoreRefusal' })
    await assert.rejects(openSession(`sqlite:${path}`, 'empty'), { name: 'StoreRefusal' })
    await assert.rejects(openSession(`sqlite:${path}`, 'snapshot'), { name: 'StoreRefusal' })
    assert.deepEqual(contentsOf(dirname(path)), before)
  })
}

for (const [name, { harm, says }] of Object.entries(cases)) {
  test(`F-08 ${name} is refused and left as it is`, async (t) => {
    const path = newPath(t)
    await makeDatabase(path)
    harm(path)
    const size = existsSync(path) ? statSync(path).size : null
    await assert.rejects(openSqliteStore({ path }), { name: 'StoreRefusal', message: says(path) })
    assert.equal(existsSync(path) ? statSync(path).size : null, size)
  })
}

test('a folder that cannot be made is refused', async (t) => {
  const path = newPath(t)
  writeFileSync(path, '')
  const inside = `${path}/latchkey.db`
  await assert.rejects(openSqliteStore({ path: inside }), {
    name: 'StoreRefusal',
    message: `the database ${inside} cannot be used: its folder is not writable`,
  })
})

test('a crash while the database was first made leaves nothing in the way', async (t) => {
  const path = newPath(t)
  writeFileSync(`${path}.new`, 'half a database')
  const store = await openSqliteStore({ path })
  assert.equal(await store.isEmpty(), true)
  await store.close()
  assert.equal(existsSync(`${path}.new`), false)
})

test('ST-05 the database is readable by its owner only, and its journal too', async (t) => {
  const path = `${dirname(newPath(t))}/new/folder/latchkey.db`
  const store = await openSqliteStore({ path })
  await store.ping()
  for (const file of [path, `${path}-wal`, `${path}.lock`]) {
    assert.equal(statSync(file).mode & 0o777, 0o600, file)
  }
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700)
  await store.close()
})

test('F-08 damage under a running store is told once, and nothing is answered from it', async (t) => {
  const path = newPath(t)
  await makeDatabase(path)
  let told = 0
  const store = await openSqliteStore({ path, onBroken: () => told++ })
  overwrite(path, 0, statSync(path).size)
  const fault = { name: 'StoreFault' }
  await assert.rejects(store.listEvents({}, null, 100), fault)
  const broken = {
    name: 'StoreFault',
    reason: 'broken',
    message: 'the store has lost its disk and answers no more',
  }
  await assert.rejects(store.isEmpty(), broken)
  await assert.rejects(store.ping(), broken)
  await assert.rejects(store.createClient({} as never, trace()), broken)
  assert.equal(told, 1)
  await store.close()
})
