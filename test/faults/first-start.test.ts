/**
 * F-06: the disk is nearly full at the first start of a service. A later start with room repairs
 * the damage.
 */
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { readRootSecret } from '../../src/config/root-secret.ts'
import { drawRandom } from '../../src/crypto/digest.ts'
import { demoClients, demoOwners } from '../../src/demo/people.ts'
import { createServer } from '../../src/server.ts'
import { openWithThread } from '../support/writer.ts'
import { fullCycles } from './extent.ts'
import { newFolder } from './folder.ts'
import { mountSmall } from './small-disk.ts'

const roomEnough = 8 * 1024
/** From no room at all in steps up to where a start succeeds. */
const step = fullCycles === null ? 64 : 4

const startIn = (folder: string) => {
  const env = { LATCHKEY_STORE: `sqlite:${join(folder, 'latchkey.db')}` }
  const settings = loadSettings({ env, flags: {}, cwd: folder })
  // A thread that ends lets go of its files.
  return openWithThread(() => createServer({ settings, tell: () => {} }))
}

/** Why the start failed; null where it did not. */
const faultOfStart = async (folder: string): Promise<Error | null> => {
  try {
    await (await startIn(folder)).close()
    return null
  } catch (fault) {
    assert.ok(fault instanceof Error)
    return fault
  }
}

const assertWholeDemo = async (folder: string, room: number): Promise<void> => {
  const server = await startIn(folder)
  const { store } = server
  const owners = await store.listOwners(null, 10)
  const clients = await store.listClients(null, 10)
  await server.close()
  const where = `after a first start with ${room} KiB`
  assert.equal(owners.rows.length, demoOwners.length, where)
  assert.equal(clients.rows.length, demoClients.length, where)
}

test('F-06 a first start without room says so, and the next one with room is as the first', async (t) => {
  let failed = 0
  for (let room = 4; ; room += step) {
    const disk = mountSmall(room)
    if (disk === null) return t.diagnostic('left out: only root can mount a small file system')
    try {
      const fault = await faultOfStart(disk.path)
      if (fault === null) break
      failed++
      assert.match(fault.message, /disk is full/, `${room} KiB: ${fault.stack}`)
      const left = readdirSync(disk.path).filter((name) => name.endsWith('.new'))
      assert.deepEqual(left, [], `${room} KiB`)
      disk.resize(roomEnough)
      await assertWholeDemo(disk.path, room)
    } finally {
      disk.unmount()
    }
  }
  assert.ok(failed > 2, 'the disk was never full')
  t.diagnostic(`${failed} first starts without room`)
})

test('F-06 an empty key file that a failed first start left is filled', async (t) => {
  const { path, remove } = newFolder()
  t.after(remove)
  const database = join(path, 'latchkey.db')
  writeFileSync(`${database}.key`, '')
  const secret = await readRootSecret(database, true, drawRandom)
  assert.equal(await readRootSecret(database, false, drawRandom), secret)
  assert.deepEqual(readdirSync(path), ['latchkey.db.key'])
})

test('an empty or short key file is never replaced where keys are sealed with it', async (t) => {
  const { path, remove } = newFolder()
  t.after(remove)
  const database = join(path, 'latchkey.db')
  const missing = { message: /is empty or cut off: restore the file/ }
  writeFileSync(`${database}.key`, '')
  await assert.rejects(readRootSecret(database, false, drawRandom), missing)
  writeFileSync(`${database}.key`, 'short')
  await assert.rejects(readRootSecret(database, true, drawRandom), missing)
})
