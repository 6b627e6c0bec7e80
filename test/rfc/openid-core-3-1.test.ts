/** The parameters of an authentication request (OpenID Connect Core section 3.1.2.1). */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { enter, sentTo } from '../support/authorization.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { codeAt, setUpCodes, submitWith } from '../support/factors.ts'
import { galleryRequest } from '../support/gallery.ts'
import { idTokenClaims, registerOpenid } from '../support/openid.ts'
import { newVisitor, password, type Visitor } from '../support/people.ts'
import { authorizePath, callback, codeRequest, walk } from '../support/printing.ts'
import { type Form, start, startBefore } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'

const service = startBefore()

const request = { ...codeRequest, scope: 'openid photos:read', nonce: 'n-1' }

const ask = (browser: Browser, changes: Form = {}) =>
  browser.ask(authorizePath({ ...request, ...changes }))

const refusalIn = (page: Page) => {
  const { error, error_description: said } = sentTo(page, `${callback}?`)
  return [error, said]
}

/** Our next page in a word, or the error for the client, or `answered`. */
const nextOf = (page: Page): string => {
  const location = page.headers.get('location') ?? ''
  const [, own] = /^\/(\w+)\?journey=/.exec(location) ?? []
  if (own !== undefined) return own
  return answerOf(page).error ?? 'answered'
}

/** The ID token's claims after the code in a redirect. */
const loginIn = async (page: Page, client: readonly [string, string] = photoPrinter) => {
  const { body } = await redeem(service, answerOf(page).code ?? '', client)
  return idTokenClaims(service, body.id_token, client[0])
}

const idTokenOf = async (browser: Browser): Promise<string> => {
  const page = await walk(service, request, {}, browser)
  const { body } = await redeem(service, answerOf(page).code ?? '')
  return body.id_token
}

/** A visitor who set up one-time codes after the login, and the way through the login page. */
const newPersonWithCodes = async () => {
  const person = await newVisitor(service)
  await walk(service, request, {}, person.browser)
  const secret = await setUpCodes(person.browser, service.now())
  await service.advance(30)
  const logIn = async (page: Page): Promise<Page> => {
    const second = await person.browser.logIn(page, person.username, password)
    return submitWith(person.browser, second, 'code', { code: codeAt(secret, service.now()) })
  }
  return { ...person, logIn }
}

describe('acr_values: a second factor is asked for if the owner has one', () => {
  test('an owner without one is answered, with the acr there is', async () => {
    const { browser } = await newVisitor(service)
    const page = await walk(service, { ...request, acr_values: 'phr 2' }, {}, browser)
    assert.equal((await loginIn(page)).acr, '1')
  })

  test('an owner who has one logs in again, with it', async () => {
    const { browser, logIn } = await newPersonWithCodes()
    assert.equal(nextOf(await ask(browser)), 'answered')
    const login = await browser.go(authorizePath({ ...request, acr_values: '2' }))
    assert.match(login.url, /\/login\?journey=/)
    const claims = await loginIn(await logIn(login))
    assert.deepEqual([claims.acr, claims.amr], ['2', ['pwd', 'otp', 'mfa']])
    assert.equal(nextOf(await ask(browser, { acr_values: 'phr 2' })), 'answered')
  })

  test('the preferred value counts: 1 before 2 asks for nothing', async () => {
    const { browser } = await newPersonWithCodes()
    assert.equal(nextOf(await ask(browser, { acr_values: '1 2' })), 'answered')
  })

  test('prompt=none is answered with the acr there is', async () => {
    const { browser } = await newPersonWithCodes()
    const page = await ask(browser, { acr_values: '2', prompt: 'none' })
    assert.equal((await loginIn(page)).acr, '1')
  })

  test('default_acr_values of the registration', async () => {
    const client = await registerOpenid(service, { default_acr_values: ['2'] })
    const { browser } = await newPersonWithCodes()
    assert.equal(nextOf(await ask(browser, { client_id: client[0] })), 'login')
    assert.equal(nextOf(await ask(browser, { client_id: client[0], acr_values: '1' })), 'consent')
  })
})

