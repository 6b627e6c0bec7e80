/** An issuer below a path, as behind a proxy that serves other things too. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOf, Browser } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'

const service = startBefore(() => start({ issuer: 'http://127.0.0.1:6749/auth' }))

test('the whole journey stays below the path', async () => {
  const browser = new Browser(service)
  const login = await browser.go(`${service.issuer}${authorizePath(codeRequest)}`)
  assert.match(login.url, /^http:\/\/127\.0\.0\.1:6749\/auth\/login\?/)
  const consent = await browser.logIn(login, 'alice', 'wonderland')
  assert.match(consent.url, /\/auth\/consent\?/)
  const { code = '', iss } = answerOf(await browser.submit(consent, { decision: 'allow' }))
  assert.equal(iss, 'http://127.0.0.1:6749/auth')
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: codeRequest.redirect_uri ?? '',
  }
  const { body } = await service.post('/token', form, photoPrinter)
  const photos = await service.ask('/api/photos', {
    headers: { authorization: `Bearer ${body.access_token}` },
  })
  assert.equal(photos.status, 200)
})

test('RFC 8414 section 3.1, RFC 9728 section 3.1: metadata stand at the root of the host too', async () => {
  for (const url of [
    'http://127.0.0.1:6749/.well-known/oauth-authorization-server/auth',
    'http://127.0.0.1:6749/auth/.well-known/oauth-authorization-server',
  ]) {
    const { body } = await service.ask(url)
    assert.equal(body?.token_endpoint, 'http://127.0.0.1:6749/auth/token', url)
  }
  const challenged = await service.ask('/api/photos')
  const [, metadata = ''] =
    /resource_metadata="([^"]*)"/.exec(challenged.headers.get('www-authenticate') ?? '') ?? []
  const { body } = await service.ask(metadata)
  assert.equal(body.resource, 'http://127.0.0.1:6749/auth/api/photos')
})

test('nothing stands beside the path', async () => {
  assert.equal((await service.ask('http://127.0.0.1:6749/token')).status, 404)
})
