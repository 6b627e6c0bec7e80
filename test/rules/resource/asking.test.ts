/** Questions of the guard to the issuer: how often they are sent, and what happens if they fail. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { targetCharacters } from '../../../src/model/use.ts'
import { guardLimits } from '../../../src/resource/guard-limits.ts'
import { protect } from '../../../src/resource/index.ts'
import { alive, type Issuing, issuer, issuing, resource } from './issuing.ts'

/** An API that says the status of each request with a token. */
const apiOf = ({ options }: Issuing) => {
  const guard = protect(options)
  return async (token = 'lk_at_x') => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await guard(new Request(resource, { headers }), 'photos:read', () =>
      Response.json('let in'),
    )
    return answer
  }
}

describe('each request is asked about', () => {
  test('so that a revoked token is refused at the next one', async () => {
    const service = issuing()
    const api = apiOf(service)
    assert.equal((await api()).status, 200)
    service.say = () => Response.json({ active: false })
    assert.equal((await api()).status, 401)
    assert.equal(service.questions(), 2)
  })

  test('but requests with one token at the same time only once', async () => {
    const service = issuing()
    const api = apiOf(service)
    const answers = await Promise.all([api(), api(), api(), api('lk_at_y')])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.equal(service.questions(), 2)
    await api()
    assert.equal(service.questions(), 3)
  })
})

describe('what a request is about', () => {
  /** The status, the target at the service, and the number of lines in the log. */
  const send = async (target: unknown, token = 'lk_at_x', service = issuing()) => {
    const guard = protect(service.options)
    const request = new Request(resource, { headers: { authorization: `Bearer ${token}` } })
    const words = { target } as { target: string }
    const { status } = await guard(request, 'photos:read', () => new Response(), words)
    const form = new URLSearchParams(await service.asked.at(-1)?.text())
    return [status, form.get('target'), service.logged.length]
  }

  const rows: [string, unknown, string | null][] = [
    ['a text', "Photo 'Lake, evening'", "Photo 'Lake, evening'"],
    ['a promise of one', async () => 'Lake', 'Lake'],
    ['a function of the request', ({ method }: Request) => `${method} it`, 'GET it'],
    ['HTML, which pages escape', '<b>Lake</b>', '<b>Lake</b>'],
    ['1 MB', 'x'.repeat(1_000_000), `${'x'.repeat(targetCharacters - 1)}…`],
    ['newlines and controls', 'Lake\r\nRefused:\u2028\u0000 all', 'Lake Refused: all'],
    ['a right-to-left override', 'Lake \u202eevil\u2066', 'Lake evil'],
    ['half a character', 'Lake \ud83d', 'Lake'],
    ['nothing visible', ' \u200b\t', null],
    ['a list', ['Lake'], null],
    ['an object', { toString: () => 'Lake' }, null],
    ['a number', 7, null],
    ['nothing', undefined, null],
  ]
  for (const [name, target, expected] of rows) {
    test(`${name}: refuses no request`, async () => {
      assert.deepEqual(await send(target), [200, expected, 0])
    })
  }

  test('a function that fails names nothing, and the log is told once', async () => {
    const service = issuing()
    const guard = protect(service.options)
    const fail = [
      () => {
        throw new Error('secret')
      },
      () => Promise.reject(new Error('secret')),
    ]
    for (const target of fail) {
      const request = new Request(resource, { headers: { authorization: 'Bearer lk_at_x' } })
      const answer = await guard(request, [], () => new Response(), { target })
      assert.equal(answer.status, 200)
    }
    assert.deepEqual(service.logged, [
      'latchkey/resource: the function target of a route failed or took too long, and named nothing',
    ])
  })

  test('is asked of no request without a token, and never shares a question', async () => {
    const service = issuing()
    const guard = protect(service.options)
    const named: string[] = []
    const ask = (target: string, headers: Record<string, string>) => {
      const words = { target: () => named[named.push(target) - 1] }
      return guard(new Request(resource, { headers }), [], () => new Response(), words)
    }
    const headers = { authorization: 'Bearer lk_at_x' }
    await Promise.all([ask('a', headers), ask('b', headers), ask('b', headers), ask('c', {})])
    assert.deepEqual(named, ['a', 'b', 'b'])
    assert.equal(service.questions(), 2)
  })
})

