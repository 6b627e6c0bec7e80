/** Walks every flow of the service once and remembers each secret that was handed out or typed on the way. */
import assert from 'node:assert/strict'
import { hashText } from '../../src/crypto/digest.ts'
import { operatorOf } from '../flows/operator.ts'
import { accessFormsOn, openAccess } from '../support/accesses.ts'
import { answerOf, Browser, type Reachable } from '../support/browser.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { authorizePath, callback, codeRequest, obtainCode, walk } from '../support/printing.ts'
import type { Init } from '../support/start.ts'

/** Secrets by their form anywhere, and secrets by their name. */
const patterns = [
  /\blk_(?:at|rt|ac|cs|reg)_[A-Za-z0-9_-]{20,}/g,
  /(?<=latchkey_(?:browser|session)=(?:[0-9a-f]{3}\.)?)[A-Za-z0-9_-]{43}/g,
  /(?<=name="csrf" value=")[A-Za-z0-9_-]{43}/g,
  /(?<=journey=)[A-Za-z0-9_-]{43,}/g,
  /(?<=authorization: Basic )\S+/gi,
]

/** A service whose every secret is noted as it passes by. */
export const recording = (service: Reachable) => {
  const secrets = new Set<string>()
  const note = (text: string): void => {
    for (const pattern of patterns) {
      for (const [found] of text.matchAll(pattern)) {
        secrets.add(found)
        // A seal or a random part alone would be as bad.
        if (found.startsWith('lk_')) secrets.add(found.slice(-43))
      }
    }
  }
  const ask = async (path: string, init: Init = {}) => {
    const answer = await service.ask(path, init)
    const headers = new Headers(init.headers)
    note([...headers].map(([name, value]) => `${name}: ${value}`).join('\n'))
    note(answer.headers.getSetCookie().join('\n'))
    note(answer.headers.get('location') ?? '')
    note(answer.text)
    return answer
  }
  const post: Reachable['post'] = (path, form, client) => {
    const authorization =
      client === undefined ? {} : { authorization: `Basic ${btoa(client.join(':'))}` }
    return ask(path, { form, headers: authorization })
  }
  return { service: { issuer: service.issuer, ask, post }, secrets }
}

type Recorded = ReturnType<typeof recording>

const verifier = 'the-verifier-of-a-public-client-which-nobody-else-ever-knows-0123'

/** Passwords as people type them: right, wrong, and in the wrong field. */
const typed = {
  right: 'correct horse battery staple',
  next: 'another horse, another battery',
  wrong: 'a wrong password, perhaps of another site',
  asName: 'typed-into-the-wrong-field',
} as const

const refreshTwice = async (service: Reachable, refresh_token: string): Promise<void> => {
  const form = { grant_type: 'refresh_token', refresh_token }
  const { body } = await service.post('/token', form, photoPrinter)
  await service.post('/token', { ...form, refresh_token: body.refresh_token }, photoPrinter)
  const stolen = await service.post('/token', form, photoPrinter)
  assert.equal(stolen.body.error, 'invalid_grant')
}

/** The confidential client: code, replay, refresh, theft, revocation, introspection. */
const walkWeb = async (service: Reachable): Promise<void> => {
  const form = { grant_type: 'authorization_code', redirect_uri: callback }
  const code = await obtainCode(service)
  const first = (await service.post('/token', { ...form, code }, photoPrinter)).body
  await refreshTwice(service, first.refresh_token)
  await service.post('/token', { ...form, code }, photoPrinter)
  const second = { ...form, code: await obtainCode(service) }
  const tokens = (await service.post('/token', second, photoPrinter)).body
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    await service.post('/introspect', { token }, photoPrinter)
    assert.equal((await service.post('/revoke', { token }, photoPrinter)).status, 200)
  }
}

/** The public client: PKCE, a wrong verifier, and the implicit grant. */
const walkBrowserApp = async (service: Reachable): Promise<void> => {
  const redirect_uri = 'http://127.0.0.1:6750/gallery'
  const request = { client_id: 'gallery', redirect_uri, response_type: 'code' }
  const pkce = { code_challenge: hashText(verifier), code_challenge_method: 'S256' }
  for (const code_verifier of [verifier, `${verifier}-not`]) {
    const code = await obtainCode(service, { ...request, ...pkce })
    const form = { grant_type: 'authorization_code', client_id: 'gallery', redirect_uri }
    await service.post('/token', { ...form, code, code_verifier })
  }
  const implicit = answerOf(await walk(service, { ...request, response_type: 'token' }))
  assert.ok(implicit.access_token)
}

