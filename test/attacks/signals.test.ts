/** Attacks on streams: of other APIs, of strangers, and by hostile receivers. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { signalLimits } from '../../src/features/signals/limits.ts'
import { operatorOf } from '../flows/operator.ts'
import { answerOf } from '../support/browser.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { invoices, orders, startWithJwts } from '../support/elsewhere.ts'
import { codeRequest, walk } from '../support/printing.ts'
import { askSsf, openStream, pollStream, setsOf } from '../support/signals.ts'
import { openSite } from '../support/site.ts'
import type { Started } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'

let service: Started
before(async () => {
  service = await startWithJwts()
})
after(() => service.close())

/** The id of what alice allows Photo Printer. */
const allow = async (scope = 'orders:read', resource = orders): Promise<string> => {
  const request = { ...codeRequest, scope, prompt: 'consent' }
  const { code = '' } = answerOf(await walk(service, request))
  const { body } = await redeem(service, code, photoPrinter, { resource })
  const [, claims = ''] = body.access_token.split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).lk_authorization
}

const end = async (id: string): Promise<void> => {
  const operator = await operatorOf(service)
  assert.ok((await operator('DELETE', `authorizations/${id}`)).status < 300)
}

describe('a stream of another API', () => {
  test('looks like one that never was, whatever is asked', async () => {
    const id = await openStream(service, {}, houseApp)
    for (const stream of [id, '01k3zzzzzzzzzzzzzzzzzzzzzz', '']) {
      const answers = [
        await askSsf(service, 'GET', `/ssf/streams?stream_id=${stream || 'x'}`),
        await askSsf(service, 'PATCH', '/ssf/streams', { stream_id: stream, description: 'x' }),
        await askSsf(service, 'PUT', '/ssf/streams', { stream_id: stream }),
        await askSsf(service, 'DELETE', `/ssf/streams?stream_id=${stream || 'x'}`),
        await askSsf(service, 'GET', `/ssf/status?stream_id=${stream || 'x'}`),
        await askSsf(service, 'POST', '/ssf/status', { stream_id: stream, status: 'disabled' }),
        await askSsf(service, 'POST', '/ssf/verification', { stream_id: stream }),
        await pollStream(service, stream || 'x', { ack: ['x'] }),
      ]
      for (const { status, body } of answers) {
        const said = { error: 'not_found', error_description: 'the client has no such stream' }
        assert.deepEqual([status, body], [404, said])
      }
    }
    const mine = await askSsf(service, 'GET', `/ssf/status?stream_id=${id}`, undefined, houseApp)
    assert.deepEqual(mine.body, { stream_id: id, status: 'enabled' })
    await askSsf(service, 'DELETE', `/ssf/streams?stream_id=${id}`, undefined, houseApp)
  })

  test('is never told of: no API hears of the permissions at another', async () => {
    const mine = await openStream(service)
    const theirs = await openStream(service, {}, houseApp)
    const id = await allow('orders:read orders:write invoices:read', invoices)
    const operator = await operatorOf(service)
    await operator('PATCH', `authorizations/${id}`, {
      permissions: ['orders:read', 'invoices:read'],
    })
    for (const [stream, client, scope] of [
      [mine, nightlyReport, 'orders:read'],
      [theirs, houseApp, 'invoices:read'],
    ] as const) {
      const [set] = await setsOf(service, await pollStream(service, stream, {}, client), client[0])
      assert.deepEqual(set?.said.claims, { scope })
      await askSsf(service, 'DELETE', `/ssf/streams?stream_id=${stream}`, undefined, client)
    }
  })
})

describe('a stranger', () => {
  test('opens no stream: neither without a credential, nor as a client that is no API', async () => {
    const none = await service.ask('/ssf/streams', { json: {} })
    assert.deepEqual([none.status, none.body.error], [401, 'invalid_client'])
    const wrong = await askSsf(service, 'POST', '/ssf/streams', {}, ['nightly-report', 'guess'])
    assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client'])
    const client = await askSsf(service, 'POST', '/ssf/streams', {}, photoPrinter)
    assert.deepEqual([client.status, client.body.error], [403, 'unauthorized_client'])
  })

  test('gets nothing by the token of an owner', async () => {
    const { code = '' } = answerOf(await walk(service, { ...codeRequest, prompt: 'consent' }))
    const { body } = await redeem(service, code, photoPrinter, { resource: service.issuer })
    const headers = { authorization: `Bearer ${body.access_token}` }
    const { status } = await service.ask('/ssf/streams', { headers, json: {} })
    assert.equal(status, 403)
  })

  test('an API that is one no more hears nothing more', async () => {
    const id = await openStream(service)
    const operator = await operatorOf(service)
    const change = (clients: readonly string[]) =>
      operator('PATCH', 'resources/orders', { introspection_clients: clients })
    await change([])
    assert.equal((await pollStream(service, id)).status, 403)
    await change([nightlyReport[0]])
    assert.equal((await pollStream(service, id)).status, 200)
    await askSsf(service, 'DELETE', `/ssf/streams?stream_id=${id}`)
  })
})

