/** A login that is strong and new enough for an API (RFC 9470), from the challenge to the next call. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import type { Needs } from '../../src/resource/index.ts'
import { type NodeGuard, protect } from '../../src/resource/node.ts'
import { blocksOf } from '../shape/blocks.ts'
import { root } from '../shape/source.ts'
import { answerOf, Browser, type Page } from '../support/browser.ts'
import { latchkeyAdmin, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { startWithJwts } from '../support/elsewhere.ts'
import { codeAt, setUpCodes, submitWith } from '../support/factors.ts'
import { type Listening, listen } from '../support/listening.ts'
import { type OfflineApi, offlineApi } from '../support/offline.ts'
import { newVisitor, password } from '../support/people.ts'
import { authorizePath, callback, codeRequest, walk } from '../support/printing.ts'
import { reach } from '../support/reach.ts'
import { basic, type Form, type Started } from '../support/start.ts'
import { introspect, redeem } from '../support/tokens.ts'

describe('acr and auth_time of a token (RFC 9470 section 6)', () => {
  let service: Started
  let api: OfflineApi
  before(async () => {
    service = await startWithJwts()
    api = offlineApi(service)
  })
  after(async () => {
    api.close()
    await service.close()
  })

  const request = { ...codeRequest, scope: 'openid orders:read', nonce: 'n-1' }

  /** What the ID token, the JWT access token and introspection tell of the login behind a code. */
  const told = async (page: Page) => {
    const { body } = await redeem(service, answerOf(page).code ?? '')
    const pick = ({ acr, auth_time }: Readonly<Record<string, unknown>>) => ({ acr, auth_time })
    const all = [decodeJwt(body.id_token), decodeJwt(body.access_token)].map(pick)
    const introspected = pick(await introspect(service, body.access_token, nightlyReport))
    assert.deepEqual([...all, introspected], [introspected, introspected, introspected])
    return { ...introspected, token: String(body.access_token) }
  }

  /** A person who set up one-time codes after the login with a password. */
  const newPerson = async () => {
    const { browser, username } = await newVisitor(service)
    const first = await walk(service, { ...request, prompt: 'consent' }, {}, browser)
    const secret = await setUpCodes(browser, service.now())
    await service.advance(30)
    const strongly = async (changes: Form): Promise<Page> => {
      const login = await browser.go(authorizePath({ ...request, ...changes }))
      const second = await browser.logIn(login, username, password)
      const fields = { code: codeAt(secret, service.now()) }
      return submitWith(browser, second, 'code', fields)
    }
    return { browser, first, strongly }
  }

  test('are the same in each, and offline guards go by them', async () => {
    const { browser, first, strongly } = await newPerson()
    const weak = await told(first)
    assert.deepEqual([weak.acr, weak.auth_time], ['1', service.now() - 30])
    const needs = (acr: string | readonly string[]): Needs => ({ scope: 'orders:read', acr })
    assert.equal(await api.use(weak.token, needs('1')), 200)
    assert.equal(await api.use(weak.token, needs('2')), 401)

    const strong = await told(await strongly({ acr_values: '2' }))
    assert.deepEqual([strong.acr, strong.auth_time], ['2', service.now()])
    assert.equal(await api.use(strong.token, needs(['phr', '2'])), 200)
    assert.equal(await api.use(strong.token, needs('1')), 200)
    assert.equal(await api.use(strong.token, needs('phr')), 401)

    // The lower value was asked for. Asking for the higher one needs no page.
    const lower = await told(await browser.ask(authorizePath({ ...request, acr_values: '1' })))
    assert.equal(lower.acr, '1')
    assert.equal(await api.use(lower.token, needs('2')), 401)
    const again = await told(await browser.ask(authorizePath({ ...request, acr_values: '2' })))
    assert.equal(await api.use(again.token, needs('2')), 200)
  })

  test('are in no token without an owner, and no route for a login takes it', async () => {
    const form = { grant_type: 'client_credentials', scope: 'orders:read' }
    const { access_token: token } = (await service.post('/token', form, nightlyReport)).body
    const said = await introspect(service, token, nightlyReport)
    assert.deepEqual(['acr' in said, 'auth_time' in said], [false, false])
    assert.deepEqual([decodeJwt(token).acr, decodeJwt(token).auth_time], [undefined, undefined])
    assert.equal(await api.use(token), 200)
    assert.equal(await api.use(token, { scope: 'orders:read', acr: '1' }), 401)
  })
})

