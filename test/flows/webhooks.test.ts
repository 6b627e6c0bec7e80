/** Webhooks: events reach a real receiver, signed by Standard Webhooks, also after it was down. */
import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { loadSettings } from '../../src/config/load.ts'
import { deliveryLimits } from '../../src/events/webhooks.ts'
import { Browser } from '../support/browser.ts'
import { latchkeyAdmin } from '../support/demo-clients.ts'
import { type Started, start } from '../support/start.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const oldSecret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

describe('a receiver of webhooks', () => {
  const received: Received[] = []
  let status = 204
  const receiver = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => {
      body += piece
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(status).end()
    })
  })
  let service: Started

  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    service = await start({
      webhooks: [
        { id: 'audit', url, secrets: [secret, oldSecret], events: null },
        { id: 'clients', url: `${url}?clients`, secrets: [secret], events: ['client.changed'] },
      ],
    })
    await service.advance(1)
  })
  after(async () => {
    await service.close()
    receiver.closeAllConnections()
    receiver.close()
  })

  interface Told {
    readonly type: string
    readonly data: { readonly id: string }
  }

  const verified = (by: string): readonly Told[] =>
    received.splice(0).map(({ headers, body }) => {
      const given = {
        'webhook-id': String(headers['webhook-id']),
        'webhook-timestamp': String(headers['webhook-timestamp']),
        'webhook-signature': String(headers['webhook-signature']),
      }
      const now = Date.now
      // The library compares the time with the clock of this machine.
      Date.now = () => Number(given['webhook-timestamp']) * 1000
      try {
        const event = new Webhook(by).verify(body, given) as Told
        assert.equal(event.data.id, given['webhook-id'])
        return event
      } finally {
        Date.now = now
      }
    })

  /**
   * What came meanwhile, in the order of the events, as the library of Standard Webhooks verifies it.
   * The demo also tells of the mails in its mailbox.
   */
  const take = (by = secret): readonly Told[] =>
    verified(by)
      .filter(({ type }) => type !== 'mail.sent')
      .toSorted((a, b) => (a.data.id < b.data.id ? -1 : 1))

  const logIn = async (password = 'wonderland'): Promise<void> => {
    const browser = new Browser(service)
    await browser.logIn(await browser.go('/login'), 'alice', password)
  }

  const adminToken = async (): Promise<string> => {
    const form = { grant_type: 'client_credentials' }
    return (await service.post('/token', form, latchkeyAdmin)).body.access_token
  }

  test('gets each event once, as the admin API tells it', async () => {
    await logIn()
    // Ids of one moment have no order.
    service.pass(1)
    await logIn('wrong')
    await service.advance(1)
    const events = take()
    assert.deepEqual(
      events.map(({ type }) => type),
      ['login.succeeded', 'login.failed'],
    )
    const headers = { authorization: `Bearer ${await adminToken()}` }
    const listed = await service.ask('/admin/api/events?limit=10', { headers })
    const ids = events.map(({ data }) => data.id)
    assert.deepEqual(
      events.map(({ data }) => data).toReversed(),
      listed.body.items.filter(({ id }: { id: string }) => ids.includes(id)),
    )
    await service.advance(300)
    assert.deepEqual(take(), [])
  })

  test('may verify by either of two secrets, while it changes them', async () => {
    await logIn()
    await service.advance(1)
    assert.equal(take(oldSecret).length, 1)
    await logIn()
    await service.advance(1)
    assert.throws(() => take(`whsec_${Buffer.alloc(32, 8).toString('base64')}`), /signature/)
  })

  test('gets only the types that it asked for', async () => {
    const headers = { authorization: `Bearer ${await adminToken()}` }
    await service.ask('/admin/api/clients/photo-printer', {
      method: 'PATCH',
      headers,
      json: { client_name: 'Drucker "für" Fotos \u{1f5a8}' },
    })
    await service.advance(1)
    const [first, second, ...others] = take()
    assert.deepEqual([first?.type, second?.type, others], ['client.changed', 'client.changed', []])
    assert.deepEqual(first, second)
  })

  test('that was down gets everything later, under the same id', async () => {
    status = 500
    await logIn()
    await service.advance(1)
    const [failed] = take()
    await service.advance(9)
    assert.deepEqual(take(), [])
    await service.advance(2)
    assert.deepEqual(take(), [failed])
    await service.restart()
    status = 204
    await service.advance(30)
    assert.deepEqual(take(), [failed])
    await service.advance(3600)
    assert.deepEqual(take(), [])
    assert.match(
      (await service.ask('/metrics')).text,
      /latchkey_webhooks_total\{webhook="audit",outcome="delivered"\} 1/,
    )
  })

  test('that stays down is given up after some days', async () => {
    status = 410
    await logIn()
    await service.advance(1)
    take()
    for (let hours = 0; hours <= deliveryLimits.giveUpSeconds / 3600; hours++) {
      await service.advance(3600)
    }
    const tries = take().length
    assert.ok(tries > 10 && tries < 30, String(tries))
    const told = service.notices.filter(({ message }) => message === 'a webhook was given up')
    assert.deepEqual(
      // Of the login, and of the mail about it.
      told.map(({ webhook, reason }) => `${webhook} ${reason}`),
      ['audit status_410', 'audit status_410'],
    )
    status = 204
    await service.advance(7 * 3600)
    assert.deepEqual(take(), [])
  })

  test('that is down is told once with the reason, and so is its return', async () => {
    const told = (): readonly string[] =>
      service.notices
        .filter(({ webhook }) => webhook === 'audit')
        .map(({ level, message, reason }) => [level, message, reason].join(' ').trim())
    status = 204
    await logIn()
    await service.advance(deliveryLimits.tellSeconds)
    const before = told().length
    status = 503
    await logIn()
    await logIn()
    await service.advance(60)
    const fails = 'warn a webhook fails, and is tried again status_503'
    assert.deepEqual(told().slice(before), [fails])
    status = 204
    await service.advance(300)
    assert.deepEqual(told().slice(before), [fails, 'info a webhook works again'])
    take()
  })

  test('is asked for in the settings, whose faults show no secret', () => {
    const load = (webhooks: unknown) =>
      loadSettings({ env: { LATCHKEY_WEBHOOKS: JSON.stringify(webhooks) } }).webhooks
    const one = { id: 'audit', url: 'https://siem.example/hook', secret }
    const env = { LATCHKEY_DEMO: '0', LATCHKEY_ISSUER: 'https://auth.example' }
    const here = JSON.stringify([{ ...one, url: 'http://127.0.0.1:9000/hook' }])
    assert.throws(
      () => loadSettings({ env: { ...env, LATCHKEY_WEBHOOKS: here } }),
      /LATCHKEY_WEBHOOKS must have https URLs outside the demo, and audit has none/,
    )
    assert.deepEqual(load([{ ...one, events: ['login.failed'] }]), [
      { id: 'audit', url: one.url, secrets: [secret], events: ['login.failed'] },
    ])
    assert.deepEqual(load([{ ...one, previous_secret: oldSecret }])[0]?.secrets, [
      secret,
      oldSecret,
    ])
    const faults = [
      [[{ ...one, secret: 'hush-hush' }], /entry 1 needs secrets of whsec_ and the base64/],
      [[{ ...one, url: 'http://siem.example/' }], /entry 1 needs an https URL/],
      [[{ ...one, events: [] }], /entry 1 needs a list of event types as "events"/],
      [
        [{ ...one, events: ['login.failed', 'login.faild'] }],
        /entry 1 has no type of events as number 2 of "events"; did you mean login\.failed\?/,
      ],
      [
        [{ ...one, events: ['nothing'] }],
        /entry 1 has no type of events as number 1 of "events"; docs\/events\.md lists them/,
      ],
      [
        [{ ...one, events: [{ toString: 1 }] }],
        /entry 1 has no type of events as number 1 of "events"; docs\/events\.md lists them/,
      ],
      [[{ ...one, id: 'A' }], /entry 1 needs an "id"/],
      [[{ ...one, urls: '' }], /entry 1 has an unknown member "urls"; did you mean "url"/],
      [[one, one], /each with an "id" of its own/],
    ] as const
    for (const [given, expected] of faults) {
      assert.throws(
        () => load(given),
        ({ message }: Error) => expected.test(message) && !message.includes('hush'),
      )
    }
  })
})
