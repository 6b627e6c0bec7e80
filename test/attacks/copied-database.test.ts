/** A copy of the database, under the same root secret: what one service sealed counts for no other issuer. */
import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { askFor } from '../support/authorization.ts'
import { Browser, formsOf } from '../support/browser.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { memoryOr } from '../support/memory.ts'
import { operatorCode } from '../support/operator-code.ts'
import { obtainCode, obtainTokens, walk } from '../support/printing.ts'
import { type Started, start } from '../support/start.ts'
import { introspect, redeem, refresh, use } from '../support/tokens.ts'

const folder = mkdtempSync(join(memoryOr(), 'latchkey-copied-'))
const path = join(folder, 'latchkey.db')
const copy = join(folder, 'copy.db')
const open = (file: string, port: number): Promise<Started> =>
  start({ store: `sqlite:${file}`, issuer: `http://127.0.0.1:${port}` })

/** What somebody holds of the service, from before its database was copied. */
const obtainAll = async (service: Started) => {
  const browser = new Browser(service)
  await walk(service, undefined, {}, browser)
  const consent = await browser.go(
    (await askFor(service, { scope: 'photos', prompt: 'consent' }, browser)).url,
  )
  const { store } = service.server()
  const secret = readFileSync(`${path}.key`, 'utf8').trim()
  const { access_token, refresh_token } = await obtainTokens(service)
  return {
    access: access_token,
    refresh: refresh_token,
    code: await obtainCode(service),
    own: (await service.post('/token', { grant_type: 'client_credentials' }, nightlyReport)).body
      .access_token,
    operator: await operatorCode(store, secret, service.issuer, service.now(), service.now() + 600),
    journey: formsOf(consent.text)[0]?.fields.journey?.[0] ?? '',
    browser,
  }
}

let held: Awaited<ReturnType<typeof obtainAll>>
let services: readonly Started[]
before(async () => {
  const first = await open(path, 6749)
  held = await obtainAll(first)
  await first.close()
  for (const rest of ['', '.key']) copyFileSync(path + rest, copy + rest)
  services = [await open(path, 6749), await open(copy, 6800)]
})
after(async () => {
  await Promise.all(services.map((service) => service.close()))
  rmSync(folder, { recursive: true })
})

/** The answers of the service itself, and of the one on the copy. */
const both = <Result>(ask: (service: Started) => Promise<Result>): Promise<readonly Result[]> =>
  Promise.all(services.map(ask))

test('an access token, of an owner or of a client itself, opens nothing there', async () => {
  assert.deepEqual(await both((service) => use(service, held.access)), [200, 401])
  assert.deepEqual(await both((service) => use(service, held.own)), [200, 401])
  const [here, there] = await both((service) => introspect(service, held.access))
  assert.equal(here.active, true)
  assert.deepEqual(there, { active: false })
})

test('a refresh token and a code are refused there', async () => {
  const status = async (answer: Promise<{ status: number }>) => (await answer).status
  assert.deepEqual(await both((service) => status(refresh(service, held.refresh))), [200, 400])
  assert.deepEqual(await both((service) => status(redeem(service, held.code))), [200, 400])
})

test('a code of the operator opens nothing there', async () => {
  const enter = async (service: Started): Promise<number> => {
    const browser = new Browser(service)
    const page = await browser.go('/operator')
    return (await browser.submit(page, { code: held.operator })).status
  }
  assert.deepEqual(await both(enter), [200, 403])
})

test('a parked request is not resumed there', async () => {
  const resume = async (service: Started): Promise<number> => {
    const browser = new Browser(service)
    for (const [name, value] of held.browser.cookies) browser.cookies.set(name, value)
    return (await browser.ask(`/consent?journey=${held.journey}`)).status
  }
  assert.notEqual(held.journey, '')
  assert.deepEqual(await both(resume), [200, 400])
})
