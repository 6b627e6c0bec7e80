/** `protect` on `Request` and `Response`: RFC 6750, RFC 8707, RFC 9470 and RFC 9728, whole answers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dpopAlgorithms } from '../../../src/resource/dpop-proof.ts'
import { type Needs, protect, type RemoteAccess } from '../../../src/resource/index.ts'
import { alive, issuer, issuing, resource } from './issuing.ts'

const metadata =
  'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/prints"'

/** One request to an API; its answer, and the access that the API saw. */
const ask = async (
  guard: ReturnType<typeof protect>,
  headers: Record<string, string>,
  needs: Needs = 'photos:read',
  url = resource,
) => {
  let seen: RemoteAccess | null = null
  const answer = await guard(new Request(url, { headers }), needs, (access) => {
    seen = access
    return new Response('let in')
  })
  const text = await answer.text()
  return {
    seen,
    status: answer.status,
    text,
    challenge: answer.headers.get('www-authenticate'),
    retryAfter: answer.headers.get('retry-after'),
  }
}

const right = { authorization: 'Bearer lk_at_x+y' }

const expect = (challenge: string, error: string, description: string, rest = '') =>
  assert.equal(
    challenge,
    `Bearer realm="latchkey", error="${error}", error_description="${description}", ${rest}${metadata}`,
  )

describe('a token that allows it', () => {
  test('is let in, with what is known of it', async () => {
    const { seen, status, text } = await ask(protect(issuing().options), right)
    assert.deepEqual([status, text], [200, 'let in'])
    assert.deepEqual(seen, {
      subject: '01j',
      username: 'alice',
      clientId: 'photo-printer',
      permissions: ['photos:read', 'photos:write'],
      expiresAt: 1_800_000_000,
    })
  })

  test('of a client, without an end, has no name and no end', async () => {
    const service = issuing()
    const { username: _, exp: __, ...said } = alive
    service.say = () => Response.json(said)
    const { seen } = await ask(protect(service.options), right)
    assert.deepEqual(seen, {
      subject: '01j',
      username: null,
      clientId: 'photo-printer',
      permissions: ['photos:read', 'photos:write'],
      expiresAt: null,
    })
  })

  test('is asked about at the endpoint of the metadata, with the credentials of the API', async () => {
    const service = issuing()
    const guard = protect(service.options)
    await ask(guard, right)
    await ask(guard, right)
    const [discovery, first, second, ...more] = service.asked
    assert.equal(discovery?.url, `${issuer}/.well-known/oauth-authorization-server`)
    assert.ok(first && second)
    assert.deepEqual([first.url, first.redirect], [`${issuer}/introspect`, 'error'])
    assert.equal(first.headers.get('authorization'), `Basic ${btoa('the%3Aapi:se+cret%2B')}`)
    assert.equal(await first.text(), 'token=lk_at_x%2By&token_type_hint=access_token')
    assert.equal(second.url, `${issuer}/introspect`)
    assert.deepEqual(more, [])
  })

  test('for several resources is let in, too', async () => {
    const service = issuing()
    service.say = () => Response.json({ ...alive, aud: ['https://other.example', resource] })
    assert.equal((await ask(protect(service.options), right)).status, 200)
  })
})

describe('a request without a token', () => {
  const challenge = `Bearer realm="latchkey", scope="photos:read", ${metadata}`

  test('learns which scope is needed, and of no error (RS-01)', async () => {
    const service = issuing()
    const answer = await ask(protect(service.options), {})
    assert.deepEqual([answer.status, answer.text, answer.challenge], [401, '{}', challenge])
    assert.equal(service.asked.length, 0)
  })

  test('is one that has a token in its URL', async () => {
    const answer = await ask(
      protect(issuing().options),
      { 'cache-control': 'no-store' },
      'photos:read',
      `${resource}?access_token=lk_at_x`,
    )
    assert.deepEqual([answer.status, answer.challenge], [401, challenge])
  })

  test('learns of no scope where any token will do', async () => {
    const answer = await ask(protect(issuing().options), {}, [])
    assert.deepEqual(
      [answer.status, answer.challenge],
      [401, `Bearer realm="latchkey", ${metadata}`],
    )
  })
})

