/** The password grant: for trusted clients, with guessing slowed as on the login page. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { ownerLimits } from '../../src/owners/limits.ts'
import { Browser } from '../support/browser.ts'
import { houseApp, photoPrinter } from '../support/demo-clients.ts'
import { assertPlaced } from '../support/placed.ts'
import { type Form, start, startBefore } from '../support/start.ts'
import {
  assertGranted,
  assertRefused,
  type Changes,
  type Credentials,
  introspect,
  refresh,
  use,
  withChanges,
} from '../support/tokens.ts'
import { everything, failedClient } from '../support/told.ts'
import { type Operator, operatorOf } from './operator.ts'

let operator: Operator
const service = startBefore(start, async () => {
  operator = await operatorOf(service)
})

const alice: Form = { grant_type: 'password', username: 'alice', password: 'wonderland' }
const wrongPassword = 'username or password is wrong, or there were too many tries'
const notAllowed = 'the client may not use this grant_type'

const ask = (changes: Changes = {}, client: Credentials = houseApp) =>
  service.post('/token', withChanges(alice, changes), client)

/** Lets so much time pass that earlier guesses are forgotten. */
const forget = async (): Promise<void> => {
  await service.advance(ownerLimits.attempts.forgetSeconds)
  operator = await operatorOf(service)
}

describe('the parameters', () => {
  test('username and password earn the tokens of the owner', async () => {
    const answer = await ask()
    assertGranted(answer, { scope: everything, expires_in: 3600, refreshable: true })
    assert.equal(await use(service, answer.body.access_token), 200)
    const { username, client_id } = await introspect(service, answer.body.access_token, houseApp)
    assert.deepEqual([username, client_id], ['alice', 'house-app'])
    const renewed = await refresh(service, answer.body.refresh_token, houseApp)
    assertGranted(renewed, { scope: everything, expires_in: 3600, refreshable: true })
  })

  for (const name of ['grant_type', 'username', 'password']) {
    test(`${name} is required`, async () => {
      for (const value of [undefined, '']) {
        const answer = await ask({ [name]: value })
        assertRefused(answer, 'invalid_request', `parameter ${name} is missing`)
      }
    })
  }

  test('scope is optional, and may be separated by commas', async () => {
    const answer = await ask({ scope: 'photos:read,contacts' })
    const scope = 'contacts:read contacts:write photos:read'
    assertGranted(answer, { scope, expires_in: 3600, refreshable: true })
  })

  test('any spelling of the name, and one form of the password', async () => {
    await operator('POST', 'owners', { username: 'Zo\u00eb', password: 'caf\u00e9 au lait' })
    for (const username of ['zo\u00eb', 'ZOE\u0308']) {
      const answer = await ask({ username, password: 'cafe\u0301 au lait' })
      assert.equal(answer.status, 200)
    }
  })

  test('a confirmed email address in place of the username', async () => {
    const { status, body } = await ask({ username: 'alice@example.com', password: 'wonderland' })
    assert.deepEqual([status, body.token_type], [200, 'Bearer'])
  })

  test('nothing is said by way of the query', async () => {
    const answer = await service.post(
      '/token?username=alice&password=wonderland',
      { grant_type: 'password' },
      houseApp,
    )
    assertRefused(answer, 'invalid_request', 'parameters belong in the body')
  })
})

