/** HTTP around the requests: hosts, targets, kept connections, and their end. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Grant } from '../../src/grants/grant.ts'
import { Refusal } from '../../src/protocol/refusal.ts'
import { bodyOf, formRequest, hear, open, statusOf, wire } from './wire.ts'

/** A faulty extension: its refusal has a header that HTTP does not allow. */
const careless: Grant = {
  type: 'https://extension.example/careless',
  clients: 'any',
  open: () => () => {
    throw new Refusal('invalid_grant', 'careless', 'no', { headers: { 'X-Why': 'one\r\ntwo' } })
  },
}

const wired = await wire({ grants: [careless] })
after(() => wired.close())

const get = (target: string, host: string): string =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

for (const host of ['a:99999', '1.2.3.256', '[::::]', 'a b', '', 'a/b', 'a@b']) {
  test(`a Host that names nothing is refused, on pages too: ${JSON.stringify(host)}`, async () => {
    const heard = await wired.say(get('/login', host))
    assert.equal(statusOf(heard), 400)
    assert.ok(!wired.notices.some(({ message }) => message === 'unexpected fault'))
  })
}

test('a target without a path is not routed by what its query holds', async () => {
  const heard = await wired.say(get('http://127.0.0.1?x=/health/live', '127.0.0.1'))
  assert.notEqual(bodyOf(heard), bodyOf(await wired.say(get('/health/live', '127.0.0.1'))))
  const whole = await wired.say(get('http://127.0.0.1/health/live', '127.0.0.1'))
  assert.equal(statusOf(whole), 200)
})

test('RFC 9112 section 3.2: HTTP/1.0 needs no Host, HTTP/1.1 does', async () => {
  assert.equal(statusOf(await wired.say('GET /health/live HTTP/1.0\r\n\r\n')), 200)
  assert.equal(statusOf(await wired.say('GET /health/live HTTP/1.1\r\n\r\n')), 400)
})

test('a body in pieces that is refused before its end closes the connection', async () => {
  const socket = await open(wired.port)
  const refused = new Promise<void>((resolve) => socket.once('data', () => resolve()))
  const heard = hear(socket)
  socket.write(
    [
      'POST /token HTTP/1.1',
      'Host: 127.0.0.1',
      'Content-Type: application/x-www-form-urlencoded',
      'Transfer-Encoding: chunked',
      '',
      '1',
      '',
    ].join('\r\n'),
  )
  socket.write(Buffer.from([0xff, 0x0d, 0x0a]))
  await refused
  socket.write(`1\r\na\r\n0\r\n\r\n${get('/health/live', '127.0.0.1')}`)
  const all = await heard
  assert.equal(statusOf(all), 400)
  assert.match(all, /\r\nconnection: close\r\n/i)
  assert.equal(all.split('HTTP/1.1 ').length, 2)
})

test('RFC 9110 section 10.1.1: whoever waits for 100 is told to go on, but not for what is too long', async () => {
  const waiting = (length: number): string =>
    formRequest('/token', '')
      .replace('Content-Length: 0', `Content-Length: ${length}`)
      .replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')
  assert.match(await wired.say(waiting(10), /\r\n\r\n/), /^HTTP\/1\.1 100 Continue\r\n/)
  assert.equal(statusOf(await wired.say(waiting(10_000_000))), 413)
})

test('an answer that cannot be written ends its connection, not the service', async () => {
  const registered = await fetch(`${wired.issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Careless',
      grant_types: [careless.type],
      token_endpoint_auth_method: 'none',
    }),
  })
  assert.equal(registered.status, 201)
  const { client_id: id } = (await registered.json()) as { client_id: string }
  const before = wired.notices.length
  const form = `grant_type=${encodeURIComponent(careless.type)}&client_id=${id}`
  assert.equal(await wired.say(formRequest('/token', form)), '')
  const told = wired.notices.slice(before).filter(({ level }) => level === 'error')
  assert.deepEqual(
    told.map(({ message }) => message),
    ['unexpected fault'],
  )
  assert.equal(statusOf(await wired.say(get('/health/live', '127.0.0.1'))), 200)
})

test('a service that ends answers all that has come, says so, and takes nothing more on that connection', async () => {
  const ending = await wire()
  const socket = await open(ending.port)
  const heard = hear(socket)
  const request = formRequest('/token', 'grant_type=nothing').replace('Connection: close\r\n', '')
  socket.write(request.slice(0, -5))
  // That request has begun, whatever else is answered now.
  await ending.say(get('/health/live', '127.0.0.1'))
  const ended = ending.close()
  socket.write(request.slice(-5) + request)
  const all = await heard
  await ended
  // Both came before either was answered: the last answer says that there are no more.
  const [, first = '', second = '', ...more] = all.split('HTTP/1.1 ')
  assert.doesNotMatch(first, /\r\nconnection: close\r\n/i)
  assert.match(second, /\r\nconnection: close\r\n/i)
  assert.deepEqual(more, [])
})

test('what asks for options, or too much, is counted and written down like any other request', async () => {
  const before = wired.notices.length
  await wired.say(get('/token', '127.0.0.1').replace('GET', 'OPTIONS'))
  await wired.say(get(`/${'x'.repeat(40_000)}`, '127.0.0.1'))
  const told = wired.notices.slice(before).map(({ route, status }) => ({ route, status }))
  assert.deepEqual(told, [
    { route: '/token', status: 204 },
    { route: '(too long)', status: 414 },
  ])
})
