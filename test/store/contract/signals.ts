/** The store contract for streams of signals, and for what is known of a revocation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalStream } from '../../../src/features/contract.ts'
import type { ClientId } from '../../../src/model/ids.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../moments.ts'
import { settle } from '../settle.ts'

const sampleStream = (change: Partial<SignalStream> = {}): SignalStream => ({
  id: next('stream'),
  clientId: next('client') as ClientId,
  createdAt: start,
  description: '',
  endpointUrl: '',
  credential: null,
  requested: null,
  status: 'enabled',
  reason: '',
  epoch: 'epoch',
  position: 0,
  taken: [],
  verification: null,
  verifiedAt: 0,
  tookMilliseconds: null,
  tries: 0,
  dueAt: 0,
  revision: 0,
  ...change,
})

export const signalContract = (store: () => Store): void => {
  const create = async (change: Partial<SignalStream> = {}): Promise<SignalStream> => {
    const stream = sampleStream(change)
    assert.equal(await store().createSignalStream(stream, 10), true)
    return stream
  }

  test('a stream is found as it was created, by its id and by its client', async () => {
    const stream = await create({
      requested: ['https://schemas.example/event'],
      credential: 'wrapped',
      verification: { id: 'one', state: null },
      taken: ['a', 'b'],
      tookMilliseconds: 12,
    })
    const other = await create({ clientId: stream.clientId })
    assert.deepEqual(await store().findSignalStream(stream.id), stream)
    assert.deepEqual(await store().listSignalStreams(stream.clientId), [stream, other])
    const all = await store().listSignalStreams(null)
    assert.deepEqual(
      all.filter(({ clientId }) => clientId === stream.clientId),
      [stream, other],
    )
    assert.equal(await store().findSignalStream('unknown'), null)
  })

  test('a client has so many at most', async () => {
    const { clientId } = await create()
    assert.equal(await store().createSignalStream(sampleStream({ clientId }), 1), false)
    assert.equal((await store().listSignalStreams(clientId)).length, 1)
  })

  test('only its client changes or deletes it', async () => {
    const { id, clientId } = await create()
    const other = 'other' as ClientId
    assert.equal(await store().changeSignalStream(id, other, { reason: 'x' }), null)
    assert.equal(await store().deleteSignalStream(id, other), false)
    const changed = await store().changeSignalStream(id, clientId, { status: 'paused' })
    assert.deepEqual([changed?.status, changed?.revision], ['paused', 1])
    assert.equal(await store().deleteSignalStream(id, clientId), true)
    assert.equal(await store().findSignalStream(id), null)
    assert.equal(await store().deleteSignalStream(id, clientId), false)
  })

  test('SG-01 of twenty who move a stream from one revision, one does', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await create()
      const moved = await together(20, (i) =>
        store().moveSignalStream(id, 0, { position: i + 1, taken: [`${i}`] }),
      )
      assert.equal(moved.filter(Boolean).length, 1)
      const found = await store().findSignalStream(id)
      assert.equal(found?.revision, 1)
      assert.deepEqual(found?.taken, [`${(found?.position ?? 0) - 1}`])
    }
  })

  test('what is known of a revocation: its event, its owner and its client', async () => {
    const { authorization, client, owner } = await settle(store())
    const ending = trace()
    await store().endAuthorization(authorization.id, null, ending)
    const ids = [`${ending.eventId}:${authorization.id}`, 'unknown:client']
    const [known, unknown] = await store().listSignalFacts(ids)
    assert.equal(known?.event?.type, 'authorization.ended')
    assert.deepEqual([known?.clientId, known?.ownerId], [client.id, owner.id])
    const { permissions, details } = authorization
    assert.deepEqual([known?.allowed, known?.isDelegation], [{ permissions, details }, false])
    const nothing = { event: null, clientId: null, ownerId: null, allowed: null }
    assert.deepEqual(unknown, { id: ids[1], ...nothing, isDelegation: false })
    assert.deepEqual(await store().listSignalFacts([]), [])
  })
}
