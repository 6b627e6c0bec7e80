/**
 * OAuth libraries of other languages, as Debian has them, against a service behind a port: the code
 * flow with PKCE, an API, a refresh, revocation. JavaScript is in interoperability.test.ts.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { type EmbeddedService, startService } from '../../src/embed.ts'
import { shellEnvironment } from '../shape/process.ts'
import { root } from '../shape/source.ts'
import { Browser } from '../support/browser.ts'
import { install, isInstalled } from '../support/debian.ts'
import { reach } from '../support/reach.ts'

const place = mkdtempSync(join(tmpdir(), 'latchkey-languages-'))
let service: EmbeddedService
before(async () => {
  const env = { LATCHKEY_STORE: `sqlite:${join(place, 'latchkey.db')}`, PORT: '0' }
  const settings = loadSettings({ env, flags: {}, cwd: place })
  service = await startService({ settings, tell: () => {} })
})
after(async () => {
  await service.close()
  rmSync(place, { recursive: true })
})

/** Where the browser of alice is sent in the end. */
const approve = async (url: string): Promise<string> => {
  const browser = new Browser(reach(service.issuer))
  const login = await browser.go(url)
  let page = login.url.includes('/login')
    ? await browser.logIn(login, 'alice', 'wonderland')
    : login
  if (page.url.includes('/consent')) page = await browser.submit(page, { decision: 'allow' })
  return page.headers.get('location') ?? assert.fail(page.text)
}

/** Runs a client to its end: its results. */
const walk = async (program: string, name: string): Promise<unknown> => {
  const env = shellEnvironment(place, { ISSUER: service.issuer, AUTHLIB_INSECURE_TRANSPORT: '1' })
  const script = join(root, 'test/flows/other-languages', name)
  const client = spawn(program, [script], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const faults: string[] = []
  client.stderr.setEncoding('utf8').on('data', (text: string) => faults.push(text))
  const ended = once(client, 'close')
  const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]()
  try {
    const { value: url } = await lines.next()
    assert.ok(url, faults.join(''))
    client.stdin.end(`${await approve(url)}\n`)
    const { value: told } = await lines.next()
    const [code] = await ended
    assert.equal(code, 0, faults.join(''))
    return JSON.parse(told ?? 'null')
  } finally {
    client.kill()
  }
}

const walked = {
  scope: 'photos:read profile',
  photos: [200, 200, 401],
  rotated: true,
  revoked: [200, {}],
}
const results = { ...walked, refused: 'invalid_grant' }

const libraries = [
  [
    'Authlib for Python',
    ['python3-requests', 'python3-authlib'],
    '/usr/bin/python3',
    'client.py',
    results,
  ],
  ['oauth2 for Ruby', ['ruby-oauth2'], '/usr/bin/ruby', 'client.rb', results],
  [
    'LWP::Authen::OAuth2 for Perl',
    ['liblwp-authen-oauth2-perl'],
    '/usr/bin/perl',
    'client.pl',
    { ...walked, introspected: { active: false } },
  ],
] as const

for (const [library, packages, program, script, expected] of libraries) {
  for (const name of packages) if (!isInstalled(name)) install(name)
  const missing = packages.filter((name) => !isInstalled(name))
  const skip = missing.length > 0 && `no ${missing.join(', ')} here: install it with apt-get`
  test(library, { skip }, async () => {
    assert.deepEqual(await walk(program, script), expected)
  })
}
