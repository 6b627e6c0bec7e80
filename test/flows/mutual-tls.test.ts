/** Clients with a certificate in TLS, and tokens that are bound to it (RFC 8705). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { hashCertificate } from '../../src/crypto/certificate.ts'
import { issueCertificate, makeAuthority } from '../support/authority.ts'
import { latchkeyAdmin } from '../support/demo-clients.ts'
import { makeProver } from '../support/dpop.ts'
import { challenge, verifier } from '../support/gallery.ts'
import {
  askShown,
  authority,
  clientCertificate,
  keyOf,
  otherCertificate,
  postShown,
  proxied,
  shown,
  subjectName,
} from '../support/mutual-tls.ts'
import { codeRequest, obtainCode } from '../support/printing.ts'
import { register, tryRegister } from '../support/registered.ts'
import { openSite } from '../support/site.ts'
import { type Answer, basic, type Started, start, startBefore } from '../support/start.ts'
import { introspect } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

const mtlsUrl = 'https://mtls.example:8443'
const settings = { ...proxied, clientCa: [authority.base64], mtlsUrl }
const service = startBefore(() => start(settings))

const own = { grant_type: 'client_credentials' }
const machine = { grant_types: ['client_credentials'], response_types: [], scope: 'photos:read' }
const bound = { tls_client_certificate_bound_access_tokens: true }
const thumbprint = hashCertificate(clientCertificate.der)

const metadataOf = async (started: Pick<Started, 'ask'>) =>
  (await started.ask('/.well-known/oauth-authorization-server')).body

/** RFC 9728 section 2. */
const resourceMetadataOf = async (started: Pick<Started, 'ask'>) =>
  (await started.ask('/.well-known/oauth-protected-resource/api/photos')).body

const refusedAs = ({ status, body }: Answer) => [status, body.error]

const reasonOf = async (started: Started, answer: Answer): Promise<unknown> =>
  started.notices.findLast(({ requestId }) => requestId === answer.reference)?.reason

describe('the metadata', () => {
  test('name the methods, the bound tokens and the other endpoints', async () => {
    const document = await metadataOf(service)
    assert.equal(document.tls_client_certificate_bound_access_tokens, true)
    for (const endpoint of ['token', 'introspection']) {
      const methods = document[`${endpoint}_endpoint_auth_methods_supported`]
      assert.ok(methods.includes('tls_client_auth'))
      assert.ok(methods.includes('self_signed_tls_client_auth'))
    }
    const aliases = document.mtls_endpoint_aliases
    assert.equal(aliases.token_endpoint, `${mtlsUrl}/token`)
    assert.equal(aliases.userinfo_endpoint, `${mtlsUrl}/userinfo`)
    assert.equal(aliases.pushed_authorization_request_endpoint, `${mtlsUrl}/par`)
    assert.equal('authorization_endpoint' in aliases, false)
    for (const [member, url] of Object.entries<string>(aliases)) {
      assert.equal(url.replace(mtlsUrl, service.issuer), document[member])
    }
  })

  test('name nothing of that where no proxy is trusted', async () => {
    const alone = await start({ clientCa: [authority.base64] })
    try {
      const document = await metadataOf(alone)
      assert.equal('tls_client_certificate_bound_access_tokens' in document, false)
      assert.equal('mtls_endpoint_aliases' in document, false)
      assert.doesNotMatch(JSON.stringify(document), /tls_client_auth/)
      for (const method of ['tls_client_auth', 'self_signed_tls_client_auth']) {
        const { status } = await tryRegister(alone, { token_endpoint_auth_method: method })
        assert.equal(status, 400)
      }
    } finally {
      await alone.close()
    }
  })

  test('name no tls_client_auth without an authority', async () => {
    const without = await start(proxied)
    try {
      const methods = (await metadataOf(without)).token_endpoint_auth_methods_supported
      assert.ok(!methods.includes('tls_client_auth'))
      assert.ok(methods.includes('self_signed_tls_client_auth'))
    } finally {
      await without.close()
    }
  })

  test('the host of the other endpoints is answered', async () => {
    const asked = await service.ask(`${mtlsUrl.replace('https', 'http')}/jwks`)
    assert.equal(asked.status, 200)
    assert.equal((await service.ask('http://other.example/jwks')).status, 421)
  })

  test('a DPoP proof may be for one of them', async () => {
    const { id, secret } = await register(service, machine)
    const prover = await makeProver(service.now)
    const proof = await prover.prove('POST', `${mtlsUrl}/token`)
    const headers = { authorization: basic([id, secret]), dpop: proof }
    const answer = await service.ask('/token', { form: own, headers })
    assert.equal(answer.body.token_type, 'DPoP', answer.text)
  })
})

