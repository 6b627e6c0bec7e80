/** The examples of docs/clients.md, each run as a program against a service, with an owner at a browser. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeMachine, writeWeb } from '../../src/rooms/console/clients/kinds/snippets.ts'
import { type Listening, listen } from '../support/listening.ts'
import { freePort } from '../support/port.ts'
import { openBrowser } from '../support/roaming.ts'
import { blocksOf } from './blocks.ts'
import { type Examples, prepareExamples } from './examples.ts'
import { root } from './source.ts'

let service: Listening
let examples: Examples
let redirectUri: string

before(async () => {
  service = await listen()
  const { issuer } = service
  const shown = { issuer, mtlsUrl: issuer, method: 'client_secret_basic', uri: '', resource: '' }
  redirectUri = `http://127.0.0.1:${await freePort()}/callback`
  const web = { ...shown, id: 'photo-printer', redirectUri, scope: 'openid photos:read' }
  const machine = { ...shown, id: 'nightly-report', redirectUri: '', scope: 'photos:read' }
  examples = prepareExamples('docs/clients.md', issuer, (text) => text, {
    'server.mjs': writeWeb(web).code,
    'token.sh': writeMachine(machine).code,
  })
})
after(async () => {
  examples.close()
  await service.close()
})

/** Why an example cannot run on this machine, or false. */
const lacks = (...programs: readonly string[]): string | false => {
  const missing = programs.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status)
  return missing.length > 0 && `there is no ${missing.join(' and no ')} here`
}

describe('an example of docs/clients.md', () => {
  it('openid-client: code with PKCE, API, userinfo, refresh, introspection, revocation', async () => {
    const browser = openBrowser()
    const example = await examples.start('openid-client.ts')
    await browser.approve(await browser.visit(await example.url()))
    assert.deepEqual(await example.rest(), [
      'photos: 200',
      'owner: Alice Liddell',
      'active: true',
      'active: false',
    ])
  })

  it('openid-client: client credentials', async () => {
    const example = await examples.start('service.ts')
    assert.deepEqual(await example.rest(), ['photos: 200'])
  })

  it('oauth4webapi: a public client', async () => {
    const browser = openBrowser()
    const example = await examples.start('oauth4webapi.ts')
    await browser.approve(await browser.visit(await example.url()))
    assert.deepEqual(await example.rest(), ['photos: 200', 'owner: Alice Liddell', 'revoked'])
  })

  it('passport: a login in Express', async () => {
    const browser = openBrowser()
    const example = await examples.start('passport.ts')
    const home = await browser.approve(await browser.visit(await example.url()))
    assert.equal(new URL(home.url).pathname, '/')
    assert.equal(home.text, 'Hello Alice Liddell')
    const stranger = await openBrowser().visit(home.url)
    assert.equal(stranger.text, 'Open /login')
  })

  it('Auth.js: a login of a client that was registered for it', {
    skip: lacks('curl'),
  }, async () => {
    const registration = await examples.start('register.sh')
    const client = JSON.parse((await registration.rest()).join('\n'))
    const browser = openBrowser()
    const example = await examples.start('auth.ts', {
      AUTH_LATCHKEY_ID: client.client_id,
      AUTH_LATCHKEY_SECRET: client.client_secret,
    })
    const start = await browser.visit(await example.url())
    await browser.approve(await browser.submit(start, {}))
    const home = await browser.visit(new URL('/', start.url).href)
    assert.equal(home.text, 'Hello Alice Liddell')
    const stranger = await openBrowser().visit(home.url)
    assert.equal(stranger.text, 'Open /auth/signin')
  })

  it('curl: the whole flow', { skip: lacks('curl', 'openssl') }, async () => {
    const browser = openBrowser()
    const example = await examples.start('curl.sh')
    assert.equal(await example.line(), `token endpoint: ${service.issuer}/token`)
    const last = await browser.approve(await browser.visit(await example.url()))
    const code = new URL(last.url).searchParams.get('code') ?? ''
    assert.ok(last.text.includes(code))
    example.write(code)
    assert.deepEqual(await example.rest(), [
      'photos: 200',
      'owner: Alice Liddell',
      'revoked: 200',
      'photos: 401',
      'nightly-report',
    ])
  })

  it('is each program that the page shows', () => {
    const page = readFileSync(join(root, 'docs/clients.md'), 'utf8')
    const text = readFileSync(import.meta.filename, 'utf8')
    const shown = blocksOf('docs/clients.md', page).map(({ name }) => name)
    assert.deepEqual(
      shown.filter((name) => name === null || !text.includes(`examples.start('${name}'`)),
      [],
    )
  })
})

/** docs/console.md, "What it shows": each kind of application begins with code. */
describe('the code that the console shows for a new application', () => {
  it('logs people in: web', async () => {
    const example = await examples.start('server.mjs', {
      CLIENT_SECRET: 'photo-printer-secret',
      SESSION_SECRET: 'of this test',
    })
    assert.equal(await example.line(), 'open /login')
    const browser = openBrowser()
    const asked = await browser.visit(new URL('/login', redirectUri).href)
    assert.equal((await browser.approve(asked)).text, 'Logged in')
  })

  it('gets a token: machine', { skip: lacks('curl') }, async () => {
    const example = await examples.start('token.sh', { CLIENT_SECRET: 'nightly-report-secret' })
    const { scope } = JSON.parse((await example.rest()).join('\n'))
    assert.equal(scope, 'photos:read')
  })
})
