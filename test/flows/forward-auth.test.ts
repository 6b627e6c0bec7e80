/** Forward auth: a proxy asks before it lets a request through to an API behind it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { housekeepingLimits } from '../../src/housekeeping.ts'
import { parameterLimits } from '../../src/protocol/parameters.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { start, startBefore } from '../support/start.ts'
import { type Operator, operatorOf } from './operator.ts'

const uri = 'https://orders.example.com/v1'
const password = 'correct horse battery'
let operator: Operator
let trusted: readonly [string, string]
const started = startBefore(
  () => start({ trustedProxies: ['10.0.0.0/8'] }),
  async () => {
    operator = await operatorOf(started)
    const orders = { name: 'orders', title: 'Orders', read: 'See', write: 'Change' }
    const created = await operator('POST', 'resources', {
      ...orders,
      actions: { refund: 'Refund' },
      uri,
    })
    assert.equal(created.status, 201, created.text)
    const client = await operator('POST', 'clients', {
      client_name: 'House',
      grant_types: ['password', 'refresh_token'],
      scope: 'orders orders:refund photos',
      trusted: true,
    })
    trusted = [client.body.client_id, client.body.client_secret]
  },
)

/** A person of their own, and a token of the trusted client. */
const tokenOf = async (username: string, scope: string): Promise<string> => {
  await operator('POST', 'owners', { username, password })
  const form = { grant_type: 'password', username, password, scope }
  const { body, text } = await started.post('/token', form, trusted)
  assert.ok(body.access_token, text)
  return body.access_token
}

const question = (scope: string, resource = uri): string =>
  `/forward-auth?${new URLSearchParams({ resource, scope })}`

/** A question of a proxy, and its whole answer. */
const ask = async (path: string, authorization?: string, peer = '127.0.0.1') => {
  const headers = authorization === undefined ? {} : { authorization }
  const request = new Request(started.issuer + path, { headers })
  const answer = await started.server().fetch(request, peer)
  const remote = [...answer.headers].filter(([name]) => name.startsWith('remote-'))
  return {
    status: answer.status,
    remote: Object.fromEntries(remote),
    challenge: answer.headers.get('www-authenticate'),
    text: await answer.text(),
    headers: answer.headers,
  }
}

const metadata =
  'resource_metadata="https://orders.example.com/.well-known/oauth-protected-resource/v1"'

describe('a token that allows it', () => {
  test('is let through, with who it is for', async () => {
    const token = await tokenOf('hatter', 'orders:read orders:refund photos')
    const told = (await started.post('/introspect', { token }, trusted)).body
    const { status, remote, text, headers } = await ask(question('orders:read'), `Bearer ${token}`)
    assert.deepEqual([status, text, headers.get('cache-control')], [200, '', 'no-store'])
    assert.deepEqual(remote, {
      'remote-user': 'hatter',
      'remote-subject': told.sub,
      'remote-client': trusted[0],
      'remote-scope': 'orders:read orders:refund',
    })
  })

  test('of a built-in resource is let through as well; of a client it names no owner', async () => {
    const form = { grant_type: 'client_credentials', scope: 'photos:read' }
    const { body } = await started.post('/token', form, nightlyReport)
    const photos = question('photos:read', `${started.issuer}/api/photos`)
    const { status, remote } = await ask(photos, `Bearer ${body.access_token}`)
    assert.equal(status, 200)
    assert.deepEqual(remote, {
      'remote-subject': 'nightly-report',
      'remote-client': 'nightly-report',
      'remote-scope': 'photos:read',
    })
  })

  test('of somebody with another alphabet fits a header', async () => {
    const token = await tokenOf('爱丽丝 %20', 'orders:read')
    const { remote } = await ask(question('orders:read'), `Bearer ${token}`)
    assert.equal(remote['remote-user'], '%E7%88%B1%E4%B8%BD%E4%B8%9D%20%2520')
    assert.equal(decodeURIComponent(remote['remote-user'] ?? ''), '爱丽丝 %20')
  })

  test('is a use that its owner sees', async () => {
    const token = await tokenOf('march hare', 'orders')
    const { body } = await started.post('/introspect', { token }, trusted)
    await started.advance(60)
    const at = started.now()
    await ask(question('orders:read'), `Bearer ${token}`)
    await started.advance(housekeepingLimits.usesFlushSeconds)
    const { store } = started.server()
    const { rows } = await store.listAuthorizations({ ownerId: body.sub }, null, 10, started.now())
    assert.deepEqual(
      rows.map(({ lastUsedAt }) => lastUsedAt),
      [at],
    )
  })

  test('is refused while its application is paused', async () => {
    const token = await tokenOf('dormouse', 'orders')
    const status = async () => (await ask(question('orders:read'), `Bearer ${token}`)).status
    const { body } = await operator('GET', `authorizations?client=${trusted[0]}&limit=100`)
    const { id } = body.items.find((one: { username: string }) => one.username === 'dormouse')
    await operator('PATCH', `authorizations/${id}`, { paused: true })
    assert.equal(await status(), 401)
    await operator('PATCH', `authorizations/${id}`, { paused: false })
    assert.equal(await status(), 200)
  })

  test('is refused once it is revoked', async () => {
    const token = await tokenOf('dormouse', 'orders:read')
    assert.equal((await ask(question('orders:read'), `Bearer ${token}`)).status, 200)
    await started.post('/revoke', { token }, trusted)
    assert.equal((await ask(question('orders:read'), `Bearer ${token}`)).status, 401)
  })
})

