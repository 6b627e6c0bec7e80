/** RFC 6750, section by section, against the built-in resource server. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { houseApp } from '../support/demo-clients.ts'
import { type Answer, start, startBefore } from '../support/start.ts'

let token: string

const tokenOf = async (form: Readonly<Record<string, string>>): Promise<string> => {
  const password = { grant_type: 'password', username: 'alice', password: 'wonderland' }
  return (await started.post('/token', { ...password, ...form }, houseApp)).body.access_token
}

const started = startBefore(start, async () => {
  token = await tokenOf({})
})

const photos = '/api/photos'
const metadata = () =>
  `resource_metadata="${started.issuer}/.well-known/oauth-protected-resource/api/photos"`

const challenged = (answer: Answer): unknown[] => [
  answer.status,
  answer.headers.get('www-authenticate'),
]

const withHeader = (authorization: string): Promise<Answer> =>
  started.ask(photos, { headers: { authorization } })

const noToken = () => [401, `Bearer realm="latchkey", scope="photos:read", ${metadata()}`]

const badToken = (said = 'the access token is unknown, expired or revoked') => [
  401,
  `Bearer realm="latchkey", error="invalid_token", error_description="${said}", ${metadata()}`,
]

describe('section 2: the token comes in exactly one way', () => {
  const noStore = { 'cache-control': 'no-store' }
  const several = () => [
    400,
    `Bearer realm="latchkey", error="invalid_request", error_description="the access token came in more than one way", ${metadata()}`,
  ]

  test('RS-04: header and query are refused, though equal', async () => {
    const headers = { ...noStore, authorization: `Bearer ${token}` }
    const answer = await started.ask(`${photos}?access_token=${token}`, { headers })
    assert.deepEqual(challenged(answer), several())
  })

  test('RS-04: header and body are refused, though equal', async () => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await started.ask(photos, { form: { access_token: token }, headers })
    assert.deepEqual(challenged(answer), several())
  })

  test('RS-04: query and body are refused, though equal', async () => {
    const form = { access_token: token }
    const answer = await started.ask(`${photos}?access_token=${token}`, { form, headers: noStore })
    assert.deepEqual(challenged(answer), several())
  })

  test('RS-04: two headers are refused, though equal', async () => {
    const headers = new Headers()
    headers.append('authorization', `Bearer ${token}`)
    headers.append('authorization', `Bearer ${token}`)
    const answer = await started.ask(photos, { headers })
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'])
  })

  test('section 2.1: the header is read alike on every door that takes a token', async () => {
    const paths = [photos, '/admin/api/clients', '/register/photo-printer']
    const headers = [`Bearer ${token}, Bearer ${token}`, `Bearer ${token} x`, 'Bearer', 'Bearer {}']
    for (const path of paths) {
      for (const authorization of headers) {
        const { status, body } = await started.ask(path, { headers: { authorization } })
        const said = [status, body.error ?? body.title]
        assert.deepEqual(said, [400, 'invalid_request'], `${path} ${authorization}`)
      }
      for (const authorization of [
        'Basic YTpi',
        `bEARER ${token}x`,
        `Bearer ${'x'.repeat(5000)}`,
      ]) {
        const { status } = await started.ask(path, { headers: { authorization } })
        assert.equal(status, 401, `${path} ${authorization.slice(0, 99)}`)
      }
    }
  })

  test('RS-12: a cookie is not one of them (section 5.3)', async () => {
    const answer = await started.ask(photos, { headers: { cookie: `access_token=${token}` } })
    assert.deepEqual(challenged(answer), noToken())
  })
})

describe('section 2.1: the Authorization header', () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    test(`RS-05: ${scheme} is taken`, async () => {
      assert.equal((await withHeader(`${scheme} ${token}`)).status, 200)
    })
  }
  for (const header of ['Bearer', 'Bearer x y', 'Bearer x, y', 'Bearer \u0001', 'Bearer é']) {
    test(`RS-05: ${JSON.stringify(header)} is refused as malformed`, async () => {
      const answer = await withHeader(header)
      assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'])
    })
  }
  for (const header of ['Token x', 'Basic YWxpY2U6d29uZGVybGFuZA==']) {
    test(`RS-05: ${header} is no token`, async () => {
      assert.deepEqual(challenged(await withHeader(header)), noToken())
    })
  }
})

describe('section 2.2: the form body', () => {
  const post = (contentType: string, body: string, method = 'POST'): Promise<Answer> =>
    started.ask(photos, { method, headers: { 'content-type': contentType }, body })

  test('RS-10: a form POST is taken', async () => {
    const answer = await started.ask(photos, { form: { access_token: token } })
    assert.deepEqual([answer.status, answer.body.items.length], [200, 3])
  })

  test('RS-10: any other content type is not', async () => {
    const form = `access_token=${token}`
    assert.equal((await post('text/plain', form)).status, 401)
    assert.equal((await post('multipart/form-data; boundary=x', form)).status, 401)
    assert.equal((await post('application/json', `{"access_token":"${token}"}`)).status, 401)
  })

  test('RS-10: a form that is not ASCII is not', async () => {
    const answer = await post(
      'application/x-www-form-urlencoded',
      `access_token=${token}&title=Fjäll`,
    )
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'])
  })

  test('RS-10: a method whose body means nothing is not', async () => {
    const answer = await started.ask(`${photos}/x`, {
      method: 'DELETE',
      form: { access_token: token },
    })
    assert.equal(answer.status, 401)
  })
})

describe('section 2.3: the query', () => {
  const byQuery = (headers = {}, query = `access_token=${token}`): Promise<Answer> =>
    started.ask(`${photos}?${query}`, { headers })

  test('RS-06: without Cache-Control: no-store it is refused', async () => {
    assert.deepEqual(challenged(await byQuery()), [
      400,
      `Bearer realm="latchkey", error="invalid_request", error_description="a request with access_token in its query has to carry Cache-Control: no-store", ${metadata()}`,
    ])
    assert.equal((await byQuery({ 'cache-control': 'no-cache' })).status, 400)
  })

  test('RS-07: with it, the answer is private and leaves no trace', async () => {
    for (const header of ['no-store', 'max-age=0, No-Store']) {
      const answer = await byQuery({ 'cache-control': header })
      assert.deepEqual([answer.status, answer.body.items.length], [200, 3])
      assert.equal(answer.headers.get('cache-control'), 'private, no-store')
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    }
  })

  test('RS-09: no token in a query ever reaches the log (section 5.3)', async () => {
    await byQuery({ 'cache-control': 'no-store' })
    await byQuery()
    await byQuery({ 'cache-control': 'no-store' }, 'access_token=lk_at_made-up')
    const log = JSON.stringify(started.notices)
    assert.match(log, /"route":"\/api\/:resource"/)
    assert.equal(log.includes(token), false)
    assert.equal(log.includes('made-up'), false)
  })
})

describe('section 3: the challenge', () => {
  test('RS-01: a request without a token is told that one is needed, and of no error', async () => {
    assert.deepEqual(challenged(await started.ask(photos)), noToken())
  })
})

describe('section 3.1: the error codes', () => {
  test('RS-02: a token that is unknown, altered or of another kind is invalid', async () => {
    const end = token.endsWith('A') ? 'B' : 'A'
    for (const wrong of ['x', 'lk_at_', `${token.slice(0, -5)}${end}AAAA`, `${token}x`]) {
      assert.deepEqual(challenged(await withHeader(`Bearer ${wrong}`)), badToken())
    }
    const form = { grant_type: 'password', username: 'alice', password: 'wonderland' }
    const { refresh_token } = (await started.post('/token', form, houseApp)).body
    const said = 'this is a refresh token (lk_rt_...), but an access token (lk_at_...) belongs here'
    assert.deepEqual(challenged(await withHeader(`Bearer ${refresh_token}`)), badToken(said))
  })

  test('a bearer token is taken under no other scheme (RFC 9449 section 7)', async () => {
    const said = 'the access token is bound to no key: send it as Bearer'
    for (const proof of [{ dpop: 'e30.e30.x' }, {}]) {
      const headers = { authorization: `DPoP ${token}`, ...proof }
      const answer = await started.ask(photos, { headers })
      assert.deepEqual(answer.body, { error: 'invalid_token', error_description: said })
      assert.equal(answer.status, 401)
    }
  })

  test('RS-02: a token that was revoked is invalid at once', async () => {
    const revoked = await tokenOf({})
    assert.equal((await withHeader(`Bearer ${revoked}`)).status, 200)
    await started.post('/revoke', { token: revoked }, houseApp)
    assert.deepEqual(challenged(await withHeader(`Bearer ${revoked}`)), badToken())
  })

  test('RS-02: a token that has expired is invalid, to the second', async () => {
    const brief = await tokenOf({})
    await started.advance(3599)
    assert.equal((await withHeader(`Bearer ${brief}`)).status, 200)
    await started.advance(1)
    assert.deepEqual(challenged(await withHeader(`Bearer ${brief}`)), badToken())
    token = await tokenOf({})
  })

  test('RS-03: a token that allows less is told what it would need', async () => {
    const reader = await tokenOf({ scope: 'photos:read' })
    const headers = { authorization: `Bearer ${reader}` }
    assert.deepEqual(challenged(await started.ask(photos, { headers, json: {} })), [
      403,
      `Bearer realm="latchkey", error="insufficient_scope", error_description="the access token does not allow this", scope="photos:write", ${metadata()}`,
    ])
    assert.equal((await started.ask(`${photos}/x`, { headers })).status, 404)
    assert.equal((await started.ask(`${photos}/x`, { headers, method: 'DELETE' })).status, 403)
  })
})

describe('section 5.2: a token is for what it was issued for', () => {
  test('RS-11: one for another resource opens nothing here', async () => {
    const elsewhere = await tokenOf({ resource: `${started.issuer}/api/contacts` })
    const headers = { authorization: `Bearer ${elsewhere}` }
    assert.equal((await started.ask('/api/contacts', { headers })).status, 200)
    assert.equal((await started.ask(photos, { headers })).status, 401)
  })

  test("RS-16: an owner's token opens no door of the operator", async () => {
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await started.ask('/admin/api/clients', { headers })).status, 403)
  })
})
