/** A certificate that nobody showed in TLS, or somebody else's: it opens neither a client nor a token. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refusalLimits } from '../../src/events/limits.ts'
import { issueCertificate, makeAuthority } from '../support/authority.ts'
import {
  askFrom,
  askShown,
  authority,
  clientCertificate,
  keyOf,
  organization,
  otherCertificate,
  postShown,
  proxied,
  shown,
  subjectName,
} from '../support/mutual-tls.ts'
import { register } from '../support/registered.ts'
import { type Answer, basic, start, startBefore } from '../support/start.ts'

const service = startBefore(() => start({ ...proxied, clientCa: [authority.base64] }))

const own = { grant_type: 'client_credentials' }
const machine = { grant_types: ['client_credentials'], response_types: [], scope: 'photos:read' }
const byName = {
  ...machine,
  token_endpoint_auth_method: 'tls_client_auth',
  tls_client_auth_subject_dn: subjectName,
}
const bound = { ...machine, tls_client_certificate_bound_access_tokens: true }

const refusedAs = ({ status, body }: Answer) => [status, body.error]
const notAuthenticated = [401, 'invalid_client']

const assertNobody = (answer: Answer): void => {
  assert.deepEqual(refusedAs(answer), notAuthenticated)
  // Whatever was wrong with the certificate, a stranger learns nothing of the client.
  assert.equal(answer.body.error_description, 'client authentication failed')
}

describe('the certificate is public, so anybody can write it into a header', () => {
  const asStranger = (headers: Readonly<Record<string, string>>, id: string) =>
    askFrom(service, '127.0.0.9', '/token', { form: { ...own, client_id: id }, headers })

  test('a stranger is not believed: neither for a name, nor for a registered certificate', async () => {
    const named = await register(service, byName)
    const selfSigned = await register(service, {
      ...machine,
      token_endpoint_auth_method: 'self_signed_tls_client_auth',
      jwks: { keys: [await keyOf(clientCertificate)] },
    })
    for (const { id } of [named, selfSigned]) {
      assertNobody(await asStranger(shown(clientCertificate), id))
      const claimed = { ...shown(clientCertificate), 'x-forwarded-for': '127.0.0.1' }
      assertNobody(await asStranger(claimed, id))
      // The same request from the proxy is right.
      const form = { ...own, client_id: id }
      assert.equal((await postShown(service, form, clientCertificate)).status, 200)
    }
  })

  test('other headers of other proxies mean nothing', async () => {
    const { id } = await register(service, byName)
    const pem = encodeURIComponent(clientCertificate.pem)
    for (const name of ['x-ssl-client-cert', 'x-client-cert', 'ssl-client-cert', 'client_cert']) {
      const form = { ...own, client_id: id }
      const headers = { [name]: name.startsWith('x-ssl') ? pem : clientCertificate.header }
      assertNobody(await service.ask('/token', { form, headers }))
    }
  })

  test('a stranger uses no bound token, and binds none', async () => {
    const { credentials } = await register(service, bound)
    const authorization = basic(credentials)
    const got = await postShown(service, own, clientCertificate, { authorization })
    const headers = {
      authorization: `Bearer ${got.body.access_token}`,
      ...shown(clientCertificate),
    }
    const read = await askFrom(service, '127.0.0.9', '/api/photos', { headers })
    assert.deepEqual(refusedAs(read), [401, 'invalid_token'])
    const asked = { form: own, headers: { authorization, ...shown(clientCertificate) } }
    const bind = await askFrom(service, '127.0.0.9', '/token', asked)
    assert.deepEqual(refusedAs(bind), [400, 'invalid_request'])
  })

  test('a malformed header of a stranger is not even looked at', async () => {
    const { credentials } = await register(service, machine)
    const headers = { authorization: basic(credentials), 'client-cert': 'x'.repeat(20_000) }
    const answer = await askFrom(service, '127.0.0.9', '/token', { form: own, headers })
    assert.equal(answer.status, 200)
  })
})

describe('two headers, one of the attacker and one of the proxy', () => {
  for (const [name, header] of [
    ['the attacker first', `${clientCertificate.header}, ${otherCertificate.header}`],
    ['the proxy first', `${otherCertificate.header}, ${clientCertificate.header}`],
    ['without a blank', `${clientCertificate.header},${otherCertificate.header}`],
    ['with a parameter', `${clientCertificate.header};a=${otherCertificate.header}`],
  ] as const) {
    test(`are refused: ${name}`, async () => {
      const { id } = await register(service, byName)
      const form = { ...own, client_id: id }
      const answer = await service.ask('/token', { form, headers: { 'client-cert': header } })
      assert.deepEqual(refusedAs(answer), notAuthenticated)
    })
  }

  test('a malformed one disturbs no client of another method, also without a secret', async () => {
    const { id } = await register(service, {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    })
    const form = { grant_type: 'refresh_token', refresh_token: 'lk_rt_x', client_id: id }
    const right = clientCertificate.header
    for (const headers of [
      { 'client-cert': right, 'client-cert-chain': 'x' },
      { 'client-cert': `${right}, ${right}` },
    ]) {
      const answer = await service.ask('/token', { form, headers })
      assert.deepEqual(refusedAs(answer), [400, 'invalid_grant'])
    }
  })

  test('a chain without a certificate proves nobody', async () => {
    const { id } = await register(service, byName)
    const form = { ...own, client_id: id }
    const headers = { 'client-cert-chain': clientCertificate.header }
    assertNobody(await service.ask('/token', { form, headers }))
  })
})

describe('a certificate of somebody else', () => {
  const subject = [...organization, ['CN', 'client']] as const

  for (const [name, leaf, between] of [
    ['the same name under another authority', { subject, by: makeAuthority('other') }, []],
    [
      'the same name under another authority of the same name',
      { subject, by: makeAuthority('authority of the operator') },
      [],
    ],
    ['the same name, signed by itself', { subject }, []],
    [
      'the same name, signed by another client',
      { subject, by: otherCertificate },
      [otherCertificate],
    ],
  ] as const) {
    test(`proves nobody: ${name}`, async () => {
      const { id } = await register(service, byName)
      const form = { ...own, client_id: id }
      const headers = shown(issueCertificate(leaf), ...between)
      assertNobody(await service.ask('/token', { form, headers }))
    })
  }

  for (const [name, parts] of [
    ['in another order', [['CN', 'client'], ...organization.toReversed()]],
    ['the whole name as one value', [['CN', subjectName]]],
    ['with a further part', [...organization, ['OU', 'x'], ['CN', 'client']]],
    ['with NUL', [...organization, ['CN', 'client\0']]],
    ['another client', [...organization, ['CN', 'other']]],
  ] as const) {
    test(`proves nobody under the right authority: ${name}`, async () => {
      const { id } = await register(service, byName)
      const leaf = issueCertificate({ subject: [...parts], by: authority })
      assertNobody(await postShown(service, { ...own, client_id: id }, leaf))
    })
  }

  test('is not checked any more after many refused ones of one client at one address', async () => {
    const { id } = await register(service, byName)
    const { id: another } = await register(service, byName)
    const stranger = issueCertificate({ subject, by: makeAuthority('other') })
    const post = async (client_id: string, leaf = clientCertificate, visitor = '192.0.2.7') => {
      const from = { 'x-forwarded-for': visitor }
      return (await postShown(service, { ...own, client_id }, leaf, from)).status
    }
    for (let n = 0; n < refusalLimits.refusedAssertions; n++) {
      assert.equal(await post(id, stranger), 401)
    }
    assert.equal(await post(id), 429)
    assert.equal(await post(another), 200)
    assert.equal(await post(id, clientCertificate, '192.0.2.8'), 200)
    await service.advance(60)
    assert.equal(await post(id), 200)
  })

  test('the right certificate proves no other client', async () => {
    const { id } = await register(service, {
      ...byName,
      tls_client_auth_subject_dn: 'CN=other\\,client,O=Example\\, Inc.,C=NL',
    })
    assertNobody(await postShown(service, { ...own, client_id: id }, clientCertificate))
  })

  test('a certificate is no secret of a client with one', async () => {
    const { id } = await register(service, machine)
    const answer = await postShown(service, { ...own, client_id: id }, clientCertificate)
    assert.deepEqual(refusedAs(answer), notAuthenticated)
  })
})

describe('a stolen bound token', () => {
  test('is worth nothing without the certificate, or with another one', async () => {
    const { credentials } = await register(service, bound)
    const headers = { authorization: basic(credentials) }
    const { body } = await postShown(service, own, clientCertificate, headers)
    const token = body.access_token
    const fresh = issueCertificate({ subject: [...organization, ['CN', 'client']], by: authority })
    for (const leaf of [null, otherCertificate, fresh]) {
      const answer = await askShown(service, '/api/photos', token, leaf)
      assert.deepEqual(refusedAs(answer), [401, 'invalid_token'])
    }
    const form = { access_token: token }
    const posted = await service.ask('/api/photos', { form })
    assert.deepEqual(refusedAs(posted), [401, 'invalid_token'])
    const asked = await service.ask(`/api/photos?access_token=${token}`, {
      headers: { 'cache-control': 'no-store' },
    })
    assert.deepEqual(refusedAs(asked), [401, 'invalid_token'])
    assert.equal((await askShown(service, '/api/photos', token, clientCertificate)).status, 200)
  })
})

test('no certificate is in the log', async () => {
  const { id } = await register(service, byName)
  const answer = await postShown(service, { ...own, client_id: id }, otherCertificate)
  const told = JSON.stringify(service.notices)
  assert.equal(told.includes(otherCertificate.base64.slice(0, 100)), false)
  const logged = service.notices.findLast(({ requestId }) => requestId === answer.reference)
  assert.equal(logged?.reason, 'certificate_name')
})
