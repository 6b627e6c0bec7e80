/** Forward auth behind a real Caddy, with the configuration of docs/forward-auth.md. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { blocksOf } from '../shape/blocks.ts'
import { root } from '../shape/source.ts'
import { install } from '../support/debian.ts'
import { houseApp, nightlyReport } from '../support/demo-clients.ts'
import { freePort } from '../support/port.ts'
import { type Orders, openOrders, ordersUri, whenAccepting } from './orders.ts'

const program = '/usr/bin/caddy'
if (!existsSync(program)) install('caddy')
const skip = !existsSync(program) && 'no caddy here: install it'

const place = mkdtempSync(join(tmpdir(), 'latchkey-caddy-'))
let orders: Orders
let caddy: ChildProcess
let port: number

/** The page's configuration, with plain http on a free port, and the ports of this test. */
const configure = (): string => {
  const page = readFileSync(join(root, 'docs/forward-auth.md'), 'utf8')
  const shown = blocksOf('docs/forward-auth.md', page).find(
    ({ name }) => name === 'orders.caddyfile',
  )
  assert.ok(shown)
  const site = shown.text
    .replace('orders.example.com {', `http://:${port} {\n  bind 127.0.0.1`)
    .replace('127.0.0.1:3000', orders.api)
    .replace('127.0.0.1:6749', new URL(orders.issuer).host)
  return `{\n  admin off\n  auto_https off\n}\n${site}`
}

const ask = async (headers: Record<string, string>, method = 'GET', path = '/v1/orders') => {
  const body = method === 'POST' ? { body: 'tea' } : {}
  const url = `http://127.0.0.1:${port}${path}`
  const answer = await fetch(url, { method, headers, ...body })
  const challenge = answer.headers.get('www-authenticate')
  return { status: answer.status, challenge, text: await answer.text() }
}

const metadata =
  'resource_metadata="https://orders.example.com/.well-known/oauth-protected-resource/v1"'

describe('behind Caddy', { skip }, () => {
  before(async () => {
    orders = await openOrders(place)
    port = await freePort()
    const file = join(place, 'Caddyfile')
    writeFileSync(file, configure())
    const env = {
      PATH: process.env.PATH,
      HOME: place,
      XDG_DATA_HOME: place,
      XDG_CONFIG_HOME: place,
    }
    const options = ['run', '--config', file, '--adapter', 'caddyfile']
    caddy = spawn(program, options, { env, stdio: 'ignore' })
    await whenAccepting(port, () => caddy.exitCode === null)
  })
  after(async () => {
    caddy.kill('SIGTERM')
    if (caddy.exitCode === null) await once(caddy, 'exit')
    await orders.close()
    rmSync(place, { recursive: true })
  })

  test('a right token reaches the API, with its identity and without itself', async () => {
    const token = await orders.tokenOf('orders:read')
    const { sub } = await orders.post('/introspect', { token }, houseApp)
    // The visitor's own idea of an identity does not arrive.
    const headers = { authorization: `Bearer ${token}`, 'remote-user': 'root', 'remote-x': 'kept' }
    const { status, text } = await ask(headers)
    assert.equal(status, 200)
    assert.deepEqual(JSON.parse(text), {
      method: 'GET',
      body: '',
      authorization: null,
      'remote-user': 'alice',
      'remote-subject': sub,
      'remote-client': 'house-app',
      'remote-scope': 'orders:read',
      'remote-x': 'kept',
    })
  })

  test('the token of a client has no user, whatever the visitor claims', async () => {
    const form = { grant_type: 'client_credentials', scope: 'orders:read' }
    const { access_token } = await orders.post('/token', form, nightlyReport)
    const headers = { authorization: `Bearer ${access_token}`, 'remote-user': 'root' }
    const { status, text } = await ask(headers)
    assert.equal(status, 200)
    assert.equal(JSON.parse(text)['remote-user'], undefined)
  })

  test('no token: 401 with the challenge', async () => {
    const { status, challenge } = await ask({})
    assert.equal(status, 401)
    assert.equal(challenge, `Bearer realm="latchkey", scope="orders:read", ${metadata}`)
  })

  test('a token that may only read: 403 for a write, with the challenge', async () => {
    const headers = { authorization: `Bearer ${await orders.tokenOf('orders:read')}` }
    const { status, challenge } = await ask(headers, 'POST')
    assert.equal(status, 403)
    assert.equal(
      challenge,
      `Bearer realm="latchkey", error="insufficient_scope", error_description="the access token does not allow this", scope="orders:write", ${metadata}`,
    )
  })

  test('a token that may write: its request arrives as it is', async () => {
    const headers = { authorization: `Bearer ${await orders.tokenOf('orders')}` }
    const { status, text } = await ask(headers, 'POST')
    const { method, body } = JSON.parse(text)
    assert.deepEqual([status, method, body], [200, 'POST', 'tea'])
  })

  test('the metadata of the resource', async () => {
    const { status, text } = await ask({}, 'GET', '/.well-known/oauth-protected-resource/v1')
    assert.equal(status, 200)
    assert.deepEqual(JSON.parse(text), {
      resource: ordersUri,
      authorization_servers: ['https://auth.example.com'],
      bearer_methods_supported: ['header'],
    })
  })
})