describe('what is no access token of this issuer is refused (RS-02)', () => {
  const rows: [string, object][] = [
    ['inactive', { active: false }],
    ['active is not exactly true', { ...alive, active: 'true' }],
    ['a refresh token', { ...alive, token_type: 'refresh_token' }],
    ['no token type', { ...alive, token_type: undefined }],
  ]
  const unknown = 'the access token is unknown, expired, revoked or for another resource'
  for (const [name, said] of rows) {
    test(name, async () => {
      const service = issuing()
      service.say = () => Response.json(said)
      const { status, text, challenge, seen } = await ask(protect(service.options), right)
      assert.deepEqual(JSON.parse(text), { error: 'invalid_token', error_description: unknown })
      expect(challenge ?? '', 'invalid_token', unknown, 'scope="photos:read", ')
      assert.deepEqual([status, seen], [401, null])
    })
  }

  test('a refresh token by its prefix is named', async () => {
    const service = issuing()
    service.say = () => Response.json({ active: false })
    const { text } = await ask(protect(service.options), { authorization: 'Bearer lk_rt_x' })
    assert.match(JSON.parse(text).error_description, /^this is a refresh token \(lk_rt_\.\.\.\)/)
  })

  test('two tokens at once are malformed', async () => {
    const two = { authorization: 'Bearer lk_at_x, Bearer lk_at_y' }
    const { status, text } = await ask(protect(issuing().options), two)
    assert.deepEqual([status, JSON.parse(text).error], [400, 'invalid_request'])
  })
})

describe('a token for another resource is refused, and the log says so once', () => {
  const rows: [string, unknown, string][] = [
    ['another one', 'https://other.example', 'https://other.example'],
    ['another spelling', `${resource}/`, `${resource}/`],
    [
      'several others',
      ['https://a.example', 'https://b.example'],
      'https://a.example https://b.example',
    ],
    ['none at all', undefined, 'no audience'],
  ]
  for (const [name, aud, told] of rows) {
    test(name, async () => {
      const service = issuing()
      service.say = () => Response.json({ ...alive, aud })
      const guard = protect(service.options)
      const { status, challenge } = await ask(guard, right)
      assert.equal(status, 401)
      const description = `the access token is not for ${resource}`
      expect(challenge ?? '', 'invalid_token', description, 'scope="photos:read", ')
      await ask(guard, right)
      assert.deepEqual(service.logged, [
        `latchkey/resource: a token for ${told} came to ${resource}: check the parameter resource of its client, and the option resource`,
      ])
    })
  }
})

describe('permissions that are missing (RS-03)', () => {
  const description = 'the access token does not allow this'
  const rows: [string, Needs, string][] = [
    ['one', 'photos:delete', 'photos:delete'],
    ['one of several: all are told', ['photos:read', 'photos:delete'], 'photos:read photos:delete'],
    ['as an object', { scope: ['contacts:read'] }, 'contacts:read'],
  ]
  for (const [name, needs, scope] of rows) {
    test(name, async () => {
      const { status, challenge, seen } = await ask(protect(issuing().options), right, needs)
      assert.deepEqual([status, seen], [403, null])
      expect(challenge ?? '', 'insufficient_scope', description, `scope="${scope}", `)
    })
  }

  test('none is missing where all are there', async () => {
    const both = ['photos:read', 'photos:write']
    assert.equal((await ask(protect(issuing().options), right, both)).status, 200)
  })
})

describe('a login that has to be recent (RFC 9470)', () => {
  const needs = { scope: 'photos:read', maxAge: 100 }

  test('is, up to the last second', async () => {
    assert.equal((await ask(protect(issuing().options), right, needs)).status, 200)
  })

  const tooOld = async (service: ReturnType<typeof issuing>) => {
    const { status, challenge, seen } = await ask(protect(service.options), right, needs)
    assert.deepEqual([status, seen], [401, null])
    expect(
      challenge ?? '',
      'insufficient_user_authentication',
      'the owner has to log in again',
      'max_age="100", scope="photos:read", ',
    )
  }

  test('is asked for again after it', async () => {
    const service = issuing()
    service.now += 1000
    await tooOld(service)
  })

  test('is asked for where the issuer does not say when it was', async () => {
    const service = issuing()
    service.say = () => Response.json({ ...alive, auth_time: undefined })
    await tooOld(service)
  })
})

