/** Attacks on sealed events by a writer of the database without the root secret (decision 110). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restNever } from '../../src/clock.ts'
import { makeKeyPair } from '../../src/crypto/own-jws.ts'
import type { Vault } from '../../src/crypto/wrap.ts'
import { findSealKey } from '../../src/events/seals/key.ts'
import { createSealer } from '../../src/events/seals/sealer.ts'
import type { Event } from '../../src/model/event.ts'
import type { ClientId, OwnerId } from '../../src/model/ids.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { beginRootSecret } from '../../src/tokens/keys/root-secret.ts'
import { trace } from './moments.ts'
import { sampleClient, sampleOwner } from './sample.ts'
import {
  begin,
  change,
  eventAt,
  findingsOf,
  hour,
  idAt,
  newSqlite,
  sealAll,
  secret,
  vaultOf,
  verify,
} from './sealed.ts'

const end = begin + 3 * hour + 300

const beginRoot = async (store: Store, at: number, given = secret) => {
  const told: string[] = []
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
  const parts = { store, random, clock: () => at * 1000 }
  const root = await beginRootSecret(parts, { secret: given, previous: null }, ({ message }) =>
    told.push(message),
  )
  return { root, told }
}

const typesOf = async (store: Store): Promise<readonly string[]> =>
  (await store.listStoredEvents('', null, 50)).map(({ type }) => type)

test('a key of the attacker is never taken over, and a new chain is told', async (t) => {
  const { path, store } = await newSqlite(t)
  assert.deepEqual((await beginRoot(store, begin)).told, [])
  const first = eventAt(begin + 10)
  await store.appendEvent(first)
  await sealAll(store, end)
  await store.close()

  const { secret: mine } = await makeKeyPair('EdDSA')
  const plain = Buffer.from(mine).toString('base64url')
  change(
    path,
    `update events set type = 'login.failed'; delete from event_seals;
     update facts set value = 'plain.${plain}' where id = 'event seals'`,
  )
  const forged = await openSqliteStore({ path })
  const myVault: Vault = { wrap: () => '', unwrap: () => mine }
  await sealAll(forged, end, myVault)
  const [before] = await forged.listSeals(0, 1)
  const { told } = await beginRoot(forged, end)
  assert.match(told.join(), /a new chain of seals begins/)
  assert.deepEqual(await findingsOf(forged, end), ['signature 1 2'])
  await sealAll(forged, end + hour)
  assert.ok((await typesOf(forged)).includes('seals.begun_anew'))
  const key = await findSealKey(forged, vaultOf(secret))
  assert.deepEqual([key?.since, key?.isAnew], [end, true])
  // The new chain goes on behind the old one.
  assert.deepEqual((await forged.listSeals(0, 1))[0], before)
  assert.deepEqual(await findingsOf(forged, end + hour), ['signature 1 2'])
  assert.deepEqual((await verify(forged, end + hour, { from: end })).findings, [])
  assert.deepEqual((await beginRoot(forged, end + hour)).told, [])
  await forged.close()
})

test('under another root secret, and without its key, a store goes on sealing in a new chain', async (t) => {
  const { path, store } = await newSqlite(t)
  await beginRoot(store, begin)
  await store.appendEvent(eventAt(begin + 10))
  await sealAll(store, begin + hour + 300)
  await store.close()
  for (const [turn, sql] of [
    "delete from facts where id = 'root secret'; delete from keys",
    "delete from facts where id = 'event seals'",
    "update facts set value = '' where id = 'event seals'",
  ].entries()) {
    change(path, sql)
    const other = 'another root secret, which is long enough'
    const opened = await openSqliteStore({ path })
    const at = begin + (turn + 2) * hour + 300
    const sealer = createSealer(
      { store: opened, settings: { eventSeconds: 1e8 }, tell: () => {}, rest: restNever },
      vaultOf(other),
    )
    await assert.rejects(sealer.sealDue(at), /the key that seals events/, sql)
    assert.match((await beginRoot(opened, at, other)).told.join(), /a new chain/, sql)
    await sealAll(opened, at, vaultOf(other))
    assert.deepEqual(
      await findingsOf(opened, at, vaultOf(other)),
      [`signature 1 ${turn === 0 ? '' : turn + 1}`],
      sql,
    )
    await opened.close()
  }
})

const owned = (at: number, ownerId: string, more: Partial<Event> = {}): Event =>
  eventAt(at, {
    ...{ ownerId: ownerId as OwnerId, details: { from: 'thief' } },
    actor: { type: 'owner', ownerId: ownerId as OwnerId, network: '203.0.113.*' },
    ...more,
  })

const insert = (id: string, at: number, type: string, about: string, place = '0'): string =>
  `insert into events (id, at, type, owner_id, client_id, details, actor, place)
   select '${id}', ${at}, '${type}', ${about}, '{}', '', ${place}`

test('nothing is forgotten under the cover of an inserted deletion', async (t) => {
  const { path, store } = await newSqlite(t)
  const owner = sampleOwner()
  await store.createOwner(owner, { ...trace(begin), eventId: idAt(begin) })
  const ofLiving = owned(begin + 5, owner.id)
  const ofBob = owned(begin + 6, 'bob')
  const ofEve = owned(begin + 7, 'eve')
  const byService = owned(begin + 8, 'eve', { actor: { type: 'service' } })
  const deletion = owned(begin + 9, 'eve', { type: 'owner.deleted' })
  const after = owned(begin + hour, 'eve')
  const events = [ofLiving, ofBob, ofEve, byService, deletion, after]
  for (const event of events) await store.appendEvent(event)
  await sealAll(store, end)
  await store.close()
  const forge = (ids: readonly { readonly id: string }[], actor: string): string =>
    `update events set details = '{}', actor = ${actor} where id in (${ids.map(({ id }) => `'${id}'`)})`
  change(
    path,
    [
      insert(idAt(end - 5), end - 5, 'owner.deleted', `'${owner.id}', null`),
      insert('', 0, 'owner.deleted', "'bob', null"),
      forge([ofLiving, ofBob], "''"),
    ].join(';'),
  )
  const opened = await openSqliteStore({ path })
  assert.deepEqual(await findingsOf(opened, end), [
    ...[`changed ${ofLiving.id}`, `changed ${ofBob.id}`].sort(),
    'form ',
  ])
  await opened.close()
  change(
    path,
    `delete from events where id = ''; ${forge([ofEve, after], "''")}; ${forge([byService], "''")}`,
  )
  const again = await openSqliteStore({ path })
  // Events from before the deletion may be empty, but not the actor of the service.
  const changed = [ofLiving, ofBob, byService, after].map(({ id }) => `changed ${id}`)
  assert.deepEqual(await findingsOf(again, end), changed.sort())
  await again.close()
  change(path, forge([deletion], "''"))
  const last = await openSqliteStore({ path })
  const all = [...changed, `changed ${ofEve.id}`, `changed ${deletion.id}`]
  assert.deepEqual(await findingsOf(last, end), all.sort())
  await last.close()
})

test('events of a client go only with the event that tells it', async (t) => {
  const { path, store } = await newSqlite(t)
  const at = (seconds: number) => ({ ...trace(begin + seconds), eventId: idAt(begin + seconds) })
  const url = 'https://app.example/client.json' as ClientId
  const client = sampleClient({ id: url, registeredBy: 'itself' })
  const quota = { perWindow: [], share: null, mostInTotal: 5 }
  const used = sampleClient()
  await store.createClient(used, at(1))
  const granted = owned(begin + 2, 'o1', { clientId: used.id, type: 'authorization.approved' })
  const acted = eventAt(begin + 3, { clientId: used.id, type: 'client.changed_itself' })
  for (const event of [granted, acted]) await store.appendEvent(event)
  await store.deleteClient(used.id, at(4))
  await store.registerClient(client, quota, at(5))
  await sealAll(store, begin + hour + 300)
  const later = 90 * 86_400
  // It comes back under the same id, twice.
  for (const turn of [1, 2]) {
    assert.equal(await store.removeIdleClient(url, at(turn * later)), 'removed')
    await store.registerClient(client, quota, at(turn * later + 60))
    await sealAll(store, begin + turn * later + 2 * hour)
  }
  const now = begin + 2 * later + 2 * hour
  const page = await verify(store, now)
  assert.deepEqual([page.findings, page.counts.unused], [[], 3])
  await store.close()

  change(
    path,
    `delete from events where id = '${acted.id}';
     ${insert(idAt(now - 5), now - 5, 'client.forgotten', `null, '${used.id}'`)}`,
  )
  const opened = await openSqliteStore({ path })
  assert.deepEqual(await findingsOf(opened, now), [`missing ${acted.id}`])
  await opened.close()
})

test('a backdated event is told, before and after its seal; so are seals that were made late', async (t) => {
  const { path, store } = await newSqlite(t)
  for (const turn of [0, 1, 2]) await store.appendEvent(eventAt(begin + turn * hour + 10))
  await sealAll(store, end)
  assert.equal((await verify(store, end)).delayed, null)
  await store.close()
  const id = idAt(begin + 20)
  const place = '(select max(place) + 1 from events)'
  change(path, insert(id, begin + 20, 'login.succeeded', "'o1', null", place))
  const opened = await openSqliteStore({ path })
  assert.deepEqual(await findingsOf(opened, end + 60), [`backdated ${id}`])
  const month = 30 * 86_400
  await sealAll(opened, end + month)
  const { findings, delayed } = await verify(opened, end + month)
  assert.deepEqual(
    findings.map(({ problem, seal, event }) => [problem, seal, event]),
    [['backdated', 4, id]],
  )
  assert.equal(delayed?.first, 4)
  assert.ok((delayed?.seconds ?? 0) > month - 2 * hour)
  await opened.close()
})

test('an event in front of the first seal is told, and no setting of today excuses a missing one', async (t) => {
  const { path, store } = await newSqlite(t)
  const short = { eventSeconds: 86_400 }
  for (const turn of [0, 1, 500]) await store.appendEvent(eventAt(begin + turn * hour + 10))
  const now = begin + 501 * hour + 300
  const sealer = createSealer(
    { store, settings: short, tell: () => {}, rest: restNever },
    vaultOf(secret),
  )
  while ((await sealer.sealDue(now)) === 'more');
  const keep = { events: now - short.eventSeconds, accessLog: 0 }
  for (let turn = 0; turn < 60; turn++) await store.purge(now, keep, 500)
  assert.ok(((await store.listSeals(0, 1))[0]?.number ?? 0) > 1)
  assert.deepEqual(await findingsOf(store, now), [])
  await store.close()
  const [id, missing] = [idAt(begin + 5), (500 * hour + begin + 10) as number]
  change(
    path,
    `${insert(id, now - hour, 'login.succeeded', "'o1', null")}; delete from events where at = ${missing}`,
  )
  const opened = await openSqliteStore({ path })
  const found = await verify(opened, now)
  assert.deepEqual(found.findings.map(({ problem }) => problem).sort(), ['added', 'missing'])
  await opened.close()
})
