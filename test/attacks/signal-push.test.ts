/** Pushes beside slow and hostile receivers, and beside changes that come between two sets. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { drawRandom } from '../../src/crypto/digest.ts'
import { signalLimits } from '../../src/features/signals/limits.ts'
import type { ClientId } from '../../src/model/ids.ts'
import { makeServiceTrace } from '../../src/store/trace.ts'
import { operatorOf } from '../flows/operator.ts'
import { answerOf } from '../support/browser.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { orders, startWithJwts } from '../support/elsewhere.ts'
import { codeRequest, walk } from '../support/printing.ts'
import { askSsf, openStream } from '../support/signals.ts'
import { openSite, type Site } from '../support/site.ts'
import type { Started } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'

let service: Started
before(async () => {
  service = await startWithJwts()
})
after(() => service.close())

/** Ends so many authorizations at the API of the orders. */
const endSome = async (times: number): Promise<void> => {
  const operator = await operatorOf(service)
  for (let i = 0; i < times; i++) {
    const request = { ...codeRequest, scope: 'orders:read', prompt: 'consent' }
    const { code = '' } = answerOf(await walk(service, request))
    const { body } = await redeem(service, code, photoPrinter, { resource: orders })
    const [, claims = ''] = body.access_token.split('.')
    const { lk_authorization: id } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    assert.ok((await operator('DELETE', `authorizations/${id}`)).status < 300)
  }
}

const push = (port: number, path = '/x') => ({
  delivery: {
    method: 'urn:ietf:rfc:8935',
    endpoint_url: `http://127.0.0.1:${port}${path}`,
    authorization_header: 'Bearer first',
  },
})

const remove = (id: string) => askSsf(service, 'DELETE', `/ssf/streams?stream_id=${id}`)

const waitFor = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

const find = (id: string) => service.server().store.findSignalStream(id)

test('a receiver that never answers holds up no other stream', async () => {
  const held: ServerResponse[] = []
  const slow = await openSite((_, answer) => held.push(answer))
  const good = await openSite((_, answer) => answer.writeHead(202).end())
  const ids = [
    await openStream(service, push(slow.port)),
    await openStream(service, push(good.port)),
  ]
  await endSome(1)
  const first = service.advance(1)
  await waitFor(() => slow.requests.length === 1 && good.requests.length === 1)
  await endSome(1)
  const second = service.advance(1)
  await waitFor(() => good.requests.length === 2)
  assert.equal(slow.requests.length, 1)
  for (const answer of held) answer.writeHead(202).end()
  await Promise.all([first, second])
  await Promise.all(ids.map(remove))
  await Promise.all([slow.close(), good.close()])
})

test('the claim holds until the last set', async () => {
  const dueAt: (number | undefined)[] = []
  const id = { of: '' }
  const site = await openSite(async (_, answer) => {
    dueAt.push((await find(id.of))?.dueAt)
    answer.writeHead(202).end()
  })
  id.of = await openStream(service, push(site.port))
  await endSome(3)
  await service.advance(1)
  const claimed = service.now() + signalLimits.claimSeconds
  assert.deepEqual(dueAt, [claimed, claimed, claimed])
  assert.equal((await find(id.of))?.dueAt, 0)
  await remove(id.of)
  await site.close()
})