describe('a push', () => {
  const push = (url: string) => ({ delivery: { method: 'urn:ietf:rfc:8935', endpoint_url: url } })

  test('goes to no other scheme, and carries nobody’s user name', async () => {
    for (const url of [
      'ftp://a.example/x',
      'javascript:alert(1)',
      'com.example.app:/signals',
      'http://a.example/x',
      'https://user:secret@a.example/x',
      'https://a.example/x#y',
      'x',
      7,
    ]) {
      const { status } = await askSsf(service, 'POST', '/ssf/streams', push(url as string))
      assert.equal(status, 400, String(url))
    }
    const header = { ...push('https://a.example/x').delivery, authorization_header: 'a\r\nX: y' }
    const { status } = await askSsf(service, 'POST', '/ssf/streams', { delivery: header })
    assert.equal(status, 400)
    const id = await openStream(service, push('https://a.example/x?code=1&state=2'))
    await askSsf(service, 'DELETE', `/ssf/streams?stream_id=${id}`)
  })

  test('reaches no private network', async () => {
    const id = await openStream(service, push('https://10.0.0.1/signals'))
    await end(await allow())
    await service.advance(1)
    const failed = service.notices.findLast(({ stream }) => stream === id)
    assert.equal(failed?.reason, 'forbidden_address')
    await askSsf(service, 'DELETE', `/ssf/streams?stream_id=${id}`)
  })

  test('of a client that brought itself reaches no address of LATCHKEY_FETCH_ALLOW', async () => {
    const strict = await startWithJwts({ fetchAllow: ['10.0.0.0/8'] })
    const metadata = { grant_types: ['client_credentials'], response_types: [] }
    const { body } = await strict.ask('/register', { json: metadata })
    const api = [body.client_id, body.client_secret] as const
    const operator = await operatorOf(strict)
    await operator('PATCH', 'resources/orders', { introspection_clients: [api[0]] })
    const id = await openStream(strict, push('https://10.0.0.1/signals'), api)
    await askSsf(strict, 'POST', '/ssf/verification', { stream_id: id }, api)
    await strict.advance(1)
    const failed = strict.notices.findLast(({ stream }) => stream === id)
    assert.equal(failed?.reason, 'forbidden_address')
    await strict.close()
  })

  const hostile: Readonly<Record<string, (answer: import('node:http').ServerResponse) => void>> = {
    'redirects to us': (answer) =>
      answer.writeHead(307, { Location: `${service.issuer}/admin/api/clients` }).end(),
    'answers without an end': (answer) => {
      answer.writeHead(503)
      answer.write('x'.repeat(signalLimits.answerBytes * 4))
    },
    'breaks off': (answer) => answer.destroy(),
    'answers what is no JSON': (answer) => answer.writeHead(400).end('{{{'),
    'wants a credential': (answer) =>
      answer.writeHead(400).end('{"err":"authentication_failed","description":"who?"}'),
  }
  for (const [name, answer] of Object.entries(hostile)) {
    test(`to a receiver that ${name}: the set waits, and other streams go on`, async () => {
      const site = await openSite((_, outgoing) => answer(outgoing))
      const good = await openSite((_, outgoing) => outgoing.writeHead(202).end())
      const ids = [
        await openStream(service, push(`http://127.0.0.1:${site.port}/x`)),
        await openStream(service, push(`http://127.0.0.1:${good.port}/x`)),
      ]
      await end(await allow())
      await service.advance(1)
      const store = service.server().store
      const [bad, fine] = await Promise.all(ids.map((id) => store.findSignalStream(id)))
      assert.deepEqual([bad?.tries, good.requests.length], [1, 1])
      assert.ok((bad?.position ?? 0) < (fine?.position ?? 0))
      for (const id of ids) await askSsf(service, 'DELETE', `/ssf/streams?stream_id=${id}`)
      await Promise.all([site.close(), good.close()])
    })
  }
})

test('no credential of a receiver lies in the store or the log in clear', async () => {
  const secret = 'Bearer s3cr3t-of-the-receiver'
  const delivery = {
    method: 'urn:ietf:rfc:8935',
    endpoint_url: 'https://receiver.example/x',
    authorization_header: secret,
  }
  const id = await openStream(service, { delivery })
  const stored = await service.server().store.findSignalStream(id)
  assert.ok(stored?.credential !== null)
  assert.doesNotMatch(JSON.stringify(stored), /s3cr3t/)
  assert.doesNotMatch(JSON.stringify(service.notices), /s3cr3t/)
})

test('a flood of acknowledgements takes nothing that was never sent', async () => {
  const id = await openStream(service)
  await end(await allow())
  const ack = Array.from({ length: signalLimits.acknowledged }, (_, i) => `unknown-${i}`)
  assert.equal(Object.keys((await pollStream(service, id, { ack })).body.sets).length, 1)
  const more = await pollStream(service, id, { ack: [...ack, 'one more'] })
  assert.equal(more.status, 400)
})