describe('PW-01: only for clients that the operator trusts', () => {
  test('a confidential client without the grant, and a public one', async () => {
    const refused = await ask({}, photoPrinter)
    assertRefused(refused, 'unauthorized_client', notAllowed)
    const publicly = await service.post('/token', { ...alice, client_id: 'gallery' })
    assertRefused(publicly, 'unauthorized_client', notAllowed)
  })

  test('it is refused before the password is looked at: nothing is counted', async () => {
    for (let tries = 0; tries < 20; tries++) {
      const answer = await ask({ password: 'wrong' }, photoPrinter)
      assertRefused(answer, 'unauthorized_client', notAllowed)
      const other = await ask({ password: 'wrong' }, ['house-app', 'wrong'])
      assertRefused(other, 'invalid_client', failedClient)
    }
    assert.equal((await ask()).status, 200)
  })

  test('a client that is trusted no more', async () => {
    const { body: made } = await operator('POST', 'clients', {
      grant_types: ['password', 'refresh_token'],
      trusted: true,
    })
    const client = [made.client_id, made.client_secret] as const
    assert.equal((await ask({}, client)).status, 200)
    const change = { trusted: false, grant_types: ['refresh_token'] }
    assert.equal((await operator('PATCH', `clients/${made.client_id}`, change)).status, 200)
    assertRefused(await ask({}, client), 'unauthorized_client', notAllowed)
  })
})

describe('PW-02: a wrong password', () => {
  beforeEach(forget)

  test('is answered like an unknown name and a disabled owner', async () => {
    const { body: owner } = await operator('POST', 'owners', {
      username: 'carol',
      password: 'correct horse',
    })
    await operator('PATCH', `owners/${owner.id}`, { disabled: true })
    const guesses = [
      { username: 'bob', password: 'wrong' },
      { username: 'nobody', password: 'wrong' },
      { username: 'carol', password: 'correct horse' },
      { username: 'x'.repeat(5000), password: 'wrong' },
    ]
    for (const guess of guesses) assertRefused(await ask(guess), 'invalid_grant', wrongPassword)
    const right = await ask({ username: 'bob', password: 'builder' })
    assert.equal(right.status, 200)
  })

  test('a password that is too long is wrong, and costs no long hash', async () => {
    const answer = await ask({ password: 'x'.repeat(60_000) })
    assertRefused(answer, 'invalid_grant', wrongPassword)
    assert.equal((await ask()).status, 200)
  })
})

describe('PW-03: guessing', () => {
  test('is counted together with the login page: six tries in all, then a wait', async () => {
    const guessed = await start()
    const byGrant = (password: string) =>
      guessed.post('/token', { ...alice, username: 'ALICE', password }, houseApp)
    const browser = new Browser(guessed)
    const byPage = async (password: string) =>
      (await browser.logIn(await browser.go('/login'), 'alice', password)).status
    for (let tries = 0; tries < 4; tries++) {
      assertRefused(await byGrant(`wrong ${tries}`), 'invalid_grant', wrongPassword)
    }
    assert.deepEqual([await byPage('wrong 5'), await byPage('wrong 6')], [403, 403])
    const throttled = await byGrant('wonderland')
    assert.equal(throttled.status, 429)
    assert.equal(throttled.headers.get('retry-after'), '1')
    assert.deepEqual(throttled.body, {
      error: 'too_many_requests',
      error_description: 'too many wrong tries: wait a little',
    })
    assert.equal(await byPage('wonderland'), 429)
    await guessed.advance(1)
    assert.equal((await byGrant('wonderland')).status, 200)
    await guessed.close()
  })
})

describe('PW-05: the scope is what the client may ask for', () => {
  beforeEach(forget)

  test("the permissions of operators are no owner's to give", async () => {
    const answer = await ask({ scope: 'owners:read' })
    const said = 'scope names no permission that this client may ask for: owners:read'
    assertRefused(answer, 'invalid_scope', said)
    const { body } = await ask({ scope: 'owners:read photos:read' })
    assert.equal(body.scope, 'photos:read')
  })

  test('a client with less gets less', async () => {
    const { body: made } = await operator('POST', 'clients', {
      grant_types: ['password'],
      trusted: true,
      scope: 'photos:read',
      access_token_seconds: 300,
    })
    const client = [made.client_id, made.client_secret] as const
    const answer = await ask({ scope: 'photos contacts' }, client)
    assertGranted(answer, { scope: 'photos:read', expires_in: 300, refreshable: false })
  })
})

test('ids of all that began here name the shard key of their owner', () => assertPlaced(service))
