/** Forward auth behind a real Caddy, with the configuration of docs/forward-auth.md. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { install } from '../support/debian.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { freePort } from '../support/port.ts'
import { shownConfiguration, testForwarding } from './forwarded.ts'
import { type Orders, openOrders, whenAccepting } from './orders.ts'

const program = '/usr/bin/caddy'
if (!existsSync(program)) install('caddy')
const skip = !existsSync(program) && 'no caddy here: install it'

const place = mkdtempSync(join(tmpdir(), 'latchkey-caddy-'))
let orders: Orders
let caddy: ChildProcess
let port: number

/** The page's configuration, with plain http on a free port, and the ports of this test. */
const configure = (): string => {
  const site = shownConfiguration('orders.caddyfile')
    .replace('orders.example.com {', `http://:${port} {\n  bind 127.0.0.1`)
    .replace('127.0.0.1:3000', orders.api)
    .replace('127.0.0.1:6749', new URL(orders.issuer).host)
  return `{\n  admin off\n  auto_https off\n}\n${site}`
}

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

  const ask = testForwarding(() => ({ orders, port }))

  test('the token of a client has no user, whatever the visitor claims', async () => {
    const form = { grant_type: 'client_credentials', scope: 'orders:read' }
    const { access_token } = await orders.post('/token', form, nightlyReport)
    const headers = { authorization: `Bearer ${access_token}`, 'remote-user': 'root' }
    const { status, text } = await ask(headers)
    assert.equal(status, 200)
    assert.equal(JSON.parse(text)['remote-user'], undefined)
  })
})
