/** Attacks on authorization responses of OpenID Connect: confusion, substitution, framing, probing. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bearer } from '../flows/operator.ts'
import { enter } from '../support/authorization.ts'
import { answerOf, Browser, type Page } from '../support/browser.ts'
import { setUpCodes } from '../support/factors.ts'
import { hashInToken, idTokenClaims, registerOpenid, requestAs } from '../support/openid.ts'
import { newPerson, newVisitor } from '../support/people.ts'
import { authorizePath, codeRequest, walk } from '../support/printing.ts'
import { type Form, start, startBefore } from '../support/start.ts'
import { introspect, redeem, refresh } from '../support/tokens.ts'

let client: readonly [string, string]
const service = startBefore(start, async () => {
  client = await registerOpenid(service)
})

const requestOf = (response_type: string, changes: Form = {}): Form =>
  requestAs(client, response_type, changes)

const hybrid = async (browser?: Browser) =>
  answerOf(await walk(service, requestOf('code id_token token'), {}, browser))

describe('token confusion: each of a hybrid response is good for one thing', () => {
  test('the ID token opens no API and is no access token', async () => {
    const { id_token: idToken = '' } = await hybrid()
    for (const path of ['/userinfo', '/api/photos']) {
      assert.equal((await service.ask(path, bearer(idToken))).status, 401)
    }
    assert.deepEqual(await introspect(service, idToken, client), { active: false })
  })

  test('none of them is a code or a refresh token but the code', async () => {
    const { id_token: idToken = '', access_token: token = '', code = '' } = await hybrid()
    for (const wrong of [idToken, token]) {
      assert.equal((await redeem(service, wrong, client)).body.error, 'invalid_grant')
      assert.equal((await refresh(service, wrong, client)).body.error, 'invalid_grant')
    }
    assert.equal((await refresh(service, code, client)).body.error, 'invalid_grant')
    assert.equal((await redeem(service, code, client)).status, 200)
  })

  test('neither access token nor code is an id_token_hint', async () => {
    const browser = await enter(service)
    const { access_token: token = '', code = '' } = await hybrid(browser)
    for (const id_token_hint of [token, code]) {
      const page = await browser.ask(authorizePath(requestOf('id_token', { id_token_hint })))
      assert.equal(answerOf(page).error, 'invalid_request')
    }
  })
})

test('substitution: hashes and nonce tell two responses apart', async () => {
  const [one, two] = [await hybrid(), await hybrid()]
  const claims = await idTokenClaims(service, one.id_token, client[0])
  assert.equal(claims.c_hash, hashInToken(one.code))
  assert.equal(claims.at_hash, hashInToken(one.access_token))
  assert.notEqual(claims.c_hash, hashInToken(two.code))
  assert.notEqual(claims.at_hash, hashInToken(two.access_token))
  assert.equal(claims.nonce, 'n-1')
})

describe('response type confusion', () => {
  test('a client of the code flow cannot be made to take tokens from the fragment', async () => {
    const browser = await enter(service)
    await walk(service, codeRequest, {}, browser)
    for (const response_type of ['token', 'id_token', 'code id_token', 'code token']) {
      const asked = { ...codeRequest, response_type, scope: 'openid photos:read', nonce: 'n' }
      const answer = answerOf(await browser.ask(authorizePath(asked)))
      assert.deepEqual(answer, {
        error: 'unauthorized_client',
        error_description: 'the client is not registered for this response_type',
        state: 'xyz',
        iss: service.issuer,
      })
    }
  })

  test('an approval for the code flow does not count for a client that takes tokens since', async () => {
    const browser = await enter(service)
    const [id] = await registerOpenid(service, {
      grant_types: ['authorization_code'],
      response_types: ['code'],
    })
    await walk(service, requestOf('code', { client_id: id }), {}, browser)
    const { operator } = await newPerson(service)
    const types = {
      grant_types: ['authorization_code', 'implicit'],
      response_types: ['code token'],
    }
    assert.equal((await operator('PATCH', `clients/${id}`, types)).status, 200)
    const asked = requestOf('code token', { client_id: id, prompt: 'none' })
    assert.equal(answerOf(await browser.ask(authorizePath(asked))).error, 'consent_required')
  })
})

describe('framing: prompt=none in a hidden frame shows nothing to click on', () => {
  for (const type of ['code', 'id_token', 'code id_token token']) {
    test(`${type}: a stranger gets an error, never a page`, async () => {
      const asked = requestOf(type, { prompt: 'none' })
      const answer = answerOf(await new Browser(service).ask(authorizePath(asked)))
      assert.equal(answer.error, 'login_required')
    })
  }

  test('an answer that is posted by a page cannot be framed by others', async () => {
    const asked = requestOf('id_token', { prompt: 'none', response_mode: 'form_post' })
    const { status, headers } = await new Browser(service).ask(authorizePath(asked))
    assert.equal(status, 200)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  })
})

describe('probing: a request finds out nothing about accounts', () => {
  const login = (browser: Browser, changes: Form): Promise<Page> =>
    browser.go(authorizePath(requestOf('code', changes)))

  /** A page without what differs between any two of them. */
  const bare = ({ status, text }: Page, name: string): string =>
    `${status} ${text.replaceAll(name, 'NAME').replace(/(value|data-[a-z]+|href)="[^"]*"/g, '')}`

  test('login_hint shows the same page for known, unknown and well-protected owners', async () => {
    const plain = await newPerson(service)
    const strong = await newVisitor(service)
    await setUpCodes(strong.browser, service.now())
    const pages: string[] = []
    for (const name of [plain.username, strong.username, 'name-of-nobody']) {
      const page = await login(new Browser(service), { login_hint: name })
      assert.ok(page.text.includes(name))
      pages.push(bare(page, name))
    }
    assert.equal(new Set(pages).size, 1)
  })

  test('acr_values, a subject and a hint say nothing before the login', async () => {
    const plain = await login(new Browser(service), {})
    const claims = JSON.stringify({
      id_token: { sub: { value: 'x' }, acr: { essential: true, values: ['gold'] } },
    })
    const { id_token = '' } = await hybrid()
    for (const changes of [{ acr_values: '2' }, { claims }, { id_token_hint: id_token }]) {
      const page = await login(new Browser(service), changes)
      assert.equal(bare(page, 'x-x'), bare(plain, 'x-x'))
    }
  })
})
