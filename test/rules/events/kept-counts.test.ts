/** Counts on their way to the store: each is written once, whatever the store answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metricLimits } from '../../../src/events/limits.ts'
import { createMetrics } from '../../../src/events/metrics.ts'
import { createKeptCounts } from '../../../src/events/monitoring.ts'
import type { Client } from '../../../src/model/client.ts'
import type { ClientId } from '../../../src/model/ids.ts'
import type { CountBatch } from '../../../src/store/contract/event.ts'
import { sampleClient } from '../../store/sample.ts'

/** The operator's client, a stranger's, and one that is gone. */
const clients: Readonly<Record<string, Client>> = {
  printer: sampleClient({ registeredBy: 'operator' }),
  guest: sampleClient({ registeredBy: 'itself', setByOperator: [] }),
}

const open = () => {
  const metrics = createMetrics(() => 0)
  const written: CountBatch[] = []
  const asked: string[] = []
  let fault: Error | null = null
  const kept = createKeptCounts({
    store: {
      addCounts: async (batch) => {
        written.push(batch)
        if (fault !== null) throw fault
      },
      async findClient(id) {
        asked.push(id)
        return clients[id] ?? null
      },
    },
    collector: 'one',
    clock: () => 120_000,
    totals: metrics.totals,
    takeSteps: metrics.takeSteps,
    takeActs: metrics.takeActs,
  })
  const fail = (by: Error | null): void => {
    fault = by
  }
  return { metrics, written, kept, fail, asked }
}

const namesOf = ({ counts }: CountBatch): readonly string[] =>
  counts.map(({ kind, clientId, name, count }) => `${kind} ${clientId} ${name}: ${count}`)

test('what has grown is written, and nothing where nothing has', async () => {
  const { metrics, written, kept } = open()
  metrics.countRefusal('wrong_secret')
  metrics.countRequest('/token', 'POST', 401, 7, null)
  metrics.countRequest('/health/ready', 'GET', 200, 7, null)
  await kept.flush()
  metrics.countRefusal('wrong_secret')
  metrics.countRefusal('wrong_secret')
  metrics.countGrant('password', 'issued')
  metrics.countLogin('passkey', 'succeeded')
  metrics.countRequest('/token', 'POST', 200, 60_000, null)
  const client = sampleClient({ registeredBy: 'operator' })
  metrics.countStep(client, 'token')
  await kept.flush()
  await kept.flush()
  assert.deepEqual(written.map(namesOf), [
    ['refusals  wrong_secret: 1', 'latency  10: 1', 'routes  /token 10: 1'],
    [
      'grants  password issued: 1',
      'logins  password succeeded: 1',
      'logins  passkey succeeded: 1',
      'refusals  wrong_secret: 2',
      'latency  more: 1',
      'routes  /token more: 1',
      'steps  token: 1',
      `funnel ${client.id} token: 1`,
    ],
  ])
  assert.deepEqual(
    written.map(({ collector, turn, at }) => [collector, turn, at]),
    [
      ['one', 120_000, 120],
      ['one', 120_001, 120],
    ],
  )
})

test('acts are counted by client, those of strangers apart, and of clients that are gone not at all', async () => {
  const { metrics, written, kept, asked } = open()
  const [printer, guest, gone] = ['printer', 'guest', 'gone'] as ClientId[]
  assert.ok(printer && guest && gone)
  for (const id of [printer, printer, guest, gone]) metrics.countIssued({}, id)
  metrics.countRead(printer)
  metrics.countRead(null)
  metrics.countIntrospected(true, printer)
  metrics.countRefused(printer, 'wrong_secret', false)
  metrics.countRefused(guest, 'wrong_secret', false)
  metrics.countRefused(printer, 'expired_code', true)
  await kept.flush()
  assert.deepEqual(written.map(namesOf), [
    [
      'acts printer token: 2',
      'acts printer use: 2',
      'acts printer refused expired_code: 1',
      'namedActs printer named wrong_secret: 1',
      'actGuests guest token: 1',
      'actGuests guest named wrong_secret: 1',
    ],
  ])
  assert.deepEqual(asked, ['printer', 'guest', 'gone'])
})

test('requests that only name a client take no room of those that prove one', () => {
  const { metrics } = open()
  for (let i = 0; i < metricLimits.steps + 10; i++) {
    metrics.countRefused(`app-${i}` as ClientId, 'wrong_secret', false)
  }
  metrics.countRefused('printer' as ClientId, 'wrong_secret', true)
  const taken = metrics.takeActs()
  assert.deepEqual(taken[0], { clientId: 'printer', name: 'refused wrong_secret', count: 1 })
  assert.equal(taken.length, metricLimits.steps + 2)
  assert.deepEqual(taken.at(-1), { clientId: '*', name: 'named wrong_secret', count: 10 })
})

test('after a fault the same batch comes again, before any later one', async () => {
  const { metrics, written, kept, fail } = open()
  metrics.countRefusal('one')
  fail(new Error('no answer'))
  await assert.rejects(kept.flush(), /no answer/)
  metrics.countRefusal('two')
  await assert.rejects(kept.flush(), /no answer/)
  fail(null)
  await kept.flush()
  assert.deepEqual(
    written.map((batch) => [batch.turn, ...namesOf(batch)]),
    [
      [120_000, 'refusals  one: 1'],
      [120_000, 'refusals  one: 1'],
      [120_000, 'refusals  one: 1'],
      [120_001, 'refusals  two: 1'],
    ],
  )
})

test('more clients than there may be in memory are counted together', () => {
  const { metrics } = open()
  const client = sampleClient({ registeredBy: 'itself', accessTokenSeconds: 60 })
  for (let i = 0; i < metricLimits.steps + 10; i++) {
    metrics.countStep({ ...client, id: `app-${i}` as typeof client.id }, 'authorize')
  }
  const taken = metrics.takeSteps()
  assert.deepEqual(taken[0], {
    kind: 'steps',
    clientId: '',
    name: 'authorize',
    count: metricLimits.steps + 10,
  })
  assert.equal(taken.length, metricLimits.steps + 1)
  assert.deepEqual(taken.at(-1), { kind: 'guests', clientId: '*', name: 'authorize', count: 11 })
  assert.deepEqual(metrics.takeSteps(), [])
})
