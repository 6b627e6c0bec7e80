import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal, verifyByIntrospection } from '../../../src/resource/index.ts'

const issuer = 'https://auth.example.com'

/** An issuer with one answer, and the requests to it. */
const asked: Request[] = []
const logged: string[] = []
const verifyAgainst = (say: () => Response | Promise<Response>) =>
  verifyByIntrospection({
    issuer,
    clientId: 'the:api',
    clientSecret: 'se cret+',
    fetch: async (url, init) => {
      asked.push(new Request(String(url), init))
      return say()
    },
    log: (line) => logged.push(line),
  })

const alive = {
  active: true,
  token_type: 'Bearer',
  iss: issuer,
  client_id: 'photo-printer',
  sub: '01j',
  username: 'alice',
  scope: 'photos:read photos:write',
  exp: 1_800_000_000,
}

test('the issuer is asked with the credentials of the API', async () => {
  asked.length = 0
  const access = await verifyAgainst(() => Response.json(alive))('lk_at_x+y')
  assert.deepEqual(access, {
    permissions: ['photos:read', 'photos:write'],
    clientId: 'photo-printer',
    subject: '01j',
    username: 'alice',
    expiresAt: 1_800_000_000,
  })
  const [request] = asked
  assert.ok(request)
  assert.equal(request.url, `${issuer}/introspect`)
  assert.equal(request.redirect, 'error')
  assert.equal(request.headers.get('authorization'), `Basic ${btoa('the%3Aapi:se+cret%2B')}`)
  assert.equal(await request.text(), 'token=lk_at_x%2By&token_type_hint=access_token')
})

test('an unlimited token of a client has no end and no name', async () => {
  const { username: _, exp: __, ...said } = alive
  const access = await verifyAgainst(() => Response.json(said))('t')
  assert.deepEqual([access?.username, access?.expiresAt], [null, null])
})

describe('what is no access token of this issuer is none', () => {
  const rows: [string, object][] = [
    ['inactive', { active: false }],
    ['active is not exactly true', { ...alive, active: 'true' }],
    ['a refresh token', { ...alive, token_type: 'refresh_token' }],
    ['no token type', { ...alive, token_type: undefined }],
  ]
  for (const [name, said] of rows) {
    test(name, async () => assert.equal(await verifyAgainst(() => Response.json(said))('t'), null))
  }
})

test('without a log of its own, problems go to standard error', async (t) => {
  const lines: unknown[] = []
  t.mock.method(console, 'error', (line: unknown) => lines.push(line))
  const send = async () => new Response('', { status: 502 })
  const verify = verifyByIntrospection({ issuer, clientId: 'a', clientSecret: 'b', fetch: send })
  await assert.rejects(verify('t'))
  assert.deepEqual(lines, [`latchkey/resource: ${issuer}/introspect answers 502`])
})

test('a problem is logged once, and again after a check that succeeded', async () => {
  logged.length = 0
  const wrongSecret = () => Response.json({ error: 'invalid_client' }, { status: 401 })
  const answers = [wrongSecret, wrongSecret, () => Response.json(alive), wrongSecret]
  let next = 0
  const verify = verifyAgainst(() => (answers[next++] ?? wrongSecret)())
  await assert.rejects(verify('t'))
  await assert.rejects(verify('t'))
  assert.equal((await verify('t'))?.clientId, 'photo-printer')
  await assert.rejects(verify('t'))
  const line = `latchkey/resource: ${issuer} refuses the client the:api: check the options clientId and clientSecret`
  assert.deepEqual(logged, [line, line])
})

describe('where it cannot be told, it is refused with 503 (RS-15)', () => {
  const rows: [string, () => Response, string, string][] = [
    [
      'the issuer cannot be reached',
      () => {
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
        })
      },
      'introspection_failed',
      `${issuer}/introspect cannot be used: ECONNREFUSED`,
    ],
    [
      'it answers no JSON',
      () => new Response('<html>'),
      'introspection_failed',
      `${issuer}/introspect cannot be used: SyntaxError`,
    ],
    [
      'it answers no object',
      () => Response.json('yes'),
      'introspection_not_an_object',
      `${issuer}/introspect answers no JSON object`,
    ],
    [
      'it does not know this API',
      () => Response.json({ error: 'invalid_client' }, { status: 401 }),
      'introspection_client_refused',
      `${issuer} refuses the client the:api: check the options clientId and clientSecret`,
    ],
    [
      'it is broken',
      () => Response.json(alive, { status: 500 }),
      'introspection_refused',
      `${issuer}/introspect answers 500`,
    ],
    [
      'it has another name',
      () => Response.json({ ...alive, iss: 'https://evil.example.com' }),
      'introspection_of_other_issuer',
      `the service at ${issuer} calls itself https://evil.example.com: set the option issuer to exactly that`,
    ],
    [
      'it does not say whose token it is',
      () => Response.json({ ...alive, client_id: undefined }),
      'introspection_incomplete',
      `${issuer}/introspect names no client_id or no sub for an active token`,
    ],
  ]
  for (const [name, say, reason, problem] of rows) {
    test(name, async () => {
      logged.length = 0
      await assert.rejects(verifyAgainst(say)('t'), (fault) => {
        assert.ok(fault instanceof Refusal)
        assert.deepEqual([fault.status, fault.reason], [503, reason])
        return true
      })
      assert.deepEqual(logged, [`latchkey/resource: ${problem}`])
    })
  }
})
