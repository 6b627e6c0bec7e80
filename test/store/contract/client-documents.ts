/** The store contract for clients that are metadata documents. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../src/model/client.ts'
import type { ClientId } from '../../../src/model/ids.ts'
import { storeLimits } from '../../../src/store/limits.ts'
import type { Store } from '../../../src/store/store.ts'
import { start, together, trace } from '../moments.ts'
import { sampleClient } from '../sample.ts'
import { told } from '../settle.ts'

const copy = (fetchedAt: number) => ({
  etag: '"v1"',
  fetchedAt,
  freshUntil: fetchedAt + 60,
  usableUntil: fetchedAt + 120,
})

let documents = 0
const sampleDocument = (): Client =>
  sampleClient({
    id: `https://helper.example/${documents++}` as ClientId,
    registeredBy: 'itself',
    authenticationMethod: 'none',
    secretDigest: null,
    document: copy(start),
  })

const created = async (store: Store): Promise<Client> => {
  const client = sampleDocument()
  await store.createClient(client, trace())
  return client
}

const found = async (store: Store, { id }: Client): Promise<Client> =>
  (await store.findClient(id)) ?? assert.fail('there is no such client')

export const clientDocumentContract = (store: () => Store): void => {
  test('a newer copy takes the place of the one before, and writes no event', async () => {
    const client = await created(store())
    const newer = { ...client, document: copy(start + 60), scope: [] }
    assert.deepEqual(await store().keepClientDocument(newer, trace()), { outcome: 'kept' })
    assert.deepEqual(await found(store(), client), { ...client, document: copy(start + 60) })
    assert.deepEqual(await told(store(), { clientId: client.id }), ['client.registered'])
  })

  test('a changed document changes its client, and writes an event', async () => {
    const client = await created(store())
    const redirectUris = ['https://new.example/cb']
    const display = { logo_uri: 'https://new.example/logo.png' }
    const newer = { ...client, name: 'New', redirectUris, display, document: copy(start + 60) }
    await store().keepClientDocument(newer, trace(start + 60))
    const ownChanges = { since: start + 60, times: 1 }
    assert.deepEqual(await found(store(), client), { ...newer, ownChanges })
    const events = await told(store(), { clientId: client.id })
    assert.deepEqual(events, ['client.registered', 'client.changed_itself'])
  })

  test('a copy without a key of before brings its new salt, and one with a further key does not', async () => {
    const keyOf = (x: string) => ({ kty: 'OKP', crv: 'Ed25519', x })
    const client = await created(store())
    const saltAfter = async (at: number, ...keys: readonly string[]): Promise<string> => {
      const openid = { jwks: { keys: keys.map(keyOf) } }
      const newer = { ...client, openid, salt: `salt-${at}`, document: copy(start + at) }
      assert.deepEqual(await store().keepClientDocument(newer, trace()), { outcome: 'kept' })
      return (await found(store(), client)).salt
    }
    assert.equal(await saltAfter(1, 'a'), client.salt)
    assert.equal(await saltAfter(2, 'a', 'b'), client.salt)
    assert.equal(await saltAfter(3, 'b'), 'salt-3')
    assert.equal(await saltAfter(4, 'b'), 'salt-3')
  })

  test('an older copy changes nothing', async () => {
    const client = await created(store())
    const older = { ...client, name: 'Old', document: copy(start - 1) }
    assert.deepEqual(await store().keepClientDocument(older, trace()), { outcome: 'kept' })
    assert.deepEqual(await found(store(), client), client)
  })

  test("the operator's members stay, and all of a pinned document", async () => {
    const client = await created(store())
    await store().changeClient(client.id, { name: 'Mine', newSalt: 'x' }, trace())
    const newer = { ...client, name: 'New', responseTypes: [], document: copy(start + 60) }
    await store().keepClientDocument(newer, trace())
    const { name, responseTypes } = await found(store(), client)
    assert.deepEqual([name, responseTypes], ['Mine', []])
    const pinned = await store().changeClient(client.id, { pinned: true, newSalt: 'x' }, trace())
    const newest = { ...client, redirectUris: [], document: copy(start + 120) }
    assert.deepEqual(await store().keepClientDocument(newest, trace()), { outcome: 'kept' })
    assert.deepEqual(await found(store(), client), pinned)
  })

  test('a document without a client makes none, and a registered client becomes none', async () => {
    const registered = sampleClient()
    await store().createClient(registered, trace())
    for (const client of [sampleDocument(), { ...registered, document: copy(start) }]) {
      assert.deepEqual(await store().keepClientDocument(client, trace()), { outcome: 'gone' })
    }
    assert.deepEqual(await found(store(), registered), registered)
  })

  test('of many changes at once, so many of a day are kept', async () => {
    const client = await created(store())
    const named = (name: string, at: number) =>
      store().keepClientDocument({ ...client, name, document: copy(at) }, trace(at))
    const outcomes = await together(storeLimits.ownChanges + 5, (turn) =>
      named(`Name ${turn}`, start),
    )
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'too_often').length, 5)
    const later = start + storeLimits.ownChangesSeconds
    assert.deepEqual(await named('Later', later), { outcome: 'kept' })
  })
}