describe('tls_client_auth', () => {
  const byName = (member: object) => ({
    ...machine,
    token_endpoint_auth_method: 'tls_client_auth',
    ...member,
  })

  test('proves a client by its subject, at each endpoint', async () => {
    const { id, body } = await register(
      service,
      byName({ tls_client_auth_subject_dn: subjectName }),
    )
    assert.equal(body.tls_client_auth_subject_dn, subjectName)
    assert.equal('client_secret' in body, false)
    const answer = await postShown(service, { ...own, client_id: id }, clientCertificate)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.token_type, 'Bearer')
    const form = { token: answer.body.access_token, client_id: id }
    const asked = await service.ask('/introspect', { form, headers: shown(clientCertificate) })
    assert.equal(asked.body.active, true)
    assert.equal('cnf' in asked.body, false)
    const ended = await service.ask('/revoke', { form, headers: shown(clientCertificate) })
    assert.equal(ended.status, 200)
  })

  test('takes what came with the certificate', async () => {
    const middle = makeAuthority('middle', authority, 0)
    const leaf = issueCertificate({ subject: [['CN', 'deep']], by: middle })
    const { id } = await register(service, byName({ tls_client_auth_subject_dn: 'CN=deep' }))
    const form = { ...own, client_id: id }
    const whole = await service.ask('/token', { form, headers: shown(leaf, middle) })
    assert.equal(whole.status, 200, whole.text)
    const alone = await service.ask('/token', { form, headers: shown(leaf) })
    assert.deepEqual(refusedAs(alone), [401, 'invalid_client'])
  })

  test('ends with the certificate, by the clock of the service', async () => {
    const until = new Date((service.now() + 3600) * 1000)
    const leaf = issueCertificate({ subject: [['CN', 'short']], by: authority, until })
    const { id } = await register(service, byName({ tls_client_auth_subject_dn: 'CN=short' }))
    const form = { ...own, client_id: id }
    assert.equal((await postShown(service, form, leaf)).status, 200)
    service.pass(3601)
    const late = await postShown(service, form, leaf)
    assert.deepEqual(refusedAs(late), [401, 'invalid_client'])
  })

  test('refuses a request without a certificate, and one with a secret', async () => {
    const { id } = await register(service, byName({ tls_client_auth_subject_dn: subjectName }))
    const form = { ...own, client_id: id }
    const bare = await postShown(service, form, null)
    assert.deepEqual(bare.body, {
      error: 'invalid_client',
      error_description: 'client authentication failed',
    })
    const headers = { authorization: basic([id, 'a-secret']) }
    const secret = await postShown(service, own, clientCertificate, headers)
    assert.deepEqual(refusedAs(secret), [401, 'invalid_client'])
  })

  test('a client with a secret may stand in such a connection', async () => {
    const { credentials } = await register(service, machine)
    const headers = { authorization: basic(credentials) }
    const answer = await postShown(service, own, clientCertificate, headers)
    assert.equal(answer.body.token_type, 'Bearer', answer.text)
  })

  const rows: readonly [string, object][] = [
    ['no name', {}],
    ['two names', { tls_client_auth_subject_dn: 'CN=a', tls_client_auth_san_dns: 'a.example' }],
    ['a malformed name', { tls_client_auth_subject_dn: 'client' }],
    ['a wildcard', { tls_client_auth_san_dns: '*.example' }],
    ['no address', { tls_client_auth_san_ip: 'a.example' }],
  ]
  for (const [name, members] of rows) {
    test(`is not registered with ${name}`, async () => {
      const answer = await tryRegister(service, byName(members))
      assert.deepEqual(refusedAs(answer), [400, 'invalid_client_metadata'])
    })
  }

  test('an operator registers it, too', async () => {
    const operator = await operatorOf(service)
    const members = byName({ tls_client_auth_subject_dn: subjectName })
    const made = await operator('POST', 'clients', { client_id: 'by-operator', ...members })
    assert.equal(made.status, 201, made.text)
    const form = { ...own, client_id: 'by-operator' }
    assert.equal((await postShown(service, form, clientCertificate)).status, 200)
    const changed = await operator('PATCH', 'clients/by-operator', {
      tls_client_auth_subject_dn: null,
      tls_client_auth_san_dns: 'a.example',
    })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await postShown(service, form, clientCertificate)).status, 401)
  })
})