describe('a request that may not pass', () => {
  test('without a token learns which scope is needed', async () => {
    const { status, challenge, text, remote } = await ask(question('orders:read'))
    assert.deepEqual(
      [status, Object.keys(JSON.parse(text)), remote],
      [401, ['latchkey_reference'], {}],
    )
    assert.equal(challenge, `Bearer realm="latchkey", scope="orders:read", ${metadata}`)
  })

  const rows: [string, string][] = [
    ['an unknown token', 'Bearer lk_at_x'],
    ['a token in another scheme', 'Basic lk_at_x'],
    ['two tokens', 'Bearer lk_at_x, Bearer lk_at_y'],
    ['a token that is too long', `Bearer lk_at_${'x'.repeat(parameterLimits.tokenCharacters)}`],
    ['nothing behind the scheme', 'Bearer'],
  ]
  for (const [name, authorization] of rows) {
    test(`${name}: 401 with a challenge, since proxies know no other status`, async () => {
      const { status, challenge, remote } = await ask(question('orders:read'), authorization)
      assert.deepEqual([status, remote], [401, {}])
      assert.match(challenge ?? '', /^Bearer realm="latchkey", /)
      assert.ok(challenge?.endsWith(metadata))
    })
  }

  test('a token for another resource is refused', async () => {
    const token = await tokenOf('knave', 'photos')
    const { status, challenge, remote } = await ask(question('orders:read'), `Bearer ${token}`)
    assert.deepEqual([status, remote], [401, {}])
    assert.equal(
      challenge,
      `Bearer realm="latchkey", error="invalid_token", error_description="the access token is not for ${uri}", scope="orders:read", ${metadata}`,
    )
  })

  test('a token that lacks one of several permissions learns all of them', async () => {
    const token = await tokenOf('queen', 'orders:read')
    const both = question('orders:read orders:refund')
    const { status, challenge, remote } = await ask(both, `Bearer ${token}`)
    assert.deepEqual([status, remote], [403, {}])
    assert.equal(
      challenge,
      `Bearer realm="latchkey", error="insufficient_scope", error_description="the access token does not allow this", scope="orders:read orders:refund", ${metadata}`,
    )
  })

  test('a bare name asks for reading and writing', async () => {
    const token = await tokenOf('king', 'orders:read')
    assert.equal((await ask(question('orders'), `Bearer ${token}`)).status, 403)
  })
})