describe('after a set, nothing more goes out', () => {
  const disable = async (disabled: boolean) => {
    const operator = await operatorOf(service)
    await operator('PATCH', `clients/${nightlyReport[0]}`, { disabled })
  }
  const acts: Readonly<Record<string, (id: string, port: number) => Promise<unknown>>> = {
    'once the stream is paused': (id) =>
      askSsf(service, 'POST', '/ssf/status', { stream_id: id, status: 'paused' }),
    'once the stream is disabled': (id) =>
      askSsf(service, 'POST', '/ssf/status', { stream_id: id, status: 'disabled' }),
    'once the stream is deleted': remove,
    'to the old URL': (id, port) =>
      askSsf(service, 'PATCH', '/ssf/streams', { stream_id: id, ...push(port, '/new') }),
    'with the old header': (id, port) => {
      const delivery = { ...push(port).delivery, authorization_header: 'Bearer second' }
      return askSsf(service, 'PATCH', '/ssf/streams', { stream_id: id, delivery })
    },
    'once the client is disabled': () => disable(true),
  }
  for (const [name, act] of Object.entries(acts)) {
    test(name, async () => {
      const id = { of: '' }
      const site: Site = await openSite(async (_, answer) => {
        if (site.requests.length === 1) await act(id.of, site.port)
        answer.writeHead(202).end()
      })
      id.of = await openStream(service, push(site.port))
      await endSome(3)
      await service.advance(1)
      assert.equal(site.requests.length, 1)
      await disable(false)
      await remove(id.of)
      await site.close()
    })
  }
})

test('an API that is one no more gets nothing more', async () => {
  const site = await openSite((_, answer) => answer.writeHead(202).end())
  const id = await openStream(service, push(site.port))
  const operator = await operatorOf(service)
  const change = (clients: readonly string[]) =>
    operator('PATCH', 'resources/orders', { introspection_clients: clients })
  await endSome(1)
  await askSsf(service, 'POST', '/ssf/verification', { stream_id: id })
  await change([])
  await service.advance(1)
  assert.equal(site.requests.length, 0)
  await change([nightlyReport[0]])
  await remove(id)
  await site.close()
})

test('a limit of this service is no failure of the receiver', async () => {
  const held: ServerResponse[] = []
  const site = await openSite((_, answer) => held.push(answer))
  const ids: string[] = []
  for (let i = 0; i < 6; i++) ids.push(await openStream(service, push(site.port)))
  await endSome(1)
  const turn = service.advance(1)
  await waitFor(() => held.length === 4)
  for (const answer of held.splice(0)) answer.writeHead(202).end()
  await turn
  assert.deepEqual(
    new Set((await Promise.all(ids.map(find))).map((one) => one?.tries)),
    new Set([0]),
  )
  const later = service.advance(signalLimits.busySeconds)
  await waitFor(() => held.length === 2)
  for (const answer of held) answer.writeHead(202).end()
  await later
  await Promise.all(ids.map(remove))
  await site.close()
})

test('a header that cannot be read any more: the stream rests, says so, and wakes with a new one', async () => {
  const site = await openSite((_, answer) => answer.writeHead(202).end())
  const id = await openStream(service, push(site.port))
  const of = { id, clientId: nightlyReport[0] as ClientId }
  const { store } = service.server()
  const trace = makeServiceTrace(service.now(), { clock: Date.now, random: drawRandom })
  await store.changeSignalStream(of, { credential: 'gcm.of.another' }, null, trace)
  await endSome(1)
  await service.advance(1)
  await service.advance(1)
  const [said, ...more] = site.requests
  assert.deepEqual(more, [])
  assert.equal(said?.headers.authorization, undefined)
  const { sub_id: subject, events } = decodeJwt(said?.body ?? '')
  const reason = 'the authorization_header cannot be read any more: send it again'
  assert.deepEqual(subject, { format: 'opaque', id })
  assert.deepEqual(events, {
    'https://schemas.openid.net/secevent/ssf/event-type/stream-updated': {
      status: 'paused',
      reason,
    },
  })
  const status = () => askSsf(service, 'GET', `/ssf/status?stream_id=${id}`)
  assert.deepEqual((await status()).body, { stream_id: id, status: 'paused', reason })
  await askSsf(service, 'PATCH', '/ssf/streams', { stream_id: id, ...push(site.port) })
  assert.deepEqual((await status()).body, { stream_id: id, status: 'enabled' })
  await service.advance(1)
  assert.equal(site.requests.at(-1)?.headers.authorization, 'Bearer first')
  assert.equal(site.requests.length, 2)
  await remove(id)
  await site.close()
})