describe('self_signed_tls_client_auth', () => {
  const selfSigned = issueCertificate({ subject: [['CN', 'anything']] })
  const method = { ...machine, token_endpoint_auth_method: 'self_signed_tls_client_auth' }

  test('proves a client by the very certificate in its keys', async () => {
    const jwks = { keys: [await keyOf(otherCertificate), await keyOf(selfSigned)] }
    const { id, body } = await register(service, { ...method, jwks })
    assert.deepEqual(body.jwks, jwks)
    const form = { ...own, client_id: id }
    assert.equal((await postShown(service, form, selfSigned)).status, 200)
    const twin = issueCertificate({ subject: [['CN', 'anything']], keys: selfSigned })
    for (const wrong of [clientCertificate, twin, null]) {
      assert.deepEqual(refusedAs(await postShown(service, form, wrong)), [401, 'invalid_client'])
    }
  })

  test('an authority in x5c proves nobody', async () => {
    const key = await keyOf(clientCertificate)
    const jwks = { keys: [{ ...key, x5c: [...key.x5c, authority.base64] }] }
    const { id } = await register(service, { ...method, jwks })
    const answer = await postShown(service, { ...own, client_id: id }, authority)
    assert.deepEqual(refusedAs(answer), [401, 'invalid_client'])
  })

  test('finds the keys at jwks_uri', async () => {
    const keys = JSON.stringify({ keys: [await keyOf(selfSigned)] })
    const site = await openSite((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(keys)
    })
    try {
      const uri = `http://127.0.0.1:${site.port}/keys`
      const { id } = await register(service, { ...method, jwks_uri: uri })
      const form = { ...own, client_id: id }
      assert.equal((await postShown(service, form, selfSigned)).status, 200)
      const wrong = await postShown(service, form, clientCertificate)
      assert.deepEqual(refusedAs(wrong), [401, 'invalid_client'])
    } finally {
      await site.close()
    }
  })

  test('a certificate that has expired proves nobody', async () => {
    const until = new Date((service.now() - 1) * 1000)
    const old = issueCertificate({ subject: [['CN', 'old']], until })
    const { id } = await register(service, { ...method, jwks: { keys: [await keyOf(old)] } })
    const answer = await postShown(service, { ...own, client_id: id }, old)
    assert.deepEqual(refusedAs(answer), [401, 'invalid_client'])
  })

  test('is not registered with keys without x5c', async () => {
    const { x5c: _, ...key } = await keyOf(selfSigned)
    for (const members of [{}, { jwks: { keys: [key] } }]) {
      const answer = await tryRegister(service, { ...method, ...members })
      assert.deepEqual(refusedAs(answer), [400, 'invalid_client_metadata'])
    }
  })

  test('x5c that is no base64 is refused', async () => {
    const key = await keyOf(selfSigned)
    for (const x5c of [['-----BEGIN'], [7], Array(6).fill(key.x5c[0])]) {
      const answer = await tryRegister(service, { ...method, jwks: { keys: [{ ...key, x5c }] } })
      assert.deepEqual(refusedAs(answer), [400, 'invalid_client_metadata'])
    }
  })
})

