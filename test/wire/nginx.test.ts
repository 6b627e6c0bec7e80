/** Forward auth behind a real nginx, with the configuration of docs/forward-auth.md. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { loadSettings } from '../../src/config/load.ts'
import { type EmbeddedService, startService } from '../../src/embed.ts'
import { blocksOf } from '../shape/blocks.ts'
import { root } from '../shape/source.ts'
import { install, isRoot } from '../support/debian.ts'
import { freePort } from '../support/port.ts'
import { basic, formBody, houseApp, latchkeyAdmin } from '../support/start.ts'

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
const uri = 'https://orders.example.com/v1'
let service: EmbeddedService
let api: Server
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
    .replace('127.0.0.1:3000', `127.0.0.1:${(api.address() as AddressInfo).port}`)
    .replace('http://127.0.0.1:6749', service.issuer)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(place, name)};`)
    .join('\n')
  // A root's nginx changes its user, who could not write here.
  return `${isRoot ? 'user root;' : ''}
    daemon off; pid ${join(place, 'pid')}; error_log ${join(place, 'error.log')};
    events {}
    http { access_log off; ${folders} ${server} }`
}

const accepts = async (): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const startNginx = async (): Promise<void> => {
  writeFileSync(join(place, 'nginx.conf'), configure())
  const options = ['-p', place, '-e', join(place, 'error.log'), '-c', join(place, 'nginx.conf')]
  nginx = spawn(program, options, { stdio: 'inherit' })
  while (!(await accepts())) {
    assert.equal(nginx.exitCode, null, 'nginx did not start')
    await setImmediate()
  }
}

const post = async (
  path: string,
  form: Record<string, string>,
  client: readonly [string, string],
): Promise<Readonly<Record<string, string>>> => {
  const answer = await fetch(service.issuer + path, {
    method: 'POST',
    headers: { authorization: basic(client) },
    body: new URLSearchParams(formBody(form)),
  })
  return (await answer.json()) as Record<string, string>
}

const tokenOf = async (scope: string): Promise<string> => {
  const form = { grant_type: 'password', username: 'alice', password: 'wonderland', scope }
  const answer = await post('/token', form, houseApp)
  assert.ok(answer.access_token, JSON.stringify(answer))
  return answer.access_token
}

const operate = async (method: string, path: string, json: object): Promise<void> => {
  const { access_token } = await post('/token', { grant_type: 'client_credentials' }, latchkeyAdmin)
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${service.issuer}/admin/api/${path}`, {
    method,
    headers,
    body: JSON.stringify(json),
  })
  assert.ok(answer.ok, await answer.text())
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
    for (const folder of ['data', 'logs']) mkdirSync(join(place, folder))
    const data = join(place, 'data')
    const env = { LATCHKEY_STORE: `sqlite:${join(data, 'latchkey.db')}`, PORT: '0' }
    const settings = loadSettings({ env, flags: {}, cwd: data })
    service = await startService({ settings, tell: () => {} })
    const orders = { name: 'orders', title: 'Orders', read: 'See', write: 'Change', uri }
    await operate('POST', 'resources', orders)
    await operate('PATCH', 'clients/house-app', { scope: 'photos orders' })
    api = createServer(({ method, headers }, response) => {
      const { authorization = null, ...rest } = headers
      const remote = Object.entries(rest).filter(([name]) => name.startsWith('remote-'))
      response.end(JSON.stringify({ method, authorization, ...Object.fromEntries(remote) }))
    })
    api.listen(0, '127.0.0.1')
    await once(api, 'listening')
    port = await freePort()
    await startNginx()
  })
  after(async () => {
    nginx.kill('SIGTERM')
    if (nginx.exitCode === null) await once(nginx, 'exit')
    api.closeAllConnections()
    api.close()
    await service.close()
    rmSync(place, { recursive: true })
  })

  test('a right token reaches the API, with its identity and without itself', async () => {
    const token = await tokenOf('orders:read')
    const { sub } = await post('/introspect', { token }, houseApp)
    // The visitor's own idea of an identity does not arrive.
    const headers = { authorization: `Bearer ${token}`, 'remote-user': 'root', 'remote-x': 'kept' }
    const { status, text } = await ask(headers)
    assert.equal(status, 200)
    assert.deepEqual(JSON.parse(text), {
      method: 'GET',
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
    const { status, challenge } = await ask({ authorization: `Bearer ${await tokenOf('photos')}` })
    assert.equal(status, 401)
    assert.match(challenge ?? '', /error="invalid_token"/)
  })

  test('a token that may only read: 403 for a write, with the challenge', async () => {
    const headers = { authorization: `Bearer ${await tokenOf('orders:read')}` }
    const { status, challenge } = await ask(headers, 'POST')
    assert.equal(status, 403)
    assert.equal(
      challenge,
      `Bearer realm="latchkey", error="insufficient_scope", error_description="the access token does not allow this", scope="orders:write", ${metadata}`,
    )
  })

  test('a token that may write: its request arrives as it is', async () => {
    const headers = { authorization: `Bearer ${await tokenOf('orders')}` }
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
      resource: uri,
      authorization_servers: ['https://auth.example.com'],
      bearer_methods_supported: ['header'],
    })
  })
})