interface DocumentedClient {
  readonly callApi: (
    config: client.Configuration,
    redirectUri: string,
    api: URL,
    token: string,
    takeUser: (url: URL) => Promise<URL>,
  ) => Promise<Response>
}

describe('the client of docs/step-up.md', () => {
  /** In the checkout, so that the program finds its library. */
  const place = join(root, '.cache', `step-up-${process.pid}`)
  let service: Listening
  let documented: DocumentedClient
  let guard: NodeGuard
  let server: Server
  let config: client.Configuration

  before(async () => {
    service = await listen()
    mkdirSync(place, { recursive: true })
    const page = readFileSync(join(root, 'docs/step-up.md'), 'utf8')
    const program = blocksOf('docs/step-up.md', page).find(({ name }) => name === 'client.ts')
    writeFileSync(join(place, 'client.ts'), program?.text ?? '')
    documented = await import(pathToFileURL(join(place, 'client.ts')).href)
    const { post, ask, issuer } = reach(service.issuer)
    const operator = await post('/token', { grant_type: 'client_credentials' }, latchkeyAdmin)
    const headers = { authorization: `Bearer ${operator.body.access_token}` }
    const json = { client_name: 'Bank', grant_types: ['client_credentials'], may_introspect: true }
    const { body } = await ask('/admin/api/clients', { headers, json })
    guard = protect({
      issuer,
      resource: `${issuer}/api/photos`,
      clientId: body.client_id,
      clientSecret: body.client_secret,
    })
    const check = guard({ scope: 'photos:write', acr: ['phr', '2'], maxAge: 300 })
    server = createServer(async (request, response) => {
      if ((await check(request, response)) !== null) response.end('done')
    }).listen(0, '127.0.0.1')
    const execute = [client.allowInsecureRequests]
    const [id, secret] = photoPrinter
    config = await client.discovery(new URL(issuer), id, secret, undefined, { execute })
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await service.close()
    rmSync(place, { recursive: true })
  })

  const api = () => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)

  /** A token of alice, whose browser logged in with the password alone. */
  const begin = async () => {
    const browser = new Browser(reach(service.issuer))
    const page = await walk(reach(service.issuer), codeRequest, {}, browser)
    const form = { grant_type: 'authorization_code', redirect_uri: callback }
    const { code = '' } = answerOf(page)
    const { body } = await reach(service.issuer).ask('/token', {
      form: { ...form, code },
      headers: { authorization: basic(photoPrinter) },
    })
    return { browser, token: String(body.access_token) }
  }

  const asked: Record<string, string>[] = []
  /** The user goes to the URL, and logs in as a person would. */
  const take =
    (browser: Browser, logIn: (page: Page) => Promise<Page>) =>
    async (url: URL): Promise<URL> => {
      const given = (name: string): string => url.searchParams.get(name) ?? ''
      asked.push({
        acr_values: given('acr_values'),
        max_age: given('max_age'),
        scope: given('scope'),
      })
      let page = await browser.go(url.href)
      if (page.url.includes('/login')) page = await logIn(page)
      if (page.url.includes('/consent')) page = await browser.submit(page, { decision: 'allow' })
      return new URL(page.headers.get('location') ?? '')
    }

  const needed = { acr_values: 'phr 2', max_age: '300', scope: 'photos:write' }

  test('asks a user without a second factor once, and tells the refusal', async () => {
    const { browser, token } = await begin()
    const logIn = (page: Page) => browser.logIn(page, 'alice', 'wonderland')
    const called = documented.callApi(config, callback, api(), token, take(browser, logIn))
    await assert.rejects(called, client.WWWAuthenticateChallengeError)
    assert.deepEqual(asked.splice(0), [needed])
  })

  test('gets a stronger login, and its call goes through', async () => {
    const { browser, token } = await begin()
    const secret = await setUpCodes(browser, Math.floor(Date.now() / 1000))
    const logIn = async (page: Page) => {
      const second = await browser.logIn(page, 'alice', 'wonderland')
      // The code of this half minute set the factor up.
      const code = codeAt(secret, Math.floor(Date.now() / 1000) + 30)
      return submitWith(browser, second, 'code', { code })
    }
    const answer = await documented.callApi(config, callback, api(), token, take(browser, logIn))
    assert.deepEqual([answer.status, await answer.text()], [200, 'done'])
    assert.deepEqual(asked.splice(0), [needed])
  })

  test('asks for no login where the token is the fault', async () => {
    const never = async () => assert.fail('the user was asked')
    await assert.rejects(
      documented.callApi(config, callback, api(), 'lk_at_x', never),
      client.WWWAuthenticateChallengeError,
    )
  })
})