describe('bound tokens', () => {
  const obtain = async (client: readonly [string, string]): Promise<string> => {
    const headers = { authorization: basic(client) }
    const { status, body, text } = await postShown(service, own, clientCertificate, headers)
    assert.equal(status, 200, text)
    assert.equal(body.token_type, 'Bearer')
    return body.access_token
  }

  test('need the same certificate at the API; introspection names it', async () => {
    const { credentials, body } = await register(service, { ...machine, ...bound })
    assert.equal(body.tls_client_certificate_bound_access_tokens, true)
    const token = await obtain(credentials)
    assert.equal((await askShown(service, '/api/photos', token, clientCertificate)).status, 200)
    assert.equal(
      (await resourceMetadataOf(service)).tls_client_certificate_bound_access_tokens,
      true,
    )
    for (const [leaf, scheme] of [
      [null, 'Bearer'],
      [otherCertificate, 'Bearer'],
      [clientCertificate, 'DPoP'],
    ] as const) {
      const answer = await askShown(service, '/api/photos', token, leaf, scheme)
      assert.deepEqual(refusedAs(answer), [401, 'invalid_token'])
      const challenge = answer.headers.get('www-authenticate') ?? ''
      assert.match(challenge, new RegExp(`^${scheme} .*error="invalid_token"`))
    }
    const told = await introspect(service, token, credentials)
    assert.deepEqual([told.token_type, told.cnf], ['Bearer', { 'x5t#S256': thumbprint }])
  })

  test('are never issued without a certificate', async () => {
    const { credentials } = await register(service, { ...machine, ...bound })
    const bare = await service.post('/token', own, credentials)
    assert.deepEqual(refusedAs(bare), [400, 'invalid_request'])
    assert.match(bare.body.error_description, /certificate/)
  })

  test('any certificate will do for a client with a secret, each for its own tokens', async () => {
    const { credentials } = await register(service, { ...machine, ...bound })
    const selfSigned = issueCertificate({ subject: [['CN', 'fresh']] })
    const headers = { authorization: basic(credentials) }
    const { body } = await postShown(service, own, selfSigned, headers)
    assert.equal(
      (await askShown(service, '/api/photos', body.access_token, selfSigned)).status,
      200,
    )
  })

  test('open userinfo and the admin API with the certificate alone', async () => {
    const operator = await operatorOf(service)
    const made = await operator('POST', 'clients', {
      client_id: 'bound-admin',
      grant_types: ['client_credentials'],
      scope: 'clients:read',
      ...bound,
    })
    assert.equal(made.status, 201, made.text)
    const admin = await obtain(['bound-admin', made.body.client_secret])
    const client = await register(service, {
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'photos:read',
      ...bound,
    })
    const asked = { ...codeRequest, client_id: client.id, redirect_uri: client.redirectUri }
    const code = await obtainCode(service, { ...asked, scope: 'openid photos:read' })
    const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri }
    const headers = { authorization: basic(client.credentials) }
    const owners = await postShown(service, form, clientCertificate, headers)
    for (const [path, token] of [
      ['/userinfo', owners.body.access_token],
      ['/admin/api/clients', admin],
    ]) {
      assert.equal((await askShown(service, path, token, clientCertificate)).status, 200)
      for (const wrong of [null, otherCertificate]) {
        assert.equal((await askShown(service, path, token, wrong)).status, 401)
      }
    }
    // The refresh token of a client that authenticates is not bound: its certificate may be renewed.
    const again = { grant_type: 'refresh_token', refresh_token: owners.body.refresh_token }
    const renewed = await postShown(service, again, otherCertificate, headers)
    assert.equal(renewed.status, 200, renewed.text)
    const told = await introspect(service, renewed.body.access_token, client.credentials)
    assert.deepEqual(told.cnf, { 'x5t#S256': hashCertificate(otherCertificate.der) })
  })

  test('a JWT carries the thumbprint', async () => {
    const operator = await operatorOf(service)
    const uri = 'https://orders.example'
    const orders = { name: 'orders', title: 'Orders', uri, access_token_format: 'jwt' }
    const made = await operator('POST', 'resources', { ...orders, read: 'See', write: 'Change' })
    assert.equal(made.status, 201, made.text)
    const client = await operator('POST', 'clients', {
      client_id: 'reader-of-orders',
      grant_types: ['client_credentials'],
      scope: 'orders:read',
      ...bound,
    })
    const token = await obtain(['reader-of-orders', client.body.client_secret])
    assert.deepEqual(decodeJwt(token).cnf, { 'x5t#S256': thumbprint })
    // The proxy passes on the headers of its visitor here, so no certificate counts.
    const question = `/forward-auth?${new URLSearchParams({ resource: uri, scope: 'orders:read' })}`
    const asked = await askShown(service, question, token, clientCertificate)
    assert.deepEqual(asked.status, 401)
    assert.match(
      asked.headers.get('www-authenticate') ?? '',
      /error="invalid_token", error_description="the access token is bound to a certificate, and none counts behind a proxy: bind tokens by DPoP, or let the API compare the certificate"/,
    )
  })

  test('stay bound through the family of a public client', async () => {
    const client = await register(service, {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'photos:read',
      ...bound,
    })
    const client_id = client.id
    const asked = { ...codeRequest, ...challenge, client_id, redirect_uri: client.redirectUri }
    const code = await obtainCode(service, asked)
    const grant = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri }
    const form = { ...grant, client_id, code_verifier: verifier }
    const bare = await postShown(service, form, null)
    assert.deepEqual(refusedAs(bare), [400, 'invalid_request'])
    const first = await postShown(service, form, clientCertificate)
    assert.equal(first.status, 200, first.text)
    const { refresh_token } = first.body
    const again = { grant_type: 'refresh_token', refresh_token, client_id }
    assert.deepEqual(refusedAs(await postShown(service, again, null)), [400, 'invalid_request'])
    const wrong = await postShown(service, again, otherCertificate)
    assert.deepEqual(refusedAs(wrong), [400, 'invalid_grant'])
    const right = await postShown(service, again, clientCertificate)
    assert.equal(right.status, 200, right.text)
  })

  test('know one kind of key: DPoP beside it is refused, and registered nowhere', async () => {
    const { credentials } = await register(service, { ...machine, ...bound })
    const prover = await makeProver(service.now)
    const dpop = await prover.prove('POST', `${service.issuer}/token`)
    const headers = { authorization: basic(credentials), dpop }
    for (const leaf of [clientCertificate, null]) {
      const answer = await postShown(service, own, leaf, headers)
      assert.deepEqual(refusedAs(answer), [400, 'invalid_request'])
      assert.match(answer.body.error_description, /DPoP/)
    }
    const front = { grant_types: ['implicit'], response_types: ['token'] }
    for (const members of [{ dpop_bound_access_tokens: true }, front]) {
      const answer = await tryRegister(service, { ...bound, ...members })
      assert.deepEqual(refusedAs(answer), [400, 'invalid_client_metadata'])
    }
  })

  test('a client that did not ask for it gets none', async () => {
    const headers = { authorization: basic(latchkeyAdmin) }
    const { body } = await postShown(service, own, clientCertificate, headers)
    assert.equal(
      (await askShown(service, '/admin/api/clients', body.access_token, null)).status,
      200,
    )
  })
})

