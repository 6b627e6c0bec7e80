/** Forward auth behind a real nginx, with the configuration of docs/forward-auth.md. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { blocksOf } from '../shape/blocks.ts'
import { root } from '../shape/source.ts'
import { install, isRoot } from '../support/debian.ts'
import { houseApp } from '../support/demo-clients.ts'
import { freePort } from '../support/port.ts'
import { type Orders, openOrders, ordersUri, whenAccepting } from './orders.ts'

const program = '/usr/sbin/nginx'
const module = '--with-http_auth_request_module'

/** Whether nginx runs here and can ask for each request. */
const hasNginx = (): boolean => {
  const { status, stderr } = spawnSync(program, ['-V'], { encoding: 'utf8' })
  return status === 0 && stderr.includes(module)
}

const findNginx = (): boolean => {
  if (!hasNginx()) install('nginx')
  return hasNginx()
}

const skip = !findNginx() && 'no nginx with auth_request here: install it'

const place = mkdtempSync(join(tmpdir(), 'latchkey-nginx-'))
let orders: Orders
let nginx: ChildProcess
let port: number

/** The page's configuration, with plain http on a free port, and the ports of this test. */
const configure = (): string => {
  const page = readFileSync(join(root, 'docs/forward-auth.md'), 'utf8')
  const shown = blocksOf('docs/forward-auth.md', page).find(({ name }) => name === 'orders.conf')
  assert.ok(shown)
  const server = shown.text
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replaceAll(/^ *ssl_.*\n/gm, '')
    .replace('127.0.0.1:3000', orders.api)
    .replace('http://127.0.0.1:6749', orders.issuer)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(place, name)};`)
    .join('\n')
  // A root's nginx changes its user, who could not write here.
  return `${isRoot ? 'user root;' : ''}
    daemon off; pid ${join(place, 'pid')}; error_log ${join(place, 'error.log')};
    events {}
    http { access_log off; ${folders} ${server} }`
}

const startNginx = async (): Promise<void> => {
  writeFileSync(join(place, 'nginx.conf'), configure())
  const options = ['-p', place, '-e', join(place, 'error.log'), '-c', join(place, 'nginx.conf')]
  nginx = spawn(program, options, { stdio: 'inherit' })
  await whenAccepting(port, () => nginx.exitCode === null)
}

/** A request through nginx; the API says which headers it got. */
const ask = async (headers: Record<string, string>, method = 'GET', path = '/v1/orders') => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers })
  const challenge = answer.headers.get('www-authenticate')
  return { status: answer.status, challenge, text: await answer.text() }
}

const metadata =
  'resource_metadata="https://orders.example.com/.well-known/oauth-protected-resource/v1"'

describe('behind nginx', { skip }, () => {
  before(async () => {
    mkdirSync(join(place, 'logs'))
    orders = await openOrders(place)
    port = await freePort()
    await startNginx()
  })
  after(async () => {
    nginx.kill('SIGTERM')
    if (nginx.exitCode === null) await once(nginx, 'exit')
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

  test('no token: 401 with the challenge', async () => {
    const { status, challenge } = await ask({})
    assert.equal(status, 401)
    assert.equal(challenge, `Bearer realm="latchkey", scope="orders:read", ${metadata}`)
  })

  test('a token for another resource: 401', async () => {
    const { status, challenge } = await ask({
      authorization: `Bearer ${await orders.tokenOf('photos')}`,
    })
    assert.equal(status, 401)
    assert.match(challenge ?? '', /error="invalid_token"/)
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
    assert.deepEqual([status, JSON.parse(text).method], [200, 'POST'])
  })

  test('a malformed header: 401, and no error of nginx', async () => {
    assert.equal((await ask({ authorization: 'Bearer' })).status, 401)
  })

  test('the question itself is not open to visitors', async () => {
    assert.equal((await ask({}, 'GET', '/_auth')).status, 404)
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
