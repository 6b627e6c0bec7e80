/** kill -9 under load: whatever was acknowledged is never undone (fault plan F-01). */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { operatorOf } from '../flows/operator.ts'
import { program } from '../shape/made-program.ts'
import { answerOf, Browser, type Reachable } from '../support/browser.ts'
import { helper, photoPrinter } from '../support/demo-clients.ts'
import { approveDevice, askForDevice, poll } from '../support/devices.ts'
import { exchange, exchanged, letAct } from '../support/exchange.ts'
import { memoryOr } from '../support/memory.ts'
import { freePort } from '../support/port.ts'
import { codeRequest, obtainTokens, walk } from '../support/printing.ts'
import { reach } from '../support/reach.ts'

/** The same at each start: it is a part of the issuer, which every seal is bound to. */
const port = await freePort()
let folder: string
let child: ChildProcess

before(async () => {
  folder = await mkdtemp(join(memoryOr(), 'latchkey-'))
})
after(async () => {
  child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** Starts the service as a process of its own; resolves at its ready line. */
const launch = async (): Promise<Reachable> => {
  child = spawn(process.execPath, [program, 'start'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      LATCHKEY_STORE: `sqlite:${join(folder, 'latchkey.db')}`,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  for await (const piece of child.stdout ?? []) {
    printed += String(piece)
    const [, issuer] = /listening on (\S+)/.exec(printed) ?? []
    if (issuer !== undefined) return reach(issuer)
  }
  throw new Error(`did not start: ${printed}`)
}

const kill = async (): Promise<void> => {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const redirect_uri = 'http://127.0.0.1:6750/callback'

/** What was acknowledged before the process died. */
interface Acknowledged {
  readonly redeemed: string[]
  readonly live: string[]
  readonly revoked: string[]
  readonly rotated: string[]
}

/** One client that continues until the service is gone, and notes only answered requests. */
const load = async (service: Reachable, browser: Browser, noted: Acknowledged): Promise<void> => {
  try {
    for (;;) {
      const { code = '' } = answerOf(await walk(service, codeRequest, {}, browser))
      const form = { grant_type: 'authorization_code', code, redirect_uri }
      const { body } = await service.post('/token', form, photoPrinter)
      noted.redeemed.push(code)
      const again = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
      const refreshed = await service.post('/token', again, photoPrinter)
      noted.rotated.push(refreshed.body.refresh_token)
      noted.live.push(refreshed.body.access_token)
      const { body: other } = await service.post(
        '/token',
        { grant_type: 'refresh_token', refresh_token: refreshed.body.refresh_token },
        photoPrinter,
      )
      await service.post('/revoke', { token: other.access_token }, photoPrinter)
      noted.revoked.push(other.access_token)
    }
  } catch {
    // The service is gone.
  }
}

const isActive = async (
  service: Reachable,
  token: string,
  client: readonly [string, string] = photoPrinter,
): Promise<boolean> => (await service.post('/introspect', { token }, client)).body.active

test('F-01, RF-09, ST-08: nothing that was acknowledged is undone by kill -9', async () => {
  const noted: Acknowledged = { redeemed: [], live: [], revoked: [], rotated: [] }
  for (let cycle = 0; cycle < 3; cycle++) {
    const service = await launch()
    // A login that the kill meets half done counts as a wrong try, and too many have to wait.
    const browsers = Array.from({ length: 4 }, () => new Browser(service))
    for (const browser of browsers) await walk(service, codeRequest, {}, browser)
    const clients = browsers.map((browser) => load(service, browser, noted))
    const enough = noted.revoked.length + 20
    while (noted.revoked.length < enough) await service.ask('/health/live')
    await kill()
    await Promise.all(clients)
  }
  const service = await launch()
  for (const token of noted.revoked) assert.equal(await isActive(service, token), false)
  for (const token of noted.live) assert.equal(await isActive(service, token), true)
  for (const code of noted.redeemed) {
    const form = { grant_type: 'authorization_code', code, redirect_uri }
    assert.equal((await service.post('/token', form, photoPrinter)).body.error, 'invalid_grant')
  }
})

test('a rotated refresh token that returns after kill -9 ends its family', async () => {
  await kill()
  const first = await launch()
  const { refresh_token } = await obtainTokens(first)
  const refresh = (service: Reachable, token: string) =>
    service.post('/token', { grant_type: 'refresh_token', refresh_token: token }, photoPrinter)
  const one = (await refresh(first, refresh_token)).body
  const two = (await refresh(first, one.refresh_token)).body
  await kill()
  const second = await launch()
  assert.equal((await refresh(second, refresh_token)).body.error, 'invalid_grant')
  assert.equal((await refresh(second, two.refresh_token)).body.error, 'invalid_grant')
  assert.equal(await isActive(second, two.access_token), false)
})

test('a device that was approved before kill -9 gets its tokens after it, once', async () => {
  await kill()
  const first = await launch()
  const [approved, waiting] = [await askForDevice(first), await askForDevice(first)]
  assert.match((await approveDevice(first, approved)).text, /Your device goes on/)
  await kill()
  const second = await launch()
  assert.equal((await poll(second, waiting)).body.error, 'authorization_pending')
  const { status } = await poll(second, approved)
  assert.equal(status, 200)
  await kill()
  const third = await launch()
  assert.equal((await poll(third, approved)).body.error, 'invalid_grant')
})

test('an exchanged token lives on after kill -9, and ends with its subject token', async () => {
  await kill()
  const first = await launch()
  await letAct(await operatorOf(first), 'photo-printer', ['helper'])
  const [kept, ended] = [await obtainTokens(first), await obtainTokens(first)]
  const tokens = [
    await exchanged(first, kept.access_token),
    await exchanged(first, ended.access_token),
  ]
  const areActive = (service: Reachable) =>
    Promise.all(tokens.map((token) => isActive(service, token, helper)))
  assert.deepEqual(await areActive(first), [true, true])
  await first.post('/revoke', { token: ended.access_token }, photoPrinter)
  await kill()
  const second = await launch()
  assert.deepEqual(await areActive(second), [true, false])
  const { body } = await exchange(second, ended.access_token)
  assert.equal(body.error, 'invalid_request')
  await second.post('/revoke', { token: kept.refresh_token }, photoPrinter)
  await kill()
  assert.deepEqual(await areActive(await launch()), [false, false])
})
