/** Streams of signals (SSF 1.0): a stream is there or not, and what it took counts once. */
import assert from 'node:assert/strict'
import { operatorOf } from '../flows/operator.ts'
import type { Reachable } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { askSsf, openStream, pollStream } from '../support/signals.ts'
import { assertDone, newCode, type Operation, operation, reading, redeemCode } from './operation.ts'

const allow = async (service: Reachable): Promise<void> => {
  const operator = await operatorOf(service)
  const change = { introspection_clients: [photoPrinter[0]] }
  const { status, text } = await operator('PATCH', 'resources/photos', change)
  assert.equal(status, 200, text)
}

const listStreams = async (service: Reachable): Promise<readonly { stream_id: string }[]> =>
  (await askSsf(service, 'GET', '/ssf/streams', undefined, photoPrinter)).body

const deleteStream = (service: Reachable, id: string) =>
  askSsf(service, 'DELETE', `/ssf/streams?stream_id=${id}`, undefined, photoPrinter)

const clear = async (service: Reachable): Promise<void> => {
  for (const { stream_id } of await listStreams(service)) await deleteStream(service, stream_id)
}

/** The stream of the client, and no other one. */
const newStream = async (service: Reachable): Promise<string> => {
  await allow(service)
  await clear(service)
  return openStream(service, {}, photoPrinter)
}

const create = operation('a stream of signals', 'createSignalStream', async (service) => {
  // The first request learns of the resource, which later ones know.
  await newStream(service)
  await clear(service)
  return {
    ask: () => askSsf(service, 'POST', '/ssf/streams', {}, photoPrinter),
    settle: async (done) => {
      assertDone((await listStreams(service)).length === 1, done)
      await clear(service)
    },
  }
})

const change = operation('change of a stream', 'changeSignalStream', async (service) => {
  const id = await newStream(service)
  const asked = { stream_id: id, description: 'of the gallery' }
  const ask = () => askSsf(service, 'PATCH', '/ssf/streams', asked, photoPrinter)
  return {
    ask,
    settle: async (done) => {
      const path = `/ssf/streams?stream_id=${id}`
      const { body } = await askSsf(service, 'GET', path, undefined, photoPrinter)
      assertDone(body.description === asked.description, done)
      assert.equal((await ask()).status, 200)
    },
  }
})

const take = operation('signals that were taken', 'moveSignalStream', async (service) => {
  const id = await newStream(service)
  const { code } = await newCode(service)
  const { access_token } = (await redeemCode(service, code)).body
  assert.equal((await service.post('/revoke', { token: access_token }, photoPrinter)).status, 200)
  const { body } = await pollStream(service, id, {}, photoPrinter)
  const ack = Object.keys(body.sets)
  assert.equal(ack.length, 1)
  return {
    ask: () => pollStream(service, id, { ack, maxEvents: 0 }, photoPrinter),
    settle: async (done) => {
      const left = Object.keys((await pollStream(service, id, {}, photoPrinter)).body.sets)
      assertDone(!left.includes(ack[0] ?? ''), done)
    },
  }
})

const remove = operation('end of a stream', 'deleteSignalStream', async (service) => {
  const id = await newStream(service)
  return {
    ask: () => deleteStream(service, id),
    settle: async (done) => {
      assertDone((await listStreams(service)).length === 0, done)
      await clear(service)
    },
  }
})

const see = reading(
  'see streams of signals',
  async (service) => {
    await newStream(service)
    return () => askSsf(service, 'GET', '/ssf/streams', undefined, photoPrinter)
  },
  ({ body }) => assert.equal(body.length, 1),
)

export const signalOperations: readonly Operation[] = [create, see, change, take, remove]
