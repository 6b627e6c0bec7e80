/** MCP authorization 2026-07-28: the requirements on the authorization server, by the ids of docs/mcp.md. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { operatorOf } from '../flows/operator.ts'
import { askFor, sentTo } from '../support/authorization.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import { challenge, verifier } from '../support/gallery.ts'
import { newVisitor } from '../support/people.ts'
import { authorizePath, callback, obtainTokens, walk } from '../support/printing.ts'
import { type Form, start, startBefore } from '../support/start.ts'
import { assertRefused, redeem, refresh } from '../support/tokens.ts'

const service = startBefore()
const host = openDocumentSiteBefore()

const helper = 'http://127.0.0.1:43210/callback'
const request = (client_id: string, changes: Form = {}): Form => ({
  response_type: 'code',
  client_id,
  redirect_uri: helper,
  scope: 'photos:read',
  state: 'xyz',
  ...challenge,
  ...changes,
})

const metadata = async () => (await service.ask('/.well-known/oauth-authorization-server')).body

const register = async (changes: object = {}) =>
  service.ask('/register', {
    json: {
      client_name: 'Helper',
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
      ...changes,
    },
  })

/** The page of a browser that nobody is logged in at. */
const ask = (parameters: Form, at = service) => new Browser(at).go(authorizePath(parameters))

const exchange = (client_id: string, code: string, changes: Form = {}) =>
  service.post('/token', {
    grant_type: 'authorization_code',
    client_id,
    code,
    redirect_uri: helper,
    code_verifier: verifier,
    ...changes,
  })

/** The tokens of a new public client. */
const obtain = async (changes: Form = {}) => {
  const { client_id } = (await register()).body
  const { code = '' } = answerOf(await walk(service, request(client_id, changes)))
  const { status, body, text } = await exchange(client_id, code)
  assert.equal(status, 200, text)
  return { ...body, client_id }
}

test('AS1: a public client has to use PKCE, and proves it at the token endpoint', async () => {
  const { client_id } = (await register()).body
  const { code_challenge: _, code_challenge_method: __, ...bare } = request(client_id)
  const { error } = answerOf(await walk(service, bare))
  assert.equal(error, 'invalid_request')
  const { code = '' } = answerOf(await walk(service, request(client_id)))
  const wrong = await exchange(client_id, code, { code_verifier: `${verifier}x` })
  assert.equal(wrong.body.error, 'invalid_grant')
})

test('AS1: the challenge of a confidential client is enforced, too', async () => {
  const { code = '' } = answerOf(
    await walk(service, request('photo-printer', { redirect_uri: callback })),
  )
  assert.equal((await redeem(service, code)).body.error, 'invalid_grant')
})

test('AS2, AS3, AS4: each document that clients try names the issuer and S256', async () => {
  const below = await start({ issuer: 'http://127.0.0.1:6749/auth' })
  const [oauth, openid] = ['oauth-authorization-server', 'openid-configuration']
  const found = [
    [service, `/.well-known/${oauth}`],
    [service, `/.well-known/${openid}`],
    [below, `http://127.0.0.1:6749/.well-known/${oauth}/auth`],
    [below, `http://127.0.0.1:6749/.well-known/${openid}/auth`],
    [below, `/.well-known/${openid}`],
  ] as const
  for (const [at, path] of found) {
    const { status, body } = await at.ask(path)
    assert.deepEqual([status, body.issuer], [200, at.issuer], path)
    assert.ok(body.code_challenge_methods_supported.includes('S256'), path)
  }
  await below.close()
})

test('AS5, AS6: iss comes with codes and with errors, as the metadata announce', async () => {
  assert.equal((await metadata()).authorization_response_iss_parameter_supported, true)
  const { client_id } = (await register()).body
  const { code, ...rest } = answerOf(await walk(service, request(client_id)))
  assert.match(code ?? '', /^lk_ac_/)
  assert.deepEqual(rest, { state: 'xyz', iss: service.issuer })
  const denied = await walk(service, request(client_id), { decision: 'deny' })
  const { error, iss } = answerOf(denied)
  assert.deepEqual([error, iss], ['access_denied', service.issuer])
})

