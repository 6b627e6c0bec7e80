/** A second Latchkey as the OpenID provider of a first one. Both clocks stand at the same moment. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadSettings } from '../../src/config/load.ts'
import { parseUpstreams } from '../../src/config/upstreams.ts'
import { startService } from '../../src/embed.ts'
import { Browser, formsOf, type Page } from './browser.ts'
import { memoryOr } from './memory.ts'
import { reach } from './reach.ts'
import { type Started, start } from './start.ts'

export const upstreamsOf = (given: unknown) => {
  const parsed = parseUpstreams(given, '.')
  assert.ok('value' in parsed, JSON.stringify(parsed))
  return parsed.value
}

export interface Provider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  close(): Promise<void>
}

/** Redirect URIs on loopback match on any port. */
const redirectUri = (id: string): string => `http://127.0.0.1:6749/login/with/${id}/callback`

const openProvider = async (id = 'other'): Promise<Provider> => {
  const folder = mkdtempSync(join(memoryOr(), 'latchkey-'))
  const env = { LATCHKEY_STORE: `sqlite:${join(folder, 'latchkey.db')}`, PORT: '0' }
  const settings = loadSettings({ env, flags: {}, cwd: folder })
  const clock = () => Date.UTC(2026, 10, 21, 12)
  const service = await startService({ settings, clock, tell: () => {} })
  const json = { redirect_uris: [redirectUri(id)], client_name: 'The first one' }
  const made = await reach(service.issuer).ask('/register', { json })
  assert.equal(made.status, 201, made.text)
  return {
    issuer: service.issuer,
    clientId: made.body.client_id,
    clientSecret: made.body.client_secret,
    async close() {
      await service.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export interface Pair {
  readonly service: Started
  readonly provider: Provider
  close(): Promise<void>
}

export const openPair = async (
  change: Readonly<Record<string, unknown>> = {},
  settings: Parameters<typeof start>[0] = {},
): Promise<Pair> => {
  const provider = await openProvider()
  const { issuer, clientId: client_id, clientSecret: client_secret } = provider
  const upstream = {
    id: 'other',
    title: 'The other one',
    type: 'oidc',
    issuer,
    client_id,
    client_secret,
  }
  const service = await start({ upstreams: upstreamsOf([{ ...upstream, ...change }]), ...settings })
  return {
    service,
    provider,
    async close() {
      await service.close()
      await provider.close()
    },
  }
}

export const formTo = (page: Page, path: string) => {
  const form = formsOf(page.text).find(({ action }) => action.startsWith(path))
  assert.ok(form, `no form to ${path} on ${page.url}: ${page.status} ${page.text}`)
  return form
}

/** Presses the button of the upstream; answers the URL there. */
export const leave = async (browser: Browser, page: Page, id = 'other'): Promise<string> => {
  const { action, fields } = formTo(page, `/login/with/${id}`)
  const answer = await browser.ask(action, fields)
  assert.equal(answer.status, 303, answer.text)
  return answer.headers.get('location') ?? ''
}

/** Logs in at the provider and allows everything; answers the URL that leads back. */
export const atProvider = async (
  { issuer }: Pick<Provider, 'issuer'>,
  url: string,
  [username, password]: readonly [string, string] = ['alice', 'wonderland'],
  there = new Browser(reach(issuer)),
): Promise<string> => {
  let page = await there.go(url)
  if (page.url.includes('/login')) page = await there.logIn(page, username, password)
  if (page.url.includes('/consent')) page = await there.submit(page, { decision: 'allow' })
  const back = page.headers.get('location')
  assert.ok(back, `${page.status} ${page.text}`)
  return back
}