describe('an answer that may be kept', () => {
  test('is kept so long and no longer', async () => {
    const service = issuing({ cacheSeconds: 10 })
    const api = apiOf(service)
    await api()
    service.now += 9_999
    await api()
    assert.equal(service.questions(), 1)
    service.now += 1
    await api()
    assert.equal(service.questions(), 2)
  })

  test('counts from the question on: the answer may be old when it comes', async () => {
    const service = issuing({ cacheSeconds: 10 })
    const api = apiOf(service)
    service.say = () => {
      service.now += 9_000
      return Response.json(alive)
    }
    await api()
    service.now += 999
    await api()
    assert.equal(service.questions(), 1)
    service.now += 1
    await api()
    assert.equal(service.questions(), 2)
  })

  test('is never kept beyond the end of its token', async () => {
    const service = issuing({ cacheSeconds: 10 })
    service.say = () => Response.json({ ...alive, exp: service.now / 1000 + 3 })
    const api = apiOf(service)
    await api()
    service.now += 2_999
    await api()
    assert.equal(service.questions(), 1)
    service.now += 1
    await api()
    assert.equal(service.questions(), 2)
  })

  test('is one about an active token: the others are asked about again', async () => {
    const service = issuing({ cacheSeconds: 10 })
    service.say = () => Response.json({ active: false })
    const api = apiOf(service)
    await api()
    service.say = () => Response.json(alive)
    assert.equal((await api()).status, 200)
  })

  test('goes first where there are too many', async () => {
    const service = issuing({ cacheSeconds: 10 })
    const api = apiOf(service)
    for (let i = 0; i <= guardLimits.rememberedTokens; i++) await api(`lk_at_${i}`)
    const before = service.questions()
    await api(`lk_at_${guardLimits.rememberedTokens}`)
    assert.equal(service.questions(), before)
    await api('lk_at_0')
    assert.equal(service.questions(), before + 1)
  })
})

describe('the metadata of the issuer', () => {
  test('are asked for once, also by several requests at once', async () => {
    const service = issuing()
    const api = apiOf(service)
    await Promise.all([api('lk_at_a'), api('lk_at_b')])
    await api()
    assert.deepEqual(
      service.asked.map(({ method }) => method),
      ['GET', 'POST', 'POST', 'POST'],
    )
  })

  test('are asked for again once the endpoint fails', async () => {
    const service = issuing()
    const api = apiOf(service)
    await api()
    service.say = () => new Response('', { status: 404 })
    assert.equal((await api()).status, 503)
    const moved = 'https://auth.example.com/v2/introspect'
    service.describe = () => Response.json({ issuer, introspection_endpoint: moved })
    service.say = () => Response.json(alive)
    assert.equal((await api()).status, 200)
    assert.equal(service.asked.at(-1)?.url, moved)
  })

  test('of an issuer with a path stand before the path', async () => {
    const tenant = `${issuer}/tenant`
    const service = issuing({ issuer: tenant })
    service.describe = () =>
      Response.json({ issuer: tenant, introspection_endpoint: `${tenant}/introspect` })
    service.say = () => Response.json({ ...alive, iss: tenant })
    assert.equal((await apiOf(service)()).status, 200)
    assert.equal(service.asked[0]?.url, `${issuer}/.well-known/oauth-authorization-server/tenant`)
  })
})

const refusedSocket = (): never => {
  throw new TypeError('fetch failed', {
    cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  })
}
const place = `${issuer}/introspect`
const wellKnown = `${issuer}/.well-known/oauth-authorization-server`
const renamed = (found: string) =>
  `the service at ${issuer} calls itself ${found}: set the option issuer to exactly that`
const refused = `${issuer} refuses the client the:api: check the options clientId and clientSecret`

