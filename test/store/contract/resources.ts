/** The store contract for resources: a name once and for all, a URI for one at a time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientId } from '../../../src/model/ids.ts'
import type { Resource } from '../../../src/model/resource.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../moments.ts'
import { sampleResource } from '../sample.ts'

const uri = (): string => `https://${next('api')}.example/v1`

export const resourceContract = (store: () => Store): void => {
  const many = 1000
  const create = (resource: Resource) => store().createResource(resource, many, trace())
  const find = async (name: string) =>
    (await store().listResources()).find((one) => one.name === name)
  const lastEvent = async () => {
    const [event] = (await store().listEvents({}, null, 1)).rows
    return [event?.type, event?.details]
  }

  test('resources are listed as they were created, in that order', async () => {
    const orders = sampleResource({
      title: { en: 'Orders', zh: '订单' },
      actions: { refund: { en: 'Refund orders', zh: '退款' } },
      destructive: ['write', 'refund:spend'],
      uri: uri(),
      introspectionClients: ['shop' as ClientId],
    })
    const plain = sampleResource({ name: 'a-plain-one' })
    assert.equal(await create(orders), 'created')
    assert.deepEqual(await lastEvent(), [
      'resource.created',
      { resource: orders.name, uri: orders.uri },
    ])
    assert.equal(await create(plain), 'created')
    assert.deepEqual((await store().listResources()).slice(-2), [orders, plain])
  })

  test('of many that create one name or one URI at once, one does', async () => {
    const of = sampleResource()
    const named = await together(10, () => create({ ...of, uri: uri() }))
    assert.equal(named.filter((outcome) => outcome === 'created').length, 1)
    assert.equal(named.filter((outcome) => outcome === 'name_taken').length, 9)
    const shared = uri()
    const located = await together(10, () => create(sampleResource({ uri: shared })))
    assert.equal(located.filter((outcome) => outcome === 'created').length, 1)
    assert.equal(located.filter((outcome) => outcome === 'uri_taken').length, 9)
    const holder = (await store().listResources()).find((one) => one.uri === shared)
    assert.equal(await store().deleteResource(holder?.name ?? '', trace()), true)
    assert.equal(await create(sampleResource({ uri: shared })), 'created')
  })

  test('a refused resource leaves its URI to others', async () => {
    const first = sampleResource({ uri: uri() })
    const wanted = uri()
    assert.equal(await create(first), 'created')
    assert.equal(await create({ ...first, uri: wanted }), 'name_taken')
    assert.deepEqual(await find(first.name), first)
    assert.equal(await create(sampleResource({ uri: wanted })), 'created')
    assert.equal(await create(sampleResource({ uri: first.uri })), 'uri_taken')
  })

  test('there are no more resources than there may be', async () => {
    const there = (await store().listResources()).length
    const one = sampleResource({ uri: uri() })
    assert.equal(await store().createResource(one, there, trace()), 'too_many')
    assert.equal(await store().createResource(one, there + 1, trace()), 'created')
  })

  test('a change names members, and changes of different members at once all hold', async () => {
    const before = sampleResource({ uri: uri() })
    await create(before)
    const text = (en: string) => ({ en, zh: en })
    const changes = [
      { title: text('Bills') },
      { read: text('See') },
      { write: text('Pay') },
      { destructive: ['write'] },
    ]
    await together(changes.length, (i) =>
      store().changeResource(before.name, changes[i] ?? {}, trace()),
    )
    assert.deepEqual(await find(before.name), Object.assign({}, before, ...changes))
    const after = await store().changeResource(before.name, { read: text('Look') }, trace())
    assert.deepEqual(after, await find(before.name))
    assert.deepEqual(await lastEvent(), [
      'resource.changed',
      {
        resource: before.name,
        changed: 'read',
        readBefore: '{"en":"See","zh":"See"}',
        read: '{"en":"Look","zh":"Look"}',
      },
    ])
    assert.equal(await store().changeResource('nothing', { uri: uri() }, trace()), null)
  })

  test('a changed URI frees the former one, and none that is taken can be had', async () => {
    const [one, other] = [sampleResource({ uri: uri() }), sampleResource({ uri: uri() })]
    await create(one)
    await create(other)
    const change = (to: string | null) => store().changeResource(one.name, { uri: to }, trace())
    assert.equal(await change(other.uri), 'uri_taken')
    assert.deepEqual(await find(one.name), one)
    const moved = uri()
    assert.deepEqual(await change(moved), { ...one, uri: moved })
    assert.equal(await create(sampleResource({ uri: one.uri })), 'created')
    assert.equal(await create(sampleResource({ uri: moved })), 'uri_taken')
    assert.deepEqual(await change(null), { ...one, uri: null })
    assert.equal(await create(sampleResource({ uri: moved })), 'created')
  })

  test('a deleted resource keeps its name and frees its URI', async () => {
    const gone = sampleResource({ uri: uri() })
    await create(gone)
    assert.equal(await store().deleteResource(gone.name, trace(start + 5)), true)
    assert.deepEqual(await lastEvent(), ['resource.deleted', { resource: gone.name }])
    assert.equal(await store().deleteResource(gone.name, trace()), false)
    assert.equal(await store().changeResource(gone.name, { uri: uri() }, trace()), null)
    assert.equal(await find(gone.name), undefined)
    assert.equal(await create(gone), 'name_used')
    assert.equal(await create(sampleResource({ uri: gone.uri })), 'created')
  })
}
