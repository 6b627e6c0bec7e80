/** Streams of signals as operators see and end them, by the admin API and in the console. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, newConsoleVisitor } from '../support/console.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { obtainTokens } from '../support/printing.ts'
import { openStream, pollStream } from '../support/signals.ts'
import { start, startBefore } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const service = startBefore(start, async () => {
  const change = { introspection_clients: [nightlyReport[0], houseApp[0]] }
  await (await operatorOf(service))('PATCH', 'resources/photos', change)
})

const pushed = {
  delivery: {
    method: 'urn:ietf:rfc:8935',
    endpoint_url: 'https://receiver.example:8443/secret-path',
    authorization_header: 'Bearer s3cr3t-of-the-receiver',
  },
}

describe('a stream', () => {
  test('is listed, read and ended, and its secrets are never shown', async () => {
    const operator = await operatorOf(service)
    const polled = await openStream(service, { description: 'Photos' })
    service.pass(1)
    const other = await openStream(service, pushed, houseApp)
    const { refresh_token } = await obtainTokens(service)
    await service.post('/revoke', { token: refresh_token }, photoPrinter)
    await service.advance(3)
    const common = { status: 'enabled', reason: '', taken_at: null, waiting: 1, lag_seconds: 3 }
    const at = service.now() - 3
    const first = {
      ...{ stream_id: polled, client_id: nightlyReport[0], created_at: at - 1, ...common },
      ...{ delivery: 'poll', endpoint_host: null, description: 'Photos' },
    }
    const second = {
      ...{ stream_id: other, client_id: houseApp[0], created_at: at, ...common },
      ...{ delivery: 'push', endpoint_host: 'receiver.example:8443', description: '' },
    }
    const list = await operator('GET', 'streams')
    assert.deepEqual(list.body, { items: [first, second], next: null })
    assert.doesNotMatch(list.text, /s3cr3t|secret-path/)
    const its = await operator('GET', `streams?client=${houseApp[0]}`)
    assert.deepEqual(its.body.items, [second])
    const page = await operator('GET', 'streams?limit=1')
    assert.deepEqual(page.body, { items: [first], next: polled })
    const next = await operator('GET', `streams?limit=1&after=${polled}`)
    assert.deepEqual(next.body, { items: [second], next: null })

    const ack = Object.keys((await pollStream(service, polled)).body.sets)
    await pollStream(service, polled, { ack, maxEvents: 0 })
    const read = await operator('GET', `streams/${polled}`)
    const taken = { taken_at: service.now(), waiting: 0, lag_seconds: null }
    assert.deepEqual(read.body, { ...first, ...taken })

    assert.equal((await operator('DELETE', `streams/${polled}`)).status, 204)
    assert.equal((await operator('DELETE', `streams/${polled}`)).status, 404)
    assert.equal((await operator('GET', `streams/${polled}`)).status, 404)
    const gone = await pollStream(service, polled)
    const said = { error: 'not_found', error_description: 'the client has no such stream' }
    assert.deepEqual([gone.status, gone.body], [404, said])
    const [event] = (await operator('GET', 'events?type=stream.deleted')).body.items
    assert.deepEqual([event.client_id, event.details], [nightlyReport[0], { stream: polled }])
    assert.deepEqual([event.actor.type, event.actor.client_id], ['operator', 'latchkey-admin'])
    const [changed] = (await operator('GET', 'events?type=stream.created')).body.items
    assert.deepEqual(changed.details, { stream: other, host: 'receiver.example:8443' })
  })

  test('needs streams:read, and streams:write to be ended', async () => {
    const id = await openStream(service)
    const reader = await operatorOf(service, 'streams:read')
    assert.equal((await reader('GET', `streams/${id}`)).status, 200)
    const refused = await reader('DELETE', `streams/${id}`)
    const missing = 'the access token does not allow streams:write'
    assert.deepEqual([refused.status, refused.body.detail], [403, missing])
    const stranger = await operatorOf(service, 'clients:read')
    assert.equal((await stranger('GET', 'streams')).status, 403)
    assert.equal((await (await operatorOf(service))('DELETE', `streams/${id}`)).status, 204)
  })
})

describe('the console', () => {
  test('lists streams and ends one; an auditor only looks', async () => {
    const id = await openStream(service, pushed)
    const { browser } = await newConsoleVisitor(service, ['operator'], 'Olga Ops')
    const list = await browser.go(`${service.issuer}/admin/streams?client=${nightlyReport[0]}`)
    assert.match(list.text, new RegExp(`<a href="[^"]*/admin/streams/${id}">`))
    assert.match(list.text, /Push, <code>receiver\.example:8443<\/code>/)
    assert.doesNotMatch(list.text, /s3cr3t|secret-path/)
    const auditor = await newConsoleVisitor(service, ['auditor'], 'Otto Ops')
    const seen = await auditor.browser.go(`${service.issuer}/admin/streams/${id}`)
    assert.equal(seen.status, 200)
    assert.doesNotMatch(seen.text, /End the stream/)
    const done = await act(browser, `/admin/streams/${id}`, { action: 'remove' })
    assert.match(done.text, /The stream has ended\./)
    assert.equal((await pollStream(service, id)).status, 404)
  })
})
