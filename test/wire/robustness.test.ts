/** What no client library sends: over a bare socket, and never answered with a 5xx. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { httpLimits } from '../../src/http/limits.ts'
import { urlCharacters } from '../../src/router.ts'
import { bodyOf, formRequest, hear, open, statusOf, type Wired, wire } from './wire.ts'

let service: Wired
before(async () => {
  service = await wire()
})
after(() => service.close())

const credentials = `Authorization: Basic ${btoa('nightly-report:nightly-report-secret')}`
const token = (body: string, headers: readonly string[] = []): Promise<string> =>
  service.say(formRequest('/token', body, [credentials, ...headers]))

const get = (target: string, headers: readonly string[] = []): Promise<string> =>
  service.say(
    [`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', ''].join(
      '\r\n',
    ),
  )

/** Serves on, whatever came before. */
const stillServes = async (): Promise<void> => {
  assert.equal(statusOf(await token('grant_type=client_credentials')), 200)
}

test('a well-formed request is answered (so that the refusals below mean something)', stillServes)

test('H-01: a URL that is too long is refused, the service goes on', async () => {
  const long = await get(`/authorize?client_id=${'a'.repeat(urlCharacters)}`)
  assert.equal(statusOf(long), 414)
  const longer = await get(`/authorize?client_id=${'a'.repeat(httpLimits.headerBytes)}`)
  assert.equal(statusOf(longer), 431)
  await stillServes()
})

