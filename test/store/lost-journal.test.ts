/** F-08: the journal of an unclosed database is lost, and with it the latest changes. */
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { drawRandom, makeSalt } from '../../src/crypto/digest.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { backUp } from '../../src/store/transfer/dump.ts'
import { restore } from '../../src/store/transfer/restore.ts'
import { newPath } from './folder.ts'
import { start, trace } from './moments.ts'
import { settleFamily } from './settle.ts'

/** The files as a process that is killed now would leave them. */
const copyAsKilled = (path: string, to: string): void => {
  for (const rest of ['', '-wal']) copyFileSync(path + rest, to + rest)
}

/** A database that was killed after a family was ended; the end of it may be in the journal alone. */
const killedAfterRevocation = async (t: TestContext) => {
  const living = newPath(t)
  const path = newPath(t)
  const store = await openSqliteStore({ path: living })
  const { familyId } = await settleFamily(store)
  assert.equal(await store.endFamily(familyId, trace()), true)
  copyAsKilled(living, path)
  await store.close()
  return { path, familyId }
}

const refusal = (path: string) => ({
  name: 'StoreRefusal',
  message:
    `the database ${path} was not closed, and its journal ${path}-wal is missing or cut off: ` +
    'the latest changes are lost, such as revocations. Put the journal back. ' +
    'Or accept the loss, which ends every token: ' +
    `latchkey backup FILE, move ${path} away, latchkey restore FILE`,
})

const isAlive = async (store: Store, familyId: Parameters<Store['isRedeemed']>[0]) =>
  (await store.findStanding(familyId, start)) !== null

const filesOf = (path: string): readonly string[] =>
  readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}-`))

test('F-08 killed, its journal there: it opens, and what was revoked stays revoked', async (t) => {
  const { path, familyId } = await killedAfterRevocation(t)
  const store = await openSqliteStore({ path })
  assert.equal(await isAlive(store, familyId), false)
  await store.close()
})

const losses: Readonly<Record<string, (journal: string) => void>> = {
  missing: (journal) => rmSync(journal),
  emptied: (journal) => truncateSync(journal, 0),
  'cut off within its first page': (journal) => truncateSync(journal, 500),
}

for (const [name, lose] of Object.entries(losses)) {
  test(`F-08 killed, its journal ${name}: it is refused, as often as it is tried`, async (t) => {
    const { path } = await killedAfterRevocation(t)
    lose(`${path}-wal`)
    await assert.rejects(openSqliteStore({ path }), refusal(path))
    await assert.rejects(openSqliteStore({ path }), refusal(path))
    await assert.rejects(restoreTo(path, 'nothing'), { name: 'StoreRefusal' })
  })
}

const restoreTo = (path: string, file: string) =>
  restore(`sqlite:${path}`, file, { tokens: 'end', newSalt: () => makeSalt(drawRandom), trace })

test('F-08 a journal that is put back heals it', async (t) => {
  const { path, familyId } = await killedAfterRevocation(t)
  const away = `${path}.journal`
  copyFileSync(`${path}-wal`, away)
  rmSync(`${path}-wal`)
  await assert.rejects(openSqliteStore({ path }), refusal(path))
  copyFileSync(away, `${path}-wal`)
  const store = await openSqliteStore({ path })
  assert.equal(await isAlive(store, familyId), false)
  await store.close()
})

test('F-08 whoever accepts the loss takes a backup and restores it: every token has ended', async (t) => {
  const { path, familyId } = await killedAfterRevocation(t)
  rmSync(`${path}-wal`)
  const file = join(dirname(path), 'backup')
  await backUp(`sqlite:${path}`, file, start)
  await assert.rejects(openSqliteStore({ path }), refusal(path))
  rmSync(path)
  await restoreTo(path, file)
  const store = await openSqliteStore({ path })
  assert.equal(await isAlive(store, familyId), false)
  await store.close()
})

test('a database that was closed needs no journal, wherever its file goes', async (t) => {
  const path = newPath(t)
  const elsewhere = newPath(t)
  let store = await openSqliteStore({ path })
  const { familyId } = await settleFamily(store)
  await store.close()
  assert.deepEqual(filesOf(path), [])
  for (let round = 0; round < 2; round++) {
    copyFileSync(path, elsewhere)
    store = await openSqliteStore({ path: elsewhere })
    assert.equal(await isAlive(store, familyId), true)
    await store.close()
  }
})

test('a copy of the file alone is refused while a service has it open', async (t) => {
  const path = newPath(t)
  const copy = newPath(t)
  const store = await openSqliteStore({ path })
  copyFileSync(path, copy)
  await assert.rejects(openSqliteStore({ path: copy }), refusal(copy))
  assert.equal(existsSync(`${path}-wal`), true)
  await store.close()
  await (await openSqliteStore({ path })).close()
})
