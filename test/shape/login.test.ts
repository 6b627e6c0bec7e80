/** The programs of docs/login.md, each run against a service, with alice at a browser. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { freePort } from '../support/port.ts'
import { openBrowser } from '../support/roaming.ts'
import { type BesideService, startBesideService } from './beside-service.ts'
import { blocksOf } from './blocks.ts'
import { type Examples, prepareExamples } from './examples.ts'
import { root } from './source.ts'

let service: BesideService
let examples: Examples
let secret: string
/** Of the address to return to after a logout: unlike the callback, it is compared with its port. */
let port: string

/** Runs a registration of the page; answers the secret that it shows. */
const secretOf = async (registration: Awaited<ReturnType<Examples['start']>>): Promise<string> => {
  const said = (await registration.rest()).join('\n')
  const [, found = ''] = /^client_secret +(lk_cs_\S+)$/m.exec(said) ?? []
  assert.ok(found, said)
  return found
}

before(async () => {
  service = await startBesideService()
  port = String(await freePort())
  const home = `http://127.0.0.1:${port}/`
  examples = prepareExamples('docs/login.md', service.issuer, (text) =>
    text.replaceAll('http://127.0.0.1:6750/', home),
  )
  secret = await secretOf(await examples.start('register.sh', service.env))
})
after(async () => {
  examples.close()
  await service.close()
})

describe('an example of docs/login.md', () => {
  it('Express and openid-client: login and logout', async () => {
    const browser = openBrowser()
    const example = await examples.start('express.ts', { CLIENT_SECRET: secret, PORT: port })
    const home = await browser.approve(await browser.visit(await example.url()))
    assert.equal(home.text, 'Hello Alice Liddell')
    const left = await browser.visit(new URL('/logout', home.url).href)
    assert.deepEqual([left.url, left.text], [home.url, 'Open /login'])
    const again = await browser.visit(new URL('/login', home.url).href)
    assert.equal(new URL(again.url).origin, service.issuer)
  })

  it('Passport: login', async () => {
    const browser = openBrowser()
    const example = await examples.start('passport.ts', { CLIENT_SECRET: secret })
    const home = await browser.approve(await browser.visit(await example.url()))
    assert.equal(home.text, 'Hello Alice Liddell')
    assert.equal((await openBrowser().visit(home.url)).text, 'Open /login')
  })

  it('Auth.js: login as an OpenID provider', async () => {
    const registration = await examples.start('register-auth.sh', service.env)
    const given = { AUTH_LATCHKEY_SECRET: await secretOf(registration) }
    const example = await examples.start('auth.ts', given)
    const browser = openBrowser()
    const start = await browser.visit(await example.url())
    await browser.approve(await browser.submit(start, {}))
    const home = await browser.visit(new URL('/', start.url).href)
    assert.equal(home.text, 'Hello Alice Liddell')
    assert.equal((await openBrowser().visit(home.url)).text, 'Open /auth/signin')
  })

  it('is each program that the page shows, beside those for Apache', () => {
    const page = readFileSync(join(root, 'docs/login.md'), 'utf8')
    const text = readFileSync(import.meta.filename, 'utf8')
    const shown = blocksOf('docs/login.md', page).map(({ name }) => name)
    assert.deepEqual(
      shown.filter((name) => name === null || !text.includes(`examples.start('${name}'`)),
      ['register-apache.sh', 'intranet.conf'],
    )
  })
})