test('AS7, AS8: a client is its metadata document, kept as the headers of its host say', async () => {
  const { client_id_metadata_document_supported: supported, ...rest } = await metadata()
  assert.equal(supported, true)
  assert.ok(rest.token_endpoint_auth_methods_supported.includes('none'))
  const id = host.serve('/kept.json', {}, { 'Cache-Control': 'max-age=600' })
  const { code = '' } = answerOf(await walk(service, request(id)))
  assert.equal((await exchange(id, code)).status, 200)
  service.pass(599)
  await ask(request(id))
  assert.equal(host.asked('/kept.json'), 1)
  service.pass(1)
  await ask(request(id))
  assert.equal(host.asked('/kept.json'), 2)
})

test('AS9: a document has to be JSON, hold its own URL and the required members', async () => {
  const good = { client_id: host.url('/bad.json'), client_name: 'Helper', redirect_uris: [helper] }
  const documents: readonly string[] = [
    '{',
    JSON.stringify({ ...good, client_id: `${good.client_id}/` }),
    JSON.stringify({ ...good, client_id: undefined }),
    JSON.stringify({ ...good, client_name: undefined }),
    JSON.stringify({ ...good, redirect_uris: undefined }),
  ]
  for (const text of documents) {
    const id = host.answer('/bad.json', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(text)
    })
    const { status, headers } = await ask(request(id))
    assert.deepEqual([status, headers.get('location')], [400, null], text)
  }
})

test('AS9, AS15: a redirect URI that the document does not list is no place to go', async () => {
  const id = host.serve('/listed.json', { redirect_uris: ['https://app.example/cb'] })
  for (const redirect_uri of ['https://app.example/cb/', 'https://app.example/cb?x=1', helper]) {
    const { status, headers } = await ask(request(id, { redirect_uri }))
    assert.deepEqual([status, headers.get('location')], [400, null], redirect_uri)
  }
})

test('AS10: no document of a private network is fetched', async () => {
  const outside = await start({ demo: false })
  const connections = host.site.connections()
  for (const at of [new URL(host.url()).host, '10.0.0.1', '169.254.169.254', '[::1]']) {
    const { status } = await ask(request(`https://${at}/client.json`), outside)
    assert.equal(status, 400, at)
  }
  assert.equal(host.site.connections(), connections)
  await outside.close()
})

test('AS11, AS12: consent names the host of the redirect, and warns of local programs', async () => {
  const { browser } = await newVisitor(service)
  const local = host.serve('/local.json', { redirect_uris: [helper] })
  const warned = await browser.go(authorizePath(request(local)))
  assert.match(warned.text, /you go back to <strong><code>127\.0\.0\.1:43210<\/code>/)
  assert.match(warned.text, /Any program on this computer can claim to be it/)
  const redirect_uri = 'https://app.example/cb'
  const web = host.serve('/web.json', { redirect_uris: [redirect_uri] })
  const { text } = await browser.go(authorizePath(request(web, { redirect_uri })))
  assert.match(text, /you go back to <strong><code>app\.example<\/code>/)
  assert.doesNotMatch(text, /Any program on this computer/)
})

test('AS13: the operator may refuse a document, or all of them', async () => {
  const operator = await operatorOf(service)
  const id = host.serve('/disabled.json')
  assert.match((await ask(request(id))).url, /\/login\?/)
  const changed = await operator('PATCH', `clients/${encodeURIComponent(id)}`, { disabled: true })
  assert.equal(changed.status, 200, changed.text)
  assert.equal((await ask(request(id))).status, 400)
  const closed = await start({ registration: 'off' })
  assert.equal((await ask(request(host.serve('/any.json')), closed)).status, 400)
  const { body } = await closed.ask('/.well-known/oauth-authorization-server')
  assert.equal(body.client_id_metadata_document_supported, false)
  await closed.close()
})

