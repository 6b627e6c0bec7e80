/** The store contract for streams of signals, and for what is known of a revocation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignalStream } from '../../../src/features/contract.ts'
import type { ClientId } from '../../../src/model/ids.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, raceRounds, start, together, trace } from '../moments.ts'
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
  takenAt: null,
  tries: 0,
  dueAt: 0,
  revision: 0,
  ...change,
})

export const signalContract = (store: () => Store): void => {
  const create = async (change: Partial<SignalStream> = {}): Promise<SignalStream> => {
    const stream = sampleStream(change)
    assert.equal(await store().createSignalStream(stream, 10, trace()), true)
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
    assert.equal(await store().createSignalStream(sampleStream({ clientId }), 1, trace()), false)
    assert.equal((await store().listSignalStreams(clientId)).length, 1)
  })

  test('only its client changes or deletes it', async () => {
    const { id, clientId } = await create()
    const other = 'other' as ClientId
    assert.equal(
      await store().changeSignalStream({ id, clientId: other }, { reason: 'x' }, null, trace()),
      null,
    )
    assert.equal(await store().deleteSignalStream({ id, clientId: other }, trace()), false)
    const of = { id, clientId }
    const pause = (revision: number | null) =>
      store().changeSignalStream(of, { status: 'paused' }, revision, trace())
    assert.equal(await pause(1), null)
    const changed = await pause(0)
    assert.deepEqual([changed?.status, changed?.revision], ['paused', 1])
    assert.equal((await pause(null))?.revision, 2)
    assert.equal(await store().deleteSignalStream(of, trace()), true)
    assert.equal(await store().findSignalStream(id), null)
    assert.equal(await store().deleteSignalStream(of, trace()), false)
  })

  test('SG-02 of twenty streams at once, a client gets as many as it may have', async () => {
    const { client } = await settle(store())
    const made = await together(20, () =>
      store().createSignalStream(sampleStream({ clientId: client.id }), 3, trace()),
    )
    assert.equal(made.filter(Boolean).length, 3)
    assert.equal((await store().listSignalStreams(client.id)).length, 3)
  })

  test('each change of a stream writes its event, with the host alone', async () => {
    const { client } = await settle(store())
    const endpointUrl = 'https://receiver.example/secret-path'
    const stream = await create({ clientId: client.id, endpointUrl })
    await store().changeSignalStream(stream, { status: 'paused' }, null, trace())
    await store().deleteSignalStream(stream, trace())
    const { rows } = await store().listEvents({ clientId: client.id }, null, 3)
    const told = { stream: stream.id, host: 'receiver.example' }
    assert.deepEqual(
      rows.map(({ type, details }) => [type, details]),
      [
        ['stream.deleted', told],
        ['stream.changed', { ...told, status: 'paused' }],
        ['stream.created', told],
      ],
    )
  })

  test('a credential is wrapped anew where it is still as it was', async () => {
    const { id } = await create({ credential: 'old' })
    const change = { id, from: 'old', secret: 'new' }
    const gone = { id: 'unknown', from: 'old', secret: 'new' }
    assert.equal(await store().rewrapSignalCredentials([change, gone]), 1)
    assert.equal(await store().rewrapSignalCredentials([change]), 0)
    assert.equal((await store().findSignalStream(id))?.credential, 'new')
  })

  test('SG-01 of twenty who move a stream from one revision, one does', async () => {
    for (let round = 0; round < raceRounds; round++) {
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
