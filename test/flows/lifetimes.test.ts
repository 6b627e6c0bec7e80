/** Lifetimes of tokens: unlimited ones, and tokens that end with their approval. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { answerOf, Browser } from '../support/browser.ts'
import { authorizePath, callback, codeRequest, obtainCode } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import {
  assertGranted,
  assertRefused,
  type Credentials,
  introspect,
  redeem,
  refresh,
  use,
} from '../support/tokens.ts'
import { deadCode, deadRefreshToken, everything } from '../support/told.ts'
import { type Operator, operatorOf } from './operator.ts'

const hour = 3600
const day = 24 * hour

const service = startBefore()
let operator: Operator
beforeEach(async () => {
  operator = await operatorOf(service)
})

const create = async (metadata: object): Promise<Credentials> => {
  const { status, body, text } = await operator('POST', 'clients', metadata)
  assert.equal(status, 201, text)
  return [body.client_id, body.client_secret]
}

const createWeb = (metadata: object = {}): Promise<Credentials> =>
  create({
    redirect_uris: [callback],
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    ...metadata,
  })

/** What alice's approval of some duration earns a client. */
const approve = async (client: Credentials, duration: string, browser = new Browser(service)) => {
  const login = await browser.go(authorizePath({ ...codeRequest, client_id: client[0] }))
  const consent = await browser.logIn(login, 'alice', 'wonderland')
  const { code = '' } = answerOf(await browser.submit(consent, { decision: 'allow', duration }))
  return redeem(service, code, client)
}

describe('unlimited access tokens', () => {
  test('of an owner: no expires_in, no exp, and alive after years', async () => {
    const client = await createWeb({ access_token_seconds: null })
    const answer = await approve(client, 'forever')
    assertGranted(answer, { scope: everything, refreshable: true })
    const seen = await introspect(service, answer.body.access_token, client)
    assert.deepEqual([seen.active, 'exp' in seen, seen.iat], [true, false, service.now()])
    await service.advance(20 * 365 * day)
    assert.equal(await use(service, answer.body.access_token), 200)
    assert.equal((await introspect(service, answer.body.access_token, client)).active, true)
  })

  test('of a client itself, and of the implicit grant', async () => {
    const own = await create({ grant_types: ['client_credentials'], access_token_seconds: null })
    const answer = await service.post('/token', { grant_type: 'client_credentials' }, own)
    assertGranted(answer, { scope: everything, refreshable: false })
    const [id] = await create({
      redirect_uris: [callback],
      response_types: ['token'],
      token_endpoint_auth_method: 'none',
      access_token_seconds: null,
    })
    const browser = new Browser(service)
    const login = await browser.go(
      authorizePath({ response_type: 'token', client_id: id, state: 's' }),
    )
    const consent = await browser.logIn(login, 'alice', 'wonderland')
    const fragment = answerOf(await browser.submit(consent, { decision: 'allow' }))
    const { access_token: token = '', ...rest } = fragment
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      scope: everything,
      state: 's',
      iss: service.issuer,
    })
    await service.advance(20 * 365 * day)
    assert.equal(await use(service, token), 200)
    assert.equal(await use(service, answer.body.access_token), 200)
  })

  test('are revocable, each alone, and stay revoked after years and a restart', async () => {
    const own = await create({ grant_types: ['client_credentials'], access_token_seconds: null })
    const web = await createWeb({ access_token_seconds: null })
    const rows = [
      [(await service.post('/token', { grant_type: 'client_credentials' }, own)).body, own],
      [(await approve(web, 'forever')).body, web],
    ] as const
    for (const [{ access_token: token }, client] of rows) {
      assert.equal(await use(service, token), 200)
      assert.deepEqual((await service.post('/revoke', { token }, client)).body, {})
      assert.equal(await use(service, token), 401)
    }
    await service.advance(20 * 365 * day)
    await service.restart()
    for (const [{ access_token: token }, client] of rows) {
      assert.equal(await use(service, token), 401)
      assert.deepEqual(await introspect(service, token, client), { active: false })
    }
  })

  test('end with the authorization, and with the refresh token that is revoked', async () => {
    const client = await createWeb({ access_token_seconds: null })
    const { body } = await approve(client, 'forever')
    const form = { token: body.refresh_token }
    assert.equal((await service.post('/revoke', form, client)).status, 200)
    assert.equal(await use(service, body.access_token), 401)
    const other = (await approve(await createWeb({ access_token_seconds: null }), 'forever')).body
    const { body: list } = await operator('GET', 'authorizations?limit=100')
    for (const { id } of list.items) await operator('DELETE', `authorizations/${id}`)
    assert.equal(await use(service, other.access_token), 401)
  })

  test('have an end where the approval has one', async () => {
    const client = await createWeb({ access_token_seconds: null })
    const answer = await approve(client, 'day')
    assertGranted(answer, {
      scope: everything,
      expires_in: day,
      authorization_expires_in: day,
      refreshable: true,
    })
    const seen = await introspect(service, answer.body.access_token, client)
    assert.equal(seen.exp, service.now() + day)
    await service.advance(day)
    assert.equal(await use(service, answer.body.access_token), 401)
  })
})