test('AS14: clients may register, and tell of which type they are', async () => {
  const { status, body } = await register({ application_type: 'native' })
  assert.deepEqual([status, body.application_type], [201, 'native'])
})

test('AS15, AS16: only a registered redirect URI gets an answer, an error no less', async () => {
  const { client_id } = (await register()).body
  for (const redirect_uri of [
    'http://127.0.0.1:43210/callback/',
    'http://localhost:43210/callback',
    'https://evil.example/callback',
  ]) {
    const changes = { redirect_uri, response_type: 'nonsense' }
    const { status, headers } = await ask(request(client_id, changes))
    assert.deepEqual([status, headers.get('location')], [400, null], redirect_uri)
  }
})

test('AS17: https for the service, and https or this machine for redirects', async () => {
  const env = { LATCHKEY_ISSUER: 'http://auth.example.com' }
  assert.throws(() => loadSettings({ env, flags: {}, cwd: service.folder }), /LATCHKEY_ISSUER/)
  for (const [name, value] of Object.entries(await metadata())) {
    if (name.endsWith('_endpoint')) assert.ok(String(value).startsWith(`${service.issuer}/`), name)
  }
  const { status, body } = await register({ redirect_uris: ['http://app.example/callback'] })
  assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri'])
})

test('AS18: the refresh token of a public client is used once', async () => {
  const first = await obtain()
  const changes = { client_id: first.client_id }
  const second = (await refresh(service, first.refresh_token, null, changes)).body
  const third = (await refresh(service, second.refresh_token, null, changes)).body
  assert.equal(new Set([first, second, third].map((one) => one.refresh_token)).size, 3)
  const stolen = await refresh(service, first.refresh_token, null, changes)
  assert.equal(stolen.body.error, 'invalid_grant')
  const ended = await refresh(service, third.refresh_token, null, changes)
  assert.equal(ended.body.error, 'invalid_grant')
})

test('AS19: an access token lives an hour', async () => {
  const { access_token, expires_in } = await obtain()
  assert.equal(expires_in, 3600)
  const read = async () =>
    (await service.ask('/api/photos', { headers: { authorization: `Bearer ${access_token}` } }))
      .status
  assert.equal(await read(), 200)
  service.pass(3600)
  assert.equal(await read(), 401)
})

test('AS20: no token and no secret is in the files of the database', async () => {
  const tokens = await obtainTokens(service)
  const secrets = [tokens.access_token, tokens.refresh_token, 'photo-printer-secret', 'wonderland']
  const names = readdirSync(service.folder).filter((name) => name.startsWith('latchkey.db'))
  assert.ok(names.includes('latchkey.db'))
  for (const name of names) {
    const bytes = readFileSync(join(service.folder, name))
    for (const secret of secrets) assert.equal(bytes.includes(secret), false, name)
  }
})

test('AS21: the owner may allow less, and offline_access may be asked for', async () => {
  assert.ok((await metadata()).scopes_supported.includes('offline_access'))
  const { client_id } = (await register()).body
  const scope = 'photos:read photos:write offline_access'
  const page = await walk(service, request(client_id, { scope }), {
    permission: ['photos:read', 'offline_access'],
  })
  const { body } = await exchange(client_id, answerOf(page).code ?? '')
  assert.equal(body.scope, 'offline_access photos:read')
  assert.match(body.refresh_token, /^lk_rt_/)
})

test('AS22: resource is never dropped: an unknown one is refused at both endpoints', async () => {
  const resource = 'https://else.example/mcp'
  const asked = sentTo(await askFor(service, { resource }), `${callback}?`)
  assert.equal(asked.error, 'invalid_target')
  const { client_id } = (await register()).body
  const named = request(client_id, { resource: `${service.issuer}/api/photos` })
  const { code = '' } = answerOf(await walk(service, named))
  const refused = await exchange(client_id, code, { resource })
  assertRefused(refused, 'invalid_target', asked.error_description ?? '')
  assert.equal((await exchange(client_id, code)).status, 200)
})