describe('where it cannot be told, nobody is let in, and the log says why (RS-15)', () => {
  const rows: [string, 'say' | 'describe', () => Response, string][] = [
    [
      'the issuer cannot be reached',
      'describe',
      refusedSocket,
      `${wellKnown} cannot be used: ECONNREFUSED`,
    ],
    [
      'it has no metadata',
      'describe',
      () => new Response('', { status: 404 }),
      `${wellKnown} answers 404`,
    ],
    [
      'they are no JSON',
      'describe',
      () => new Response('<html>'),
      `${wellKnown} answers no JSON object`,
    ],
    [
      'they are of another issuer',
      'describe',
      () => Response.json({ issuer: `${issuer}/` }),
      renamed(`${issuer}/`),
    ],
    [
      'they name no endpoint',
      'describe',
      () => Response.json({ issuer }),
      `${wellKnown} names no introspection_endpoint to use`,
    ],
    [
      'they lead the secret out of TLS',
      'describe',
      () => Response.json({ issuer, introspection_endpoint: 'http://auth.example.com/introspect' }),
      `${wellKnown} names no introspection_endpoint to use`,
    ],
    [
      'the endpoint cannot be reached',
      'say',
      refusedSocket,
      `${place} cannot be used: ECONNREFUSED`,
    ],
    ['it answers no JSON', 'say', () => new Response('<html>'), `${place} answers no JSON object`],
    ['it answers no object', 'say', () => Response.json('yes'), `${place} answers no JSON object`],
    ['it answers null', 'say', () => Response.json(null), `${place} answers no JSON object`],
    [
      'the secret is wrong',
      'say',
      () => Response.json({ error: 'invalid_client' }, { status: 401 }),
      refused,
    ],
    [
      'the secret is wrong, as 400',
      'say',
      () => Response.json({ error: 'invalid_client' }, { status: 400 }),
      refused,
    ],
    ['it is broken', 'say', () => Response.json(alive, { status: 500 }), `${place} answers 500`],
    [
      'it speaks for another issuer',
      'say',
      () => Response.json({ ...alive, iss: 'https://evil.example.com' }),
      renamed('https://evil.example.com'),
    ],
    [
      'it speaks for none',
      'say',
      () => Response.json({ ...alive, iss: undefined }),
      renamed('by no name'),
    ],
    [
      'it does not say whose token it is',
      'say',
      () => Response.json({ ...alive, client_id: undefined }),
      `${place} names no client_id or no sub for an active token`,
    ],
  ]
  for (const [name, which, answer, problem] of rows) {
    test(name, async () => {
      const service = issuing()
      service[which] = answer
      const { status, headers, ...rest } = await apiOf(service)()
      assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
      assert.equal(headers.get('www-authenticate'), null, JSON.stringify(rest))
      assert.deepEqual(service.logged, [`latchkey/resource: ${problem}`])
    })
  }

  test('a caller learns no more than that', async () => {
    const service = issuing()
    service.say = () => Response.json({ error: 'invalid_client' }, { status: 401 })
    assert.deepEqual(await (await apiOf(service)()).json(), {
      error: 'temporarily_unavailable',
      error_description: 'access tokens cannot be checked at the moment',
    })
  })

  test('a problem is logged once, and again after a check that succeeded', async () => {
    const service = issuing()
    const api = apiOf(service)
    const wrong = () => Response.json({ error: 'invalid_client' }, { status: 401 })
    service.say = wrong
    await api()
    await api()
    service.say = () => Response.json(alive)
    await api()
    service.say = wrong
    await api()
    assert.deepEqual(service.logged, [
      `latchkey/resource: ${refused}`,
      `latchkey/resource: ${refused}`,
    ])
  })

  test('without a log of its own, problems go to standard error', async (t) => {
    const lines: unknown[] = []
    t.mock.method(console, 'error', (line: unknown) => lines.push(line))
    const service = issuing()
    const { log: _, ...options } = service.options
    service.say = () => new Response('', { status: 502 })
    await apiOf({ ...service, options })()
    assert.deepEqual(lines, [`latchkey/resource: ${place} answers 502`])
  })
})