describe('a wrong question never lets anybody through', () => {
  const rows: [string, string, number, string][] = [
    ['an unknown resource', question('orders:read', 'https://else.example'), 400, 'invalid_target'],
    ['another spelling of it', question('orders:read', `${uri}/`), 400, 'invalid_target'],
    ['the service itself', question('orders:read', 'http://127.0.0.1:6749'), 400, 'invalid_target'],
    [
      'the admin API',
      question('clients:read', 'http://127.0.0.1:6749/admin/api'),
      400,
      'invalid_target',
    ],
    ['no resource', '/forward-auth?scope=orders:read', 400, 'invalid_request'],
    ['no scope', `/forward-auth?resource=${encodeURIComponent(uri)}`, 400, 'invalid_request'],
    ['an empty scope', question(''), 400, 'invalid_request'],
    ['a scope of nothing', question(' '), 400, 'invalid_scope'],
    ['two scopes', `${question('orders:read')}&scope=orders:write`, 400, 'invalid_request'],
    ['a permission of another resource', question('photos:read'), 400, 'invalid_scope'],
    ['one of it beside a right one', question('orders:read photos:read'), 400, 'invalid_scope'],
    ['an unknown permission', question('orders:eat'), 400, 'invalid_scope'],
    ['two resources', `${question('orders:read')}&resource=x`, 400, 'invalid_request'],
  ]
  for (const [name, path, status, error] of rows) {
    test(name, async () => {
      const token = await tokenOf(`asks ${name}`, 'orders photos')
      const answer = await ask(path, `Bearer ${token}`)
      assert.deepEqual([answer.status, JSON.parse(answer.text).error], [status, error])
      assert.deepEqual(answer.remote, {})
    })
  }
})

describe('who may ask', () => {
  for (const peer of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3']) {
    test(`${peer}: this machine, or a trusted proxy`, async () => {
      assert.equal((await ask(question('orders:read'), undefined, peer)).status, 401)
    })
  }

  for (const peer of ['203.0.113.9', '2001:db8::1', '']) {
    test(`${peer || 'an unknown address'}: nobody else, whatever the token`, async () => {
      const token = await tokenOf(`from ${peer || 'nowhere'}`, 'orders')
      const answer = await ask(question('orders:read'), `Bearer ${token}`, peer)
      assert.deepEqual([answer.status, answer.remote], [403, {}])
      const { latchkey_reference: reference, ...told } = JSON.parse(answer.text)
      assert.equal(typeof reference, 'string')
      assert.deepEqual(told, {
        error: 'access_denied',
        error_description:
          'only this machine and the proxies of LATCHKEY_TRUSTED_PROXIES may ask here, and not by way of the public host name',
      })
    })
  }

  test('a forwarded address makes nobody a proxy', async () => {
    const headers = { 'x-forwarded-for': '127.0.0.1' }
    const request = new Request(started.issuer + question('orders:read'), { headers })
    assert.equal((await started.server().fetch(request, '203.0.113.9')).status, 403)
  })

  test('under any host name, since proxies ask by the address of a node', async () => {
    const request = new Request(`http://latchkey.internal:6749${question('orders:read')}`)
    assert.equal((await started.server().fetch(request, '10.0.0.1')).status, 401)
  })
})

describe('through a public proxy of the service', () => {
  const behind = startBefore(() =>
    start({ issuer: 'https://login.example.com', trustedProxies: ['10.0.0.0/8'] }),
  )

  const statusOf = async (host: string, headers: Record<string, string>, peer: string) => {
    const request = new Request(`http://${host}${question('photos:read')}`, { headers })
    return (await behind.server().fetch(request, peer)).status
  }

  for (const peer of ['127.0.0.1', '10.0.0.1']) {
    for (const header of ['X-Forwarded-For', 'X-Real-IP', 'Forwarded']) {
      test(`${peer} with ${header}: nobody may ask under the host name of the issuer`, async () => {
        assert.equal(await statusOf('Login.example.com', { [header]: '203.0.113.9' }, peer), 403)
        assert.equal(await statusOf('login.example.com:443', { [header]: 'for=x' }, peer), 403)
      })
    }
  }

  test('under another name, and without such a header, it answers', async () => {
    const forwarded = { 'X-Forwarded-For': '203.0.113.9' }
    // The resource is unknown here.
    assert.equal(await statusOf('orders.example.com', forwarded, '10.0.0.1'), 400)
    assert.equal(await statusOf('login.example.com', {}, '127.0.0.1'), 400)
  })
})

test('many wrong tokens of one visitor lock nobody else out', async () => {
  for (let i = 0; i <= defaultLimits.refusalsPerMinute; i++)
    await ask(question('orders:read'), 'Bearer x')
  assert.equal((await ask(question('orders:read'), 'Bearer x')).status, 401)
})
