/** What the log tells of receivers of webhooks, and how many requests each of them gets at once. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import type { WebhookSettings } from '../../src/config/webhooks.ts'
import { createWebhooks, deliveryLimits } from '../../src/events/webhooks.ts'
import { httpLimits } from '../../src/http/limits.ts'
import type { Fetched } from '../../src/http/outbound.ts'
import type { Notice } from '../../src/model/notice.ts'
import { eventAt } from '../store/contract/webhooks.ts'
import { openSite } from '../support/site.ts'
import { type Started, start } from '../support/start.ts'

const webhook = (id: string, url: string): WebhookSettings => ({
  id,
  url,
  secrets: [`whsec_${Buffer.alloc(32, 7).toString('base64')}`],
  events: ['client.changed'],
})

const happen = async (service: Started, times = 1): Promise<void> => {
  const { store } = service.server()
  for (let done = 0; done < times; done++) {
    await store.appendEvent(eventAt(service.now(), 'client.changed'))
  }
}

const told = (notices: readonly Notice[]): readonly string[] =>
  notices
    .filter((notice) => 'webhook' in notice)
    .map(({ message, reason }) => [message, reason].join(' ').trim())

const fails = (reason: string): string => `a webhook fails, and is tried again ${reason}`
const works = 'a webhook works again'

const startWith = async (t: TestContext, webhooks: readonly WebhookSettings[] = []) => {
  const service = await start({ webhooks })
  t.after(() => service.close())
  await service.advance(1)
  return service
}

const answer = (status: number): Fetched => ({
  outcome: 'answered',
  url: 'https://siem.example/',
  status,
  headers: new Headers(),
  body: new Uint8Array(),
})
const busy: Fetched = { outcome: 'failed', reason: 'too_busy', detail: '' }

/** Webhooks with receivers that answer by `answerTo`. */
const webhooksOf = async (
  service: Started,
  urls: readonly string[],
  answerTo: (url: string) => Fetched | Promise<Fetched>,
) => {
  const { store, settings } = service.server()
  const notices: Notice[] = []
  const counted: string[] = []
  const webhooks = createWebhooks({
    settings: { ...settings, webhooks: urls.map((url, index) => webhook(`hook-${index}`, url)) },
    store,
    clock: () => service.now() * 1000,
    tell: (notice) => notices.push(notice),
    outbound: { fetch: async ({ url }) => answerTo(url) },
    metrics: { countWebhook: (_, outcome) => counted.push(outcome) },
  })
  await webhooks.deliver()
  return {
    counted,
    told: () => told(notices),
    async deliver(seconds: number) {
      service.pass(seconds)
      await webhooks.deliver()
    },
  }
}

describe('a healthy receiver', () => {
  test('gets a burst in one turn, beside another on its host, and nothing is told', async (t) => {
    const site = await openSite((_, response) => response.writeHead(204).end())
    t.after(() => site.close())
    const url = `http://127.0.0.1:${site.port}/`
    const service = await startWith(t, [webhook('one', `${url}one`), webhook('two', `${url}two`)])
    await happen(service, 30)
    await service.advance(1)
    const got = (path: string) => site.requests.filter((request) => request.url === path).length
    assert.deepEqual([got('/one'), got('/two')], [30, 30])
    assert.deepEqual(told(service.notices), [])
  })

  test('gets no more at once than a host may get, from all its webhooks', async (t) => {
    const service = await startWith(t)
    let underWay = 0
    let most = 0
    const urls = ['https://siem.example/a', 'https://siem.example:8443/b']
    const hooks = await webhooksOf(service, urls, async () => {
      underWay++
      most = Math.max(most, underWay)
      await new Promise(setImmediate)
      underWay--
      return answer(204)
    })
    await happen(service, 10)
    await hooks.deliver(1)
    assert.equal(most, httpLimits.outbound.atOncePerHost)
    assert.equal(hooks.counted.length, 20)
  })

  test('is not blamed where this service was too busy, and hardly waits for that', async (t) => {
    const service = await startWith(t)
    let given: Fetched = busy
    const hooks = await webhooksOf(service, ['https://siem.example/'], () => given)
    await happen(service)
    const turns = 10
    for (let turn = 0; turn < turns; turn++) await hooks.deliver(deliveryLimits.busySeconds)
    assert.deepEqual([hooks.told(), hooks.counted], [[], []])
    given = answer(503)
    await hooks.deliver(deliveryLimits.busySeconds)
    assert.deepEqual(hooks.told(), [fails('status_503')])
    given = answer(204)
    // The pause after a failure grows with the wait so far, and not with tries that never left.
    await hooks.deliver(deliveryLimits.firstPauseSeconds + 2 * turns * deliveryLimits.busySeconds)
    assert.deepEqual(hooks.told(), [fails('status_503'), works])
    assert.deepEqual(hooks.counted, ['retried', 'delivered'])
  })
})

describe('a receiver that fails', () => {
  test('is told once, whatever its reasons are', async (t) => {
    const service = await startWith(t)
    let asked = 0
    const hooks = await webhooksOf(service, ['https://siem.example/'], () =>
      answer(asked++ % 2 === 0 ? 502 : 503),
    )
    await happen(service, 20)
    for (let turn = 0; turn < 100; turn++)
      await hooks.deliver(deliveryLimits.longestPauseSeconds / 100)
    assert.ok(asked > 40, String(asked))
    assert.deepEqual(hooks.told(), [fails('status_502')])
  })

  test('each other time is told once in some minutes', async (t) => {
    const service = await startWith(t)
    let asked = 0
    const hooks = await webhooksOf(service, ['https://siem.example/'], () =>
      answer(asked++ % 2 === 0 ? 503 : 204),
    )
    await happen(service, 20)
    await hooks.deliver(1)
    await hooks.deliver(deliveryLimits.firstPauseSeconds)
    assert.ok(asked > 20, String(asked))
    assert.deepEqual(hooks.told(), [fails('status_503'), works])
    await happen(service, 20)
    await hooks.deliver(deliveryLimits.tellSeconds)
    assert.deepEqual(hooks.told().slice(2), [fails('status_503'), works])
  })

  test('in every try of a piece gets no more in that turn', async (t) => {
    const service = await startWith(t)
    let asked = 0
    const hooks = await webhooksOf(service, ['https://siem.example/'], () => {
      asked++
      return answer(500)
    })
    await happen(service, 20)
    await hooks.deliver(1)
    assert.equal(asked, deliveryLimits.atOnce)
  })

  test('only since the service closes is not told, and gets the event after the start', async (t) => {
    let isSilent = true
    const arrived = new EventTarget()
    const site = await openSite((_, response) => {
      if (!isSilent) response.writeHead(204).end()
      arrived.dispatchEvent(new Event('request'))
    })
    t.after(() => site.close())
    const service = await startWith(t, [webhook('one', `http://127.0.0.1:${site.port}/`)])
    await happen(service)
    const arrival = once(arrived, 'request')
    const turn = service.advance(1)
    await arrival
    await service.restart()
    await turn
    assert.deepEqual(told(service.notices), [])
    isSilent = false
    await service.advance(deliveryLimits.busySeconds)
    assert.equal(site.requests.length, 2)
    assert.equal(site.requests[1]?.headers['webhook-id'], site.requests[0]?.headers['webhook-id'])
    assert.deepEqual(told(service.notices), [])
  })
})