describe('section 5.5.1.1: an essential acr', () => {
  const essential = (...values: readonly string[]) => ({
    claims: JSON.stringify({ id_token: { acr: { essential: true, values } } }),
  })

  test('that nobody can reach is refused', async () => {
    const { browser } = await newVisitor(service)
    assert.deepEqual(refusalIn(await ask(browser, essential('2', 'phr'))), [
      'unmet_authentication_requirements',
      'the resource owner cannot log in with an acr that the request needs',
    ])
  })

  test('is reached by a login with the second factor, and told as it was asked', async () => {
    const { browser, logIn } = await newPersonWithCodes()
    const page = await browser.go(authorizePath({ ...request, ...essential('2') }))
    assert.match(page.url, /\/login\?journey=/)
    assert.equal((await loginIn(await logIn(page))).acr, '2')
    assert.equal((await loginIn(await ask(browser, essential('1')))).acr, '1')
  })

  test('prompt=none: login_required where a login could reach it', async () => {
    const { browser } = await newPersonWithCodes()
    const page = await ask(browser, { ...essential('2'), prompt: 'none' })
    assert.equal(nextOf(page), 'login_required')
  })

  test('that is met needs nothing', async () => {
    const { browser } = await newPersonWithCodes()
    assert.equal(nextOf(await ask(browser, essential('1', '2'))), 'answered')
    assert.equal(nextOf(await ask(browser, essential())), 'answered')
  })
})

describe('max_age and its default', () => {
  test('default_max_age of the registration counts where the request has none', async () => {
    const client = await registerOpenid(service, { default_max_age: 60, require_auth_time: true })
    const { browser } = await newVisitor(service)
    const of = { client_id: client[0] }
    await walk(service, { ...request, ...of }, {}, browser)
    assert.equal(nextOf(await ask(browser, of)), 'answered')
    await service.advance(60)
    assert.equal(nextOf(await ask(browser, of)), 'login')
    const page = await ask(browser, { ...of, max_age: '61' })
    assert.equal((await loginIn(page, client)).auth_time, service.now() - 60)
  })
})

describe('id_token_hint', () => {
  let alice: Browser
  let hint: string
  before(async () => {
    alice = await enter(service)
    hint = await idTokenOf(alice)
  })

  const expectRefused = async (id_token_hint: string) =>
    assert.deepEqual(refusalIn(await ask(alice, { id_token_hint })), [
      'invalid_request',
      'id_token_hint has to be an ID token that this service issued to the client',
    ])

  test('of the owner who is logged in: answered, also silently', async () => {
    assert.equal(nextOf(await ask(alice, { id_token_hint: hint })), 'answered')
    assert.equal(nextOf(await ask(alice, { id_token_hint: hint, prompt: 'none' })), 'answered')
  })

  test('is accepted after its expiry', async () => {
    const { browser } = await newVisitor(service)
    const old = await idTokenOf(browser)
    await service.advance(3601)
    assert.equal(nextOf(await ask(browser, { id_token_hint: old, prompt: 'none' })), 'answered')
  })

  test('of another owner: a new login, or login_required', async () => {
    const { browser } = await newVisitor(service)
    await walk(service, request, {}, browser)
    assert.equal(nextOf(await ask(browser, { id_token_hint: hint })), 'login')
    const silent = await ask(browser, { id_token_hint: hint, prompt: 'none' })
    assert.equal(nextOf(silent), 'login_required')
  })

  test('somebody else logs in all the same: login_required', async () => {
    const browser = new Browser(service)
    const login = await browser.go(authorizePath({ ...request, id_token_hint: hint }))
    const page = await browser.logIn(login, 'bob', 'builder')
    assert.deepEqual(refusalIn(page), ['login_required', 'the resource owner has to log in'])
  })

  test('of another client is refused', async () => {
    const client = await registerOpenid(service)
    const page = await walk(service, { ...request, client_id: client[0] }, {}, alice)
    const { body } = await redeem(service, answerOf(page).code ?? '', client)
    await expectRefused(body.id_token)
  })

  test('of another issuer, forged, without signature, or no JWT at all is refused', async () => {
    const elsewhere = await start({ issuer: 'http://localhost:6750' })
    const page = await walk(elsewhere, request)
    const { body } = await redeem(elsewhere, answerOf(page).code ?? '')
    await elsewhere.close()
    const [header = '', claims = '', signature = ''] = hint.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const other = Buffer.from(
      JSON.stringify({ iss: service.issuer, aud: 'photo-printer', azp: 'photo-printer', sub: 'x' }),
    ).toString('base64url')
    for (const wrong of [
      body.id_token,
      `${none}.${claims}.`,
      `${header}.${other}.${signature}`,
      'alice',
      'x'.repeat(9000),
    ]) {
      await expectRefused(wrong)
    }
  })
})

