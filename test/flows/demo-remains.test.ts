/** A demo that was left behind: what everyone knows must not open a service that others can reach. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { createPasswords } from '../../src/crypto/password.ts'
import { demoClients } from '../../src/demo/people.ts'
import type { ClientId, EventId } from '../../src/model/ids.ts'
import { createServer, type Server } from '../../src/server.ts'
import type { Trace } from '../../src/store/store.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const demo = {}
const noDemo = { LATCHKEY_DEMO: '0' }
const forOthers = { ...noDemo, LATCHKEY_ISSUER: 'https://auth.example' }

/** Runs a service on the one database, and answers what it warned of. */
const serve = async (
  given: Record<string, string>,
  use: (server: Server) => Promise<void> = async () => {},
): Promise<readonly string[]> => {
  const told: string[] = []
  const env = { LATCHKEY_STORE: `sqlite:${join(folder, 'latchkey.db')}`, ...given }
  const settings = loadSettings({ env, flags: {}, cwd: folder })
  const server = await createServer({ settings, tell: ({ message }) => told.push(message) })
  await use(server)
  await server.close()
  return told
}

let events = 0
const trace = (): Trace => ({
  eventId: `event-${++events}` as EventId,
  at: 1,
  requestId: null,
  actor: { type: 'service' },
})

const deleteClients = async ({ store }: Server): Promise<void> => {
  for (const { id } of demoClients) {
    assert.equal(await store.deleteClient(id as string as ClientId, trace()), true)
  }
}

const deleteOwner = async ({ store }: Server, username: string): Promise<void> => {
  const owner = await store.findOwnerByName(username)
  assert.ok(owner !== null && (await store.deleteOwner(owner.id, trace())))
}

const refused = { message: /^this database was seeded with the demo, whose secrets everyone knows/ }
const warning = ['this database holds the demo, whose secrets everyone knows']

test('it is refused where others come, and warned of on this machine', async () => {
  await serve(demo)
  await assert.rejects(serve(forOthers), refused)
  assert.deepEqual(await serve(noDemo), warning)
})

test('one person with the password that everyone knows is enough', async () => {
  await serve(demo, async (server) => {
    await deleteClients(server)
    await deleteOwner(server, 'alice')
  })
  await assert.rejects(serve(forOthers), refused)
  assert.deepEqual(await serve(noDemo), warning)
})

test('people and clients of other secrets are none of the demo', async () => {
  await serve(demo, async (server) => {
    await deleteClients(server)
    await deleteOwner(server, 'alice')
    const bob = await server.store.findOwnerByName('bob')
    assert.ok(bob !== null)
    const password = { hash: await createPasswords().hash('another password'), salt: 'salt' }
    await server.store.changePassword(bob.id, password, null, trace())
  })
  assert.deepEqual(await serve(forOthers), [])
})