test('H-02: a body beyond the limit is refused, by its declared and by its real length', async () => {
  const body = `grant_type=client_credentials&pad=${'a'.repeat(httpLimits.formBytes)}`
  const declared = await token(body)
  assert.equal(statusOf(declared), 413)
  assert.match(declared, /\r\nconnection: close\r\n/i)
  const { latchkey_reference: reference, ...told } = JSON.parse(bodyOf(declared))
  assert.match(declared, new RegExp(`\\r\\nLatchkey-Reference: ${reference}\\r\\n`))
  assert.deepEqual(told, {
    error: 'too_large',
    error_description: `the body is larger than ${httpLimits.formBytes} bytes`,
  })
  const chunked = [
    'POST /token HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/x-www-form-urlencoded',
    credentials,
    'Transfer-Encoding: chunked',
    '',
    `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ].join('\r\n')
  assert.equal(statusOf(await service.say(chunked, /too_large/)), 413)
})

test('H-03: ten thousand parameters are refused', async () => {
  const heard = await token(`grant_type=client_credentials${'&a=1'.repeat(10_000)}`)
  assert.equal(statusOf(heard), 400)
})

const smuggled: Readonly<Record<string, string>> = {
  'two lengths':
    'POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
  'length and chunks':
    'POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'an unknown transfer coding':
    'POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
  'a space before the colon':
    'POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length : 5\r\n\r\nhello',
  'a bare line feed in a header': 'GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n',
  'no host': 'GET / HTTP/1.1\r\n\r\n',
}
for (const [name, bytes] of Object.entries(smuggled)) {
  test(`H-04: ${name}: 400, and the connection is closed`, async () => {
    const heard = await service.say(bytes)
    assert.equal(statusOf(heard), 400)
    await stillServes()
  })
}

const tokenHead = (version: string, headers: readonly string[]): string =>
  [
    `POST /token HTTP/${version}`,
    'Host: 127.0.0.1',
    'Content-Type: application/x-www-form-urlencoded',
    credentials,
    ...headers,
    '',
    '',
  ].join('\r\n')

const inChunks = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
const oneForm = 'grant_type=client_credentials'

test('HTTP/1.0 with a transfer coding: refused, and the connection is closed (RFC 9112 section 6.1)', async () => {
  const coded = ['Transfer-Encoding: chunked', 'Connection: keep-alive']
  for (const headers of [coded, [...coded, 'Content-Length: 5']]) {
    const heard = await service.say(tokenHead('1.0', headers) + inChunks(oneForm))
    assert.equal(statusOf(heard), 400)
    assert.match(heard, /\r\nconnection: close\r\n/i)
    assert.equal(heard.split('HTTP/1.1').length, 2)
  }
  const declared = ['Connection: keep-alive', `Content-Length: ${oneForm.length}`]
  const taken = await service.say(tokenHead('1.0', declared) + oneForm, /access_token/)
  assert.equal(statusOf(taken), 200)
  assert.match(taken, /\r\nconnection: keep-alive\r\n/i)
})

for (const [coding, expected] of [
  ['chunked', 200],
  ['Chunked', 200],
  ['gzip, chunked', 501],
  ['identity, chunked', 501],
  ['chunked, chunked', 400],
  ['gzip', 400],
] as const) {
  test(`Transfer-Encoding: ${coding}: ${expected} (RFC 9112 section 6.1)`, async () => {
    const headers = [`Transfer-Encoding: ${coding}`]
    const asked = tokenHead('1.1', headers) + inChunks(oneForm)
    const heard = await service.say(asked, /access_token/)
    assert.equal(statusOf(heard), expected)
    if (expected !== 200) assert.match(heard, /\r\nconnection: close\r\n/i)
  })
}

test('nobody is told to go on with a transfer coding that is not known', async () => {
  const headers = ['Transfer-Encoding: gzip, chunked', 'Expect: 100-continue']
  const heard = await service.say(tokenHead('1.1', headers))
  assert.equal(statusOf(heard), 501)
})

test('H-05, H-06: connections that never finish their request hold up nobody', async () => {
  const idle = await Promise.all(Array.from({ length: 50 }, () => open(service.port)))
  for (const socket of idle) {
    socket.on('error', () => {})
    socket.write(
      'POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\ngrant_type=',
    )
  }
  await stillServes()
  for (const socket of idle) socket.destroy()
})

const cutOff: Readonly<Record<string, string>> = {
  'a declared length': 'Content-Length: 100\r\n\r\ngrant_type=',
  chunks: 'Transfer-Encoding: chunked\r\n\r\n5\r\ngrant\r\n',
}
for (const [name, rest] of Object.entries(cutOff)) {
  test(`H-05: a body by ${name} that is cut off is no fault of ours, and no more than a line in the log`, async () => {
    const before = service.notices.length
    const socket = await open(service.port)
    const head =
      'POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded'
    socket.write(`${head}\r\nExpect: 100-continue\r\n${rest}`)
    // After "continue", the body is being read.
    await new Promise((resolve) => socket.once('data', resolve))
    socket.destroy()
    // On a slow machine the service seals its events meanwhile.
    const told = () =>
      service.notices
        .slice(before)
        .filter(({ status, message }) => status !== 200 && message !== 'events sealed')
    for (let i = 0; i < 200 && told().length === 0; i++) await stillServes()
    assert.deepEqual(
      told().map(({ level, message, status, reason }) => ({ level, message, status, reason })),
      [{ level: 'info', message: 'request', status: 408, reason: 'client_gone' }],
    )
  })
}

const unreadable: Readonly<Record<string, string | Buffer>> = {
  'invalid UTF-8': Buffer.from([0x61, 0x3d, 0xff, 0xfe]),
  'an overlong encoding': 'scope=%C0%AF',
  'a lone surrogate': 'scope=%ED%A0%80',
  'a percent sign alone': 'scope=%',
  'no hexadecimal digits': 'scope=%zz',
  'an old escape': 'scope=%u0041',
  'an encoded replacement character': 'scope=%EF%BF%BD',
}
for (const [name, bytes] of Object.entries(unreadable)) {
  test(`H-07: ${name} is refused, not repaired`, async () => {
    const body = Buffer.concat([
      Buffer.from('grant_type=client_credentials&'),
      Buffer.from(bytes),
    ]).toString('latin1')
    const request = formRequest('/token', '', [credentials])
      .replace('Content-Length: 0', `Content-Length: ${body.length}`)
      .concat(body)
    const heard = await service.say(Buffer.from(request, 'latin1'))
    assert.equal(statusOf(heard), 400)
    assert.equal(JSON.parse(bodyOf(heard)).error, 'invalid_request')
  })
}

for (const field of ['grant_type', 'scope', 'code', 'username', 'client_id', 'refresh_token']) {
  test(`H-08: NUL in ${field} is refused`, async () => {
    const heard = await token(`grant_type=client_credentials&${field}=a%00b`)
    assert.equal(statusOf(heard), 400)
  })
}

test('H-08: NUL in a query is refused on a page, in a path with 404', async () => {
  assert.equal(statusOf(await get('/authorize?client_id=a%00b&response_type=code')), 400)
  assert.equal(statusOf(await get('/api/photos%00')), 404)
})

test('H-09: names of object members are names like any other', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', '__proto__[admin]']) {
    const heard = await token(`grant_type=client_credentials&scope=photos:read&${name}=true`)
    assert.equal(statusOf(heard), 200)
    assert.equal(JSON.parse(bodyOf(heard)).scope, 'photos:read')
  }
})

test('H-10: a line break in what is sent never breaks a log line', async () => {
  const before = service.notices.length
  await get('/authorize?client_id=%0d%0a%7b%22level%22:60%7d', ['User-Agent: \u001b[31mred'])
  for (const notice of service.notices.slice(before)) {
    for (const value of Object.values(notice)) {
      for (const breaker of ['\r', '\n', '\u001b']) assert.ok(!String(value).includes(breaker))
    }
  }
})

test('H-12: a deeply nested JSON body is refused', async () => {
  const body = `{"client_name":${'['.repeat(5000)}${']'.repeat(5000)}}`
  const heard = await service.say(
    formRequest('/register', body).replace('application/x-www-form-urlencoded', 'application/json'),
  )
  assert.equal(statusOf(heard), 400)
})

test('H-14: other spellings of a path are other paths', async () => {
  const spellings = ['//token', '/token/', '/TOKEN', '/token;x', '/%74oken', '/./token', '/nothing']
  for (const path of spellings) {
    const heard = await service.say(
      formRequest(path, 'grant_type=client_credentials', [credentials]),
    )
    assert.equal(statusOf(heard), 404, path)
    assert.ok(!/\n\s+at /.test(heard))
  }
})

test('H-15: TRACE, CONNECT and unknown methods are refused; HEAD is GET without a body', async () => {
  const trace = await service.say(
    'TRACE /token HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
  )
  assert.ok([405, 501].includes(statusOf(trace)), trace)
  const connect = await service.say('CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n')
  assert.ok(connect === '' || [400, 405, 501].includes(statusOf(connect)), connect)
  const unknown = await service.say('BREW / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  assert.equal(statusOf(unknown), 400)
  const head = await service.say(
    'HEAD /login HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
  )
  assert.equal(statusOf(head), 200)
  assert.equal(bodyOf(head), '')
})

test('H-18: two clients on one connection get each their own answer', async () => {
  const form = 'grant_type=client_credentials&scope=photos:read'
  const keepAlive = (headers: readonly string[]): string =>
    formRequest('/token', form, headers).replace('Connection: close\r\n', '')
  const wrong = `Authorization: Basic ${btoa('nightly-report:wrong')}`
  const socket = await open(service.port)
  const heard = hear(socket, /invalid_client[\s\S]*access_token/)
  socket.write(keepAlive([wrong]) + keepAlive([credentials]))
  const [first, second] = (await heard).split(/(?=HTTP\/1\.1 200)/)
  assert.equal(statusOf(first ?? ''), 401)
  assert.equal(JSON.parse(bodyOf(second ?? '')).scope, 'photos:read')
})

test('R-12: line breaks in state and redirect_uri never make a header', async () => {
  const target =
    '/authorize?response_type=foo&client_id=photo-printer' +
    '&redirect_uri=http%3A%2F%2F127.0.0.1%3A6750%2Fcallback&state=a%0d%0aSet-Cookie:%20evil=1'
  const heard = await get(target)
  assert.equal(statusOf(heard), 302)
  assert.ok(!/\r\nset-cookie: evil/i.test(heard))
  assert.equal(heard.match(/\r\nlocation:/gi)?.length, 1)
})