describe('login_hint fills in the login page and proves nothing', () => {
  const pageFor = (login_hint: string): Promise<Page> =>
    new Browser(service).go(authorizePath({ ...request, login_hint }))
  const nameOn = (page: Page) => formsOf(page.text)[0]?.fields.username?.[0]

  test('the name is there, and the password is asked for', async () => {
    assert.equal(nameOn(await pageFor('alice')), 'alice')
    assert.equal(nameOn(await pageFor('<b>"x"')), '<b>"x"')
  })

  test('what nobody could type is left out', async () => {
    assert.equal(nameOn(await pageFor('a\nb')), '')
    assert.equal(nameOn(await pageFor('x'.repeat(201))), '')
  })

  test('what was typed counts after a wrong try', async () => {
    const browser = new Browser(service)
    const login = await browser.go(authorizePath({ ...request, login_hint: 'alice' }))
    assert.equal(nameOn(await browser.logIn(login, 'bob', 'wrong')), 'bob')
  })

  test('another owner who is logged in is not asked again', async () => {
    const { browser } = await newVisitor(service)
    await walk(service, request, {}, browser)
    assert.equal(nextOf(await ask(browser, { login_hint: 'alice' })), 'answered')
  })
})

test('display, ui_locales and unknown parameters are accepted', async () => {
  const { browser } = await newVisitor(service)
  await walk(service, request, {}, browser)
  for (const display of ['page', 'popup', 'touch', 'wap', 'other']) {
    const page = await ask(browser, { display, ui_locales: 'tlh fr', claims_locales: 'fr', x: '1' })
    assert.equal(nextOf(page), 'answered')
  }
})

describe('a remembered approval', () => {
  const web = 'https://app.example/callback'
  let visitor: Visitor
  before(async () => {
    visitor = await newVisitor(service)
  })

  test('of a public client with an https redirect URI is answered without a page', async () => {
    const [client_id] = await registerOpenid(service, {
      token_endpoint_auth_method: 'none',
      redirect_uris: [web],
    })
    const { code_challenge, code_challenge_method } = galleryRequest
    const asked = { client_id, redirect_uri: web, code_challenge, code_challenge_method }
    const { browser } = visitor
    assert.equal(nextOf(await ask(browser, asked)), 'consent')
    await walk(service, { ...request, ...asked }, {}, browser)
    assert.equal(nextOf(await ask(browser, asked)), 'answered')
    assert.equal(nextOf(await ask(browser, { ...asked, prompt: 'none' })), 'answered')
    const more = { ...asked, scope: 'openid photos:write', prompt: 'none' }
    assert.equal(nextOf(await ask(browser, more)), 'consent_required')
  })

  test('does not count at a redirect URI on the device of the same client', async () => {
    const [client_id] = await registerOpenid(service, {
      token_endpoint_auth_method: 'none',
      redirect_uris: [web, 'http://127.0.0.1/here'],
    })
    const { code_challenge, code_challenge_method } = galleryRequest
    const asked = { client_id, code_challenge, code_challenge_method }
    const { browser } = visitor
    await walk(service, { ...request, ...asked, redirect_uri: web }, {}, browser)
    const local = { ...asked, redirect_uri: 'http://127.0.0.1/here' }
    assert.equal(nextOf(await ask(browser, local)), 'consent')
    await walk(service, { ...request, ...local }, {}, browser)
    assert.equal(nextOf(await ask(browser, local)), 'consent')
    assert.equal(nextOf(await ask(browser, { ...local, prompt: 'none' })), 'interaction_required')
  })
})