describe('a login that has to be strong (RFC 9470)', () => {
  /** The answer to a token whose login has this `acr`. */
  const withContext = (acr: unknown, needs: Needs) => {
    const service = issuing()
    service.say = () => Response.json({ ...alive, acr })
    return ask(protect(service.options), right, needs)
  }

  const rows: [unknown, string | readonly string[], number][] = [
    ['phr', 'phr', 200],
    ['phr', '2', 200],
    ['2', '2', 200],
    ['2', ['phr', '2'], 200],
    ['2', 'phr', 401],
    ['1', ['2', 'phr'], 401],
    ['0', '1', 401],
    ['gold', 'gold', 200],
    ['gold', ['1', '2'], 401],
    ['phr', 'gold', 401],
    ['', '1', 401],
    [2, '2', 401],
    [['2'], '2', 401],
    [undefined, '1', 401],
  ]
  for (const [has, acr, expected] of rows) {
    test(`${JSON.stringify(has)} for ${JSON.stringify(acr)}: ${expected}`, async () => {
      const { status, seen } = await withContext(has, { scope: 'photos:read', acr })
      assert.deepEqual([status, seen !== null], [expected, expected === 200])
    })
  }

  const tooWeak = 'the owner has to log in in a stronger way'

  test('is asked for with all values, the preferred first', async () => {
    const { status, challenge, text } = await withContext('1', {
      scope: 'photos:read',
      acr: ['phr', '2'],
    })
    assert.equal(status, 401)
    expect(
      challenge ?? '',
      'insufficient_user_authentication',
      tooWeak,
      'acr_values="phr 2", scope="photos:read", ',
    )
    assert.deepEqual(JSON.parse(text), {
      error: 'insufficient_user_authentication',
      error_description: tooWeak,
    })
  })

  const both = { scope: [], acr: 'phr', maxAge: 100 }

  test('and recent is told at once, whichever is missing', async () => {
    const told = 'acr_values="phr", max_age="100", '
    const error = 'insufficient_user_authentication'
    expect((await withContext('2', both)).challenge ?? '', error, tooWeak, told)
    const service = issuing()
    service.say = () => Response.json({ ...alive, acr: 'phr' })
    service.now += 1000
    const { challenge } = await ask(protect(service.options), right, both)
    expect(challenge ?? '', error, 'the owner has to log in again', told)
  })

  test('is asked for only once the token allows the rest', async () => {
    const needs = { scope: 'photos:delete', acr: 'phr' }
    assert.equal((await withContext('1', needs)).status, 403)
  })
})

describe('needs that no token could meet are a mistake of the program', () => {
  const rows: [unknown, RegExp][] = [
    ['', /"" is no permission/],
    ['photos:read photos:write', /"photos:read photos:write" is no permission/],
    [['photos"'], /is no permission/],
    [{ scope: 'photos:read', maxAge: 0 }, /maxAge/],
    [{ scope: 'photos:read', maxAge: '60' }, /maxAge/],
    ...['', 'a b', 'a"', [], ['1', ''], [2], 2, null, {}].map((acr): [unknown, RegExp] => [
      { scope: 'photos:read', acr },
      /acr has to be a value such as phr, or a list of them$/,
    ]),
  ]
  for (const [needs, message] of rows) {
    test(JSON.stringify(needs), async () => {
      const guard = protect(issuing().options)
      await assert.rejects(ask(guard, right, needs as Needs), { name: 'TypeError', message })
    })
  }
})

test('unusable options are all named at the start, without the secret', () => {
  const options = {
    issuer: 'http://auth.example.com',
    resource: 'https://api.example.com/#top',
    clientId: '',
    clientSecret: '',
    cacheSeconds: -1,
  }
  assert.throws(() => protect(options), {
    name: 'TypeError',
    message:
      'latchkey/resource: issuer has to be an https URL, since its host is not a loopback address; ' +
      'resource has to be the URL of this API, without a fragment; clientId is missing; ' +
      'clientSecret is missing; cacheSeconds has to be a number from 0 to 3600',
  })
})

describe('the metadata of the resource (RFC 9728)', () => {
  test('name the issuer, and how to send tokens; every page may read them', async () => {
    const guard = protect(issuing().options)
    const answer = guard.metadata()
    assert.deepEqual(await answer.json(), {
      resource,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: dpopAlgorithms,
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json;charset=UTF-8')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  })

  test('list the permissions of basic use, and nothing that is none', async () => {
    const guard = protect(issuing({ scopesSupported: ['photos:read'] }).options)
    assert.deepEqual(await guard.metadata().json(), {
      resource,
      authorization_servers: [issuer],
      scopes_supported: ['photos:read'],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: dpopAlgorithms,
    })
    assert.throws(
      () => protect(issuing({ scopesSupported: ['photos read'] }).options),
      /scopesSupported has to be a list of permissions such as photos:read$/,
    )
  })

  const rows: [string, string][] = [
    ['https://api.example.com', '/.well-known/oauth-protected-resource'],
    ['https://api.example.com/', '/.well-known/oauth-protected-resource'],
    ['https://api.example.com/a/b', '/.well-known/oauth-protected-resource/a/b'],
  ]
  for (const [of, path] of rows) {
    test(`of ${of} stand at ${path}`, () =>
      assert.equal(protect({ ...issuing().options, resource: of }).metadataPath, path))
  }
})
