/** Forward auth behind a real nginx, with the configuration of docs/forward-auth.md. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { install, isRoot } from '../support/debian.ts'
import { freePort } from '../support/port.ts'
import { shownConfiguration, testForwarding } from './forwarded.ts'
import { type Orders, openOrders, whenAccepting } from './orders.ts'

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
  const server = shownConfiguration('orders.conf')
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

  const ask = testForwarding(() => ({ orders, port }))

  test('a token for another resource: 401', async () => {
    const { status, challenge } = await ask({
      authorization: `Bearer ${await orders.tokenOf('photos')}`,
    })
    assert.equal(status, 401)
    assert.match(challenge ?? '', /error="invalid_token"/)
  })

  test('a malformed header: 401, and no error of nginx', async () => {
    assert.equal((await ask({ authorization: 'Bearer' })).status, 401)
  })

  test('the question itself is not open to visitors', async () => {
    assert.equal((await ask({}, 'GET', '/_auth')).status, 404)
  })
})
