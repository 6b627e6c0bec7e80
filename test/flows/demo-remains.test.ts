/** A former demo: its known secrets must not open a service that others can reach. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { createPasswords } from '../../src/crypto/password.ts'
import { demoClients, demoOwners } from '../../src/demo/people.ts'
import type { ClientId, EventId } from '../../src/model/ids.ts'
import { createServer, type Server } from '../../src/server.ts'
import type { Trace } from '../../src/store/contract/trace.ts'
import { sampleOwner } from '../store/sample.ts'
import { memoryOr } from '../support/memory.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(memoryOr(), 'latchkey-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const demo = {}
const noDemo = { LATCHKEY_DEMO: '0' }
const forOthers = {
  ...noDemo,
  LATCHKEY_ISSUER: 'https://auth.example',
  LATCHKEY_TRUSTED_PROXIES: '127.0.0.1',
}
const atAnotherPort = { LATCHKEY_ISSUER: 'http://127.0.0.1:6000' }

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

test('it is refused at any other issuer, and warned of at its own', async () => {
  await serve(demo)
  await assert.rejects(serve(forOthers), refused)
  await assert.rejects(serve({ ...noDemo, ...atAnotherPort }), refused)
  assert.deepEqual(await serve(noDemo), warning)
})

test('a demo comes back as a demo at another port, which is its own from then on', async () => {
  await serve(demo)
  assert.deepEqual(await serve(atAnotherPort), [])
  assert.deepEqual(await serve({ ...noDemo, ...atAnotherPort }), warning)
  await assert.rejects(serve(noDemo), refused)
})

test('it is refused also where nobody and nothing of it is left', async () => {
  await serve(demo, async (server) => {
    await deleteClients(server)
    for (const { username } of demoOwners) await deleteOwner(server, username)
  })
  await assert.rejects(serve(forOthers), refused)
  assert.deepEqual(await serve(noDemo), warning)
})

/** As versions did that kept no mark. */
const removeMark = (): void => {
  const database = new DatabaseSync(join(folder, 'latchkey.db'))
  database.exec("delete from facts where id = 'demo'")
  database.close()
}

test('one without a mark is known by a person with the password that everyone knows', async () => {
  await serve(demo, async (server) => {
    await deleteClients(server)
    await deleteOwner(server, 'alice')
  })
  removeMark()
  await assert.rejects(serve(forOthers), refused)
  assert.deepEqual(await serve(noDemo), warning)
})

test('one without a mark gets it when it is a demo again', async () => {
  await serve(demo)
  removeMark()
  await serve(demo, async (server) => {
    await deleteClients(server)
    for (const { username } of demoOwners) await deleteOwner(server, username)
  })
  await assert.rejects(serve(forOthers), refused)
})

test('a store with other people and clients is no demo, though it was once started as one', async () => {
  await serve(noDemo, async ({ store }) => {
    const passwordHash = await createPasswords().hash('another password')
    await store.createOwner(sampleOwner({ username: 'alice', passwordHash }), trace())
  })
  assert.deepEqual(await serve(demo), [
    'the demo is on, but this database was made without it: set LATCHKEY_DEMO=0. A demo may show mails and reasons of refusals to everybody on this machine',
  ])
  assert.deepEqual(await serve(forOthers), [])
})
