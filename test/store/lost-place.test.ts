/** F-06, F-08: a database file that is removed under its store, and a write without room. */
import assert from 'node:assert/strict'
import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { mountSmall } from '../faults/small-disk.ts'
import { newPath } from './folder.ts'
import { start, trace } from './moments.ts'
import { paddedEvent } from './sample.ts'
import { settleFamily, told } from './settle.ts'

const open = async (t: TestContext, path: string): Promise<Store> => {
  const store = await openSqliteStore({ path })
  t.after(() => store.close())
  return store
}

const isMoved = { reason: 'failed', message: /removed or replaced.*put the file back/ }

for (const rest of ['', '-wal']) {
  test(`F-08 latchkey.db${rest} removed under the store: reads go on, and no write is promised`, async (t) => {
    const path = newPath(t)
    const store = await open(t, path)
    const { familyId } = await settleFamily(store)
    renameSync(path + rest, `${path}.away`)
    await assert.rejects(store.ping(), isMoved)
    await assert.rejects(store.endFamily(familyId, trace()), isMoved)
    assert.notEqual(await store.findStanding(familyId, start), null)
    writeFileSync(path + rest, '')
    await assert.rejects(store.ping(), isMoved)
    renameSync(`${path}.away`, path + rest)
    await store.ping()
    assert.equal(await store.endFamily(familyId, trace()), true)
  })
}

for (const gone of [[''], ['', '-wal'], ['-wal']]) {
  test(`F-08 ${gone.map((rest) => `latchkey.db${rest}`)} deleted: as docs/moving.md says, each row is saved`, async (t) => {
    const path = newPath(t)
    const store = await openSqliteStore({ path })
    const { familyId, owner } = await settleFamily(store)
    // Until its read ends, no checkpoint moves what follows from the journal into the file.
    const other = new DatabaseSync(path)
    other.exec('begin; select count(*) from families')
    assert.equal(await store.endFamily(familyId, trace()), true)
    const before = await told(store, { ownerId: owner.id })
    const files = gone.map((rest) => ({ rest, fd: openSync(path + rest, 'r') }))
    for (const { rest } of files) rmSync(path + rest)
    // A clean end needs no copy of the journal alone.
    for (const { rest, fd } of gone.includes('') ? files : []) {
      writeFileSync(path + rest, readFileSync(fd))
    }
    other.exec('commit')
    // As the service does by itself, on a file that is no longer in its place.
    other.exec('pragma wal_checkpoint(passive)')
    other.close()
    await store.close()
    for (const { fd } of files) closeSync(fd)
    const saved = await open(t, path)
    assert.deepEqual(await told(saved, { ownerId: owner.id }), before)
    assert.equal(await saved.findStanding(familyId, start), null)
  })
}

test('F-06 a write without room: not ready until as much fits, though smaller writes go on', async (t) => {
  const disk = mountSmall(8 * 1024)
  if (disk === null) return t.diagnostic('left out: only root can mount a small file system')
  t.after(() => disk.unmount())
  const store = await openSqliteStore({ path: join(disk.path, 'latchkey.db') })
  try {
    await store.ping()
    disk.resize(4 * 1024)
    await assert.rejects(store.appendEvent(paddedEvent(4_000_000)), { message: /the disk is full/ })
    await store.appendEvent(paddedEvent(10))
    await assert.rejects(store.ping(), { message: /has no room: the disk is full/ })
    disk.resize(24 * 1024)
    await store.ping()
    await store.appendEvent(paddedEvent(4_000_000))
  } finally {
    await store.close()
  }
})

test('F-06 a start on a full disk says that the disk is full', async (t) => {
  const disk = mountSmall(1024)
  if (disk === null) return t.diagnostic('left out: only root can mount a small file system')
  t.after(() => disk.unmount())
  const path = join(disk.path, 'latchkey.db')
  await (await openSqliteStore({ path })).close()
  assert.throws(() => {
    for (;;) appendFileSync(join(disk.path, 'other'), Buffer.alloc(4096))
  })
  await assert.rejects(openSqliteStore({ path }), {
    message: `the database ${path} cannot be locked: the disk is full`,
  })
})