describe('the explanation of a refused certificate', () => {
  // Only so many refusals of one network are kept at once.
  const service = startBefore(() => start(settings))

  const received = async (headers: Readonly<Record<string, string>>) => {
    const { id } = await register(service, {
      ...machine,
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: subjectName,
    })
    const { reference } = await service.ask('/token', { form: { ...own, client_id: id }, headers })
    const { body } = await (await operatorOf(service))('GET', `refusals/${reference}`)
    return [body.reason, body.received]
  }

  test('names its subject', async () => {
    assert.deepEqual(await received(shown(otherCertificate)), [
      'certificate_name',
      [{ name: 'Client-Cert', value: 'a certificate of CN=other,O=Example\\, Inc.,C=NL' }],
    ])
    const stranger = issueCertificate({ subject: [['CN', 'a, b\u00e4']], by: makeAuthority('x') })
    assert.deepEqual(await received(shown(stranger, clientCertificate)), [
      'certificate_authority',
      [
        { name: 'Client-Cert', value: 'a certificate of CN=a\\, b?' },
        { name: 'Client-Cert-Chain', value: 'certificates: 1' },
      ],
    ])
  })

  test('tells how long a malformed one is', async () => {
    assert.deepEqual(await received({ 'client-cert': ':AQID:' }), [
      'malformed_certificate',
      [{ name: 'Client-Cert', value: 'a text of 6 characters' }],
    ])
  })
})

describe('a malformed header of the proxy', () => {
  const malformed = { 'client-cert': clientCertificate.pem.replaceAll('\n', ' ') }

  test('is told to a client that counts on the certificate', async () => {
    const { id } = await register(service, {
      ...machine,
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: subjectName,
    })
    for (const headers of [malformed, { 'client-cert': ':AQID:' }]) {
      const answer = await service.ask('/token', { form: { ...own, client_id: id }, headers })
      assert.deepEqual(refusedAs(answer), [401, 'invalid_client'])
      assert.match(answer.body.error_description, /^Client-Cert has to be/)
      assert.equal(await reasonOf(service, answer), 'malformed_certificate')
    }
    const headers = { ...shown(clientCertificate), 'client-cert-chain': 'x' }
    const chain = await service.ask('/token', { form: { ...own, client_id: id }, headers })
    assert.match(chain.body.error_description, /^Client-Cert has to be/)
  })

  test('and where tokens are bound', async () => {
    const { credentials } = await register(service, { ...machine, ...bound })
    const headers = { ...malformed, authorization: basic(credentials) }
    const answer = await service.ask('/token', { form: own, headers })
    assert.deepEqual(refusedAs(answer), [400, 'invalid_request'])
    assert.match(answer.body.error_description, /^Client-Cert has to be/)
  })

  test('disturbs nobody else', async () => {
    const { credentials } = await register(service, machine)
    const headers = { ...malformed, authorization: basic(credentials) }
    assert.equal((await service.ask('/token', { form: own, headers })).status, 200)
  })
})
