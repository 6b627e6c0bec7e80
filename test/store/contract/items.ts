/** The store contract for items, keys and events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientId, EventId, Holder, ItemId, OwnerId } from '../../../src/model/ids.ts'
import type { Condition } from '../../../src/model/item.ts'
import type { PutItem } from '../../../src/store/contract/resource.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../moments.ts'
import { sampleKey } from '../sample.ts'
import { told } from '../settle.ts'

export const itemContract = (store: () => Store): void => {
  const newHolder = (): Holder => `owner:${next('owner') as OwnerId}`

  const put = (holder: Holder, id: string, change: Partial<PutItem> = {}) =>
    store().putItem({
      holder,
      resource: 'photos',
      id: id as ItemId,
      fields: { title: 'Sunset', tags: ['a', 1, null, { deep: true }] },
      version: 'v1',
      condition: {},
      createOnly: false,
      mostItems: 100,
      ...change,
    })
  const find = (holder: Holder, id: string) => store().findItem(holder, 'photos', id as ItemId)
  const remove = (holder: Holder, id: string, condition: Condition = {}) =>
    store().deleteItem(holder, 'photos', id as ItemId, condition)

  test('an item is created, replaced and deleted', async () => {
    const holder = newHolder()
    assert.equal(await put(holder, 'a'), 'created')
    assert.deepEqual(await find(holder, 'a'), {
      id: 'a',
      fields: { title: 'Sunset', tags: ['a', 1, null, { deep: true }] },
      version: 'v1',
    })
    assert.equal(await put(holder, 'a', { fields: {}, version: 'v2' }), 'replaced')
    assert.deepEqual(await find(holder, 'a'), { id: 'a', fields: {}, version: 'v2' })
    assert.equal(await remove(holder, 'a'), 'deleted')
    assert.equal(await remove(holder, 'a'), 'unknown')
    assert.equal(await find(holder, 'a'), null)
  })

  test('items are counted by resource, those of one holder alone', async () => {
    const [holder, other] = [newHolder(), newHolder()]
    for (const id of ['a', 'b', 'c']) await put(holder, id)
    await put(holder, 'a', { resource: 'contacts' })
    await put(other, 'a')
    await remove(holder, 'b')
    assert.deepEqual([...(await store().countItems(holder))].sort(), [
      ['contacts', 1],
      ['photos', 2],
    ])
    await store().deleteItem(holder, 'contacts', 'a' as ItemId, {})
    assert.deepEqual([...(await store().countItems(holder))], [['photos', 2]])
    assert.deepEqual([...(await store().countItems(newHolder()))], [])
  })

  test('RS-20 holders and resources do not see one another', async () => {
    const [one, two] = [newHolder(), newHolder()]
    await put(one, 'a')
    assert.equal(await find(two, 'a'), null)
    assert.equal(await store().findItem(one, 'contacts', 'a' as ItemId), null)
    assert.deepEqual(await store().listItems(two, 'photos', null, 10), { rows: [], next: null })
    assert.equal(await remove(two, 'a'), 'unknown')
    const namesake: Holder = `client:${one.slice('owner:'.length) as ClientId}`
    assert.equal(await find(namesake, 'a'), null)
  })

  test('writes and deletions hold to their conditions', async () => {
    const holder = newHolder()
    const failed = 'precondition_failed'
    assert.equal(await put(holder, 'a', { condition: { ifMatch: '*' } }), failed)
    assert.equal(await put(holder, 'a', { condition: { ifNoneMatch: '*' } }), 'created')
    assert.equal(await put(holder, 'a', { condition: { ifNoneMatch: '*' } }), failed)
    assert.equal(await put(holder, 'a', { createOnly: true }), failed)
    assert.equal(await put(holder, 'a', { condition: { ifMatch: ['x', 'y'] } }), failed)
    assert.equal(await put(holder, 'a', { condition: { ifNoneMatch: ['v1'] } }), failed)
    const second = { condition: { ifMatch: ['x', 'v1'] }, version: 'v2' }
    assert.equal(await put(holder, 'a', second), 'replaced')
    assert.equal(await remove(holder, 'a', { ifMatch: ['v1'] }), failed)
    assert.equal(await remove(holder, 'a', { ifNoneMatch: '*' }), failed)
    assert.equal((await find(holder, 'a'))?.version, 'v2')
    assert.equal(await remove(holder, 'a', { ifMatch: ['v2'] }), 'deleted')
  })

  test('of many who write upon one version at once, one does', async () => {
    const holder = newHolder()
    await put(holder, 'a', { version: 'v0' })
    const outcomes = await together(20, (i) =>
      put(holder, 'a', { condition: { ifMatch: ['v0'] }, version: `w${i}` }),
    )
    assert.equal(outcomes.filter((outcome) => outcome === 'replaced').length, 1)
    assert.equal((await find(holder, 'a'))?.version, 'w0')
  })

  test('a holder keeps so many items of a resource and no more', async () => {
    const holder = newHolder()
    const outcomes = await together(10, (i) => put(holder, `item-${i}`, { mostItems: 3 }))
    assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 3)
    assert.equal(await put(holder, 'item-0', { mostItems: 3 }), 'replaced')
    assert.equal(await put(holder, 'item-9', { mostItems: 3 }), 'full')
    assert.equal(await find(holder, 'item-9'), null)
    assert.equal(await put(holder, 'x', { resource: 'contacts', mostItems: 3 }), 'created')
    await remove(holder, 'item-0')
    assert.equal(await put(holder, 'item-9', { mostItems: 3 }), 'created')
  })

  test('items are listed in pages in the order of their ids', async () => {
    const holder = newHolder()
    for (const id of ['c', 'a', 'b']) await put(holder, id, { fields: { id } })
    const item = (id: string) => ({ id, fields: { id }, version: 'v1' })
    const first = await store().listItems(holder, 'photos', null, 2)
    assert.deepEqual(first, { rows: [item('a'), item('b')], next: 'b' })
    const second = await store().listItems(holder, 'photos', first.next, 2)
    assert.deepEqual(second, { rows: [item('c')], next: null })
  })
}

export const eventContract = (store: () => Store): void => {
  test('events are found as they were told, newest first, in pages', async () => {
    const ownerId = next('owner') as OwnerId
    const clientId = next('client') as ClientId
    const event = (about: object) => ({
      id: next('event') as EventId,
      at: start,
      type: 'login.failed' as const,
      clientId: null,
      ownerId,
      authorizationId: null,
      requestId: null,
      actor: null,
      details: { address: '192.0.2.1', tries: 3, known: true, nothing: null },
      ...about,
    })
    const events = [event({}), event({ clientId }), event({})]
    for (const one of events) await store().appendEvent(one)
    const first = await store().listEvents({ ownerId }, null, 2)
    assert.deepEqual(first, { rows: [events[2], events[1]], next: events[1]?.id })
    const second = await store().listEvents({ ownerId }, first.next, 2)
    assert.deepEqual(second, { rows: [events[0]], next: null })
    assert.deepEqual((await store().listEvents({ clientId }, null, 2)).rows, [events[1]])
    assert.deepEqual((await store().listEvents({ ownerId, clientId }, null, 2)).rows, [events[1]])
    assert.deepEqual((await store().listEvents({}, null, 1)).rows, [events[2]])
  })

  test('an event told twice fails with its step and leaves nothing behind', async () => {
    const twice = trace()
    const ownerId = next('owner') as OwnerId
    const { eventId: id, at, requestId, actor } = twice
    const event = { id, at, requestId, actor, type: 'owner.changed', details: {} } as const
    await store().appendEvent({ ...event, ownerId, clientId: null, authorizationId: null })
    const key = sampleKey('lost', start + 900)
    await assert.rejects(store().addKey(key, start + 900, twice), { name: 'StoreFault' })
    assert.equal(
      (await store().listKeys()).some((one) => one.id === 'lost'),
      false,
    )
    assert.deepEqual(await told(store(), { ownerId }), ['owner.changed'])
  })
}