/** A token in every allowed place, and in the forbidden ones. */
const useToken = async (service: Reachable, token: string): Promise<void> => {
  const headers = { authorization: `Bearer ${token}` }
  const noStore = { 'cache-control': 'no-store' }
  const query = `access_token=${token}`
  assert.equal((await service.ask('/api/photos', { headers })).status, 200)
  assert.equal((await service.ask(`/api/photos?${query}`, { headers: noStore })).status, 200)
  assert.equal((await service.post('/api/photos', { access_token: token })).status, 200)
  assert.equal((await service.post('/api/photos', { access_token: token, title: 'x' })).status, 201)
  assert.equal((await service.ask(`/api/photos?${query}`)).status, 400)
  assert.equal((await service.ask(`/api/photos/${token}`, { headers })).status, 400)
  assert.equal((await service.ask(`/${token}`)).status, 404)
  await service.ask(`/api/photos?limit=${token}`, { headers })
  await service.ask(`/api/photos?after=${token}`, { headers })
  await service.ask('/api/photos', { json: { access_token: token }, headers })
  await service.ask('/userinfo', { headers })
  await service.ask(`/authorize?${query}&client_id=${token}`)
  await service.ask(`/token?${query}`, { method: 'POST' })
  await service.ask(`/login?journey=${token}`)
  await service.ask('/api/photos', { headers: { authorization: `Token ${token}` } })
}

/** Owners and clients of an operator, and a client that registers itself. */
const administer = async (service: Recorded['service'], secrets: Set<string>): Promise<void> => {
  const operator = await operatorOf(service)
  for (const secret of Object.values(typed)) secrets.add(secret)
  const person = await operator('POST', 'owners', { username: 'carol', password: typed.right })
  const made = await operator('POST', 'clients', {
    client_name: 'Made',
    grant_types: ['password', 'refresh_token'],
    trusted: true,
  })
  const { client_id: id, client_secret: secret } = made.body
  const login = { grant_type: 'password', username: 'carol' }
  await service.post('/token', { ...login, password: typed.right }, [id, secret])
  await service.post('/token', { ...login, password: typed.wrong }, [id, secret])
  await service.post('/token', { ...login, password: typed.right }, [id, typed.asName])
  await operator('POST', `clients/${id}/rotate-secret`)
  await operator('POST', `owners/${person.body.id}/set-password`, { password: typed.next })
  await operator('GET', 'clients')
  await operator('GET', 'owners')
  const metadata = { client_name: 'Itself', redirect_uris: ['https://itself.example/back'] }
  const registered = (await service.ask('/register', { json: metadata })).body
  const headers = { authorization: `Bearer ${registered.registration_access_token}` }
  const at = `/register/${registered.client_id}`
  await service.ask(at, { headers })
  await service.ask(at, {
    headers,
    method: 'PUT',
    json: { ...metadata, client_id: registered.client_id },
  })
  await service.ask(at, { headers, method: 'DELETE' })
  const events = await operator('GET', 'events?limit=100')
  assert.equal(events.status, 200)
}

/** A person at the pages: mistakes, a visit, narrowing, ending, leaving. */
const usePages = async (service: Reachable): Promise<void> => {
  const browser = new Browser(service)
  let page = await browser.go(authorizePath(codeRequest))
  page = await browser.logIn(page, typed.asName, typed.wrong)
  assert.equal(page.status, 403)
  page = await browser.logIn(page, 'carol', typed.next)
  page = await browser.submit(page, { decision: 'allow', duration: 'session' })
  assert.ok(answerOf(page).code)
  const account = await openAccess(browser)
  const [authorization] = accessFormsOn(account)
  if (authorization === undefined) throw new Error('the page of the application has no form')
  const narrowed = { action: 'narrow', permission: ['photos:read'] }
  await browser.submitForm(account, authorization, narrowed)
  await browser.submitForm(account, authorization, { action: 'end' })
  await browser.submit(await browser.go('/logout'))
}

/** Text that would break a line of a log, or pretend to be one. */
const hostile = [
  'a\r\n{"level":50,"message":"forged"}',
  '\u001b[2J\u001b[31mred',
  '"},{"level":60,"x":"',
  '\u2028\u2029\u0085',
  '%0d%0aSet-Cookie: a=b',
  '$\u007bjndi:ldap://127.0.0.1/a}',
] as const

const writeToTheLog = async (service: Reachable): Promise<void> => {
  for (const text of hostile) {
    const agent = { 'user-agent': text.replace(/[^\x20-\x7e]/g, '?'), 'x-request-id': 'forged' }
    await service.ask(authorizePath({ ...codeRequest, client_id: text, state: text }), {
      headers: agent,
    })
    await service.ask(`/${encodeURIComponent(text)}`)
    await service.ask(`/api/${encodeURIComponent(text)}`)
    await service.post('/token', { grant_type: text }, photoPrinter)
    const page = new Browser(service)
    await page.logIn(await page.go('/login'), text, text)
    await service.ask('/admin/api/clients', { headers: agent })
  }
}

/** Runs all of it. */
export const runEveryFlow = async ({ service, secrets }: Recorded): Promise<void> => {
  for (const [, secret] of [photoPrinter, houseApp, nightlyReport]) secrets.add(secret)
  for (const secret of ['wonderland', 'builder', verifier]) secrets.add(secret)
  await walkWeb(service)
  await walkBrowserApp(service)
  const own = { grant_type: 'client_credentials' }
  await service.post('/token', own, nightlyReport)
  const password = { grant_type: 'password', username: 'bob', password: 'builder' }
  const { body } = await service.post('/token', password, houseApp)
  await useToken(service, body.access_token)
  await administer(service, secrets)
  await usePages(service)
  await writeToTheLog(service)
}