describe('the end of an approval bounds all that hangs on it', () => {
  const rows = [
    ['day', day],
    ['month', 30 * day],
  ] as const
  for (const [duration, seconds] of rows) {
    test(`a ${duration}: expires_in says so, and no refresh prolongs it`, async () => {
      const lifetimes = { access_token_seconds: 60 * day, refresh_token_seconds: 90 * day }
      const client = await createWeb(lifetimes)
      const first = await approve(client, duration)
      assertGranted(first, {
        scope: everything,
        expires_in: seconds,
        authorization_expires_in: seconds,
        refreshable: true,
      })
      const end = service.now() + seconds
      await service.advance(seconds - hour)
      const second = await refresh(service, first.body.refresh_token, client)
      assertGranted(second, {
        scope: everything,
        expires_in: hour,
        authorization_expires_in: hour,
        refreshable: true,
      })
      for (const token of [second.body.access_token, second.body.refresh_token]) {
        assert.equal((await introspect(service, token, client)).exp, end)
      }
      await service.advance(hour - 1)
      const third = await refresh(service, second.body.refresh_token, client)
      assertGranted(third, {
        scope: everything,
        expires_in: 1,
        authorization_expires_in: 1,
        refreshable: true,
      })
      assert.equal(await use(service, first.body.access_token), 200)
      await service.advance(1)
      const late = await refresh(service, third.body.refresh_token, client)
      assertRefused(late, 'invalid_grant', deadRefreshToken)
      for (const { body } of [first, second, third]) {
        assert.equal(await use(service, body.access_token), 401)
      }
    })
  }

  test('a code does not outlive it', async () => {
    const client = await createWeb()
    const browser = new Browser(service)
    await approve(client, 'day', browser)
    await service.advance(day - 10)
    const login = await browser.go(authorizePath({ ...codeRequest, client_id: client[0] }))
    // The login of yesterday has ended; the approval of yesterday has not.
    const page = await browser.logIn(login, 'alice', 'wonderland')
    const { code = '' } = answerOf(page)
    await service.advance(10)
    assertRefused(await redeem(service, code, client), 'invalid_grant', deadCode)
  })

  test('forever: the lifetimes of the client alone', async () => {
    const client = await createWeb({ access_token_seconds: 120 })
    const answer = await approve(client, 'forever')
    assertGranted(answer, { scope: everything, expires_in: 120, refreshable: true })
    await service.advance(119)
    assert.equal(await use(service, answer.body.access_token), 200)
    await service.advance(1)
    assert.equal(await use(service, answer.body.access_token), 401)
    assert.equal((await refresh(service, answer.body.refresh_token, client)).status, 200)
  })
})

describe('a visit', () => {
  const sessionSeconds = 12 * hour

  test('ends when the login does: expires_in says so, and no refresh prolongs it', async () => {
    const client = await createWeb({ access_token_seconds: 60 * day })
    const first = await approve(client, 'session')
    assertGranted(first, {
      scope: everything,
      expires_in: sessionSeconds,
      authorization_expires_in: sessionSeconds,
      refreshable: true,
    })
    await service.advance(sessionSeconds - 60)
    const second = await refresh(service, first.body.refresh_token, client)
    assertGranted(second, {
      scope: everything,
      expires_in: 60,
      authorization_expires_in: 60,
      refreshable: true,
    })
    await service.advance(60)
    assert.equal(await use(service, second.body.access_token), 401)
    const late = await refresh(service, second.body.refresh_token, client)
    assertRefused(late, 'invalid_grant', deadRefreshToken)
  })

  test('ends with a logout, at once, and another login does not bring it back', async () => {
    const client = await createWeb()
    const browser = new Browser(service)
    const { body } = await approve(client, 'session', browser)
    const elsewhere = (await approve(client, 'session')).body
    const lasting = (await approve(client, 'forever')).body
    await browser.submit(await browser.go('/logout'))
    assert.equal(await use(service, body.access_token), 401)
    const ended = await refresh(service, body.refresh_token, client)
    assertRefused(ended, 'invalid_grant', deadRefreshToken)
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    assert.equal(await use(service, body.access_token), 401)
    assert.equal(await use(service, elsewhere.access_token), 200)
    assert.equal(await use(service, lasting.access_token), 200)
  })

  test('of bob is not of alice', async () => {
    const client = await createWeb()
    const { body } = await approve(client, 'session')
    const browser = new Browser(service)
    await browser.logIn(await browser.go('/login'), 'bob', 'builder')
    await browser.submit(await browser.go('/logout'))
    assert.equal(await use(service, body.access_token), 200)
  })
})

test('the demo: an hour for an access token', async () => {
  const { body } = await redeem(service, await obtainCode(service))
  assert.equal(body.expires_in, hour)
  await service.advance(hour - 1)
  assert.equal(await use(service, body.access_token), 200)
  await service.advance(1)
  assert.equal(await use(service, body.access_token), 401)
})
