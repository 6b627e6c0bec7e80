/** The playground's flows of OpenID Connect: people log in, are asked again, and log out. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  answered,
  checksOf,
  fieldsUnder,
  messagesOf,
  Player,
  statusesOf,
} from '../support/player.ts'
import { type Started, start } from '../support/start.ts'

let started: Started
let player: Player
before(async () => {
  started = await start()
})
after(() => started.close())
beforeEach(() => {
  player = new Player(started)
})

const believed = /the client believes the answer/

const claimsIn = (page: Parameters<typeof fieldsUnder>[1]) => fieldsUnder('Claims of the JWT', page)
const headerIn = (page: Parameters<typeof fieldsUnder>[1]) => fieldsUnder('Header of the JWT', page)

/** The error that a redirect brings. */
const errorIn = (page: Parameters<typeof fieldsUnder>[1]): string | undefined =>
  /[?&#]error=(\w+)/.exec(messagesOf(page)[1] ?? '')?.[1]

describe('login', () => {
  test('an ID token is read and checked, and a refresh brings another', async () => {
    const back = await player.visit('login')
    assert.match(back.text, believed)
    const tokens = answered(await player.play('login', ['exchange-login']))
    assert.equal(tokens.scope, 'email openid profile')
    const checked = await player.play('login', ['check-id-token'])
    assert.deepEqual(checksOf(checked), {
      signature: true,
      exp: true,
      iss: true,
      aud: true,
      nonce: true,
      at_hash: true,
    })
    assert.equal(headerIn(checked).alg, 'RS256')
    const { sub, aud, acr, auth_time } = claimsIn(checked)
    assert.deepEqual([aud, acr], ['photo-printer', '1'])
    const told = answered(await player.play('login', ['userinfo']))
    assert.deepEqual(
      [told.sub, told.email, told.phone_number],
      [sub, 'alice@example.com', undefined],
    )
    const refreshed = await player.play('login', ['refresh-login'])
    assert.equal(claimsIn(refreshed).auth_time, auth_time)
    assert.deepEqual(checksOf(refreshed), {
      signature: true,
      exp: true,
      iss: true,
      aud: true,
      at_hash: true,
      nonce: true,
    })
    assert.equal(claimsIn(refreshed).nonce, undefined)
  })

  test('every way to break it', async () => {
    await player.visit('login')
    const foreign = await player.breakIt('login', 'foreign-code')
    assert.equal(answered(foreign).error, 'invalid_grant')
    await player.play('login', ['exchange-login', 'refresh-login'])
    assert.deepEqual(statusesOf(await player.breakIt('login', 'id-token-for-access')), [401, 401])
    for (const step of ['other-nonce', 'no-nonce']) {
      const { nonce, ...others } = checksOf(await player.breakIt('login', step))
      assert.deepEqual([nonce, Object.values(others).every((holds) => holds)], [false, true])
    }
  })
})

describe('hybrid', () => {
  test('the code is redeemed once the ID token vouches for it', async () => {
    await player.play('hybrid', ['register-hybrid'])
    const back = await player.visit('hybrid', 'allow', 'ask-hybrid')
    const taken = await player.press('hybrid', 'arrive-hybrid', { typed: back.url })
    assert.match(taken.text, believed)
    const checked = await player.play('hybrid', ['check-front'])
    assert.deepEqual([headerIn(checked).alg, checksOf(checked).c_hash], ['ES256', true])
    assert.equal(checksOf(await player.breakIt('hybrid', 'swapped-code')).c_hash, false)
    await player.play('hybrid', ['exchange-hybrid'])
  })

  test('a form brings an ID token, and no token is in a URL', async () => {
    await player.play('hybrid', ['register-hybrid'])
    const back = await player.visit('hybrid', 'allow', 'ask-form-post')
    assert.match(back.text, believed)
    assert.match(back.url, /\?step=arrive-form$/)
    assert.match(messagesOf(back)[0] ?? '', /^POST \/callback HTTP[\s\S]*id_token=/)
    const claims = claimsIn(await player.play('hybrid', ['check-posted']))
    assert.equal(claims.name, 'Alice Liddell')
  })

  test('a form is taken once, and by its own browser', async () => {
    const form = { state: 'hybrid.x', id_token: 'x' }
    const first = await player.browser.ask('/callback', form)
    const way = first.headers.get('location') ?? ''
    assert.match(way, /\/playground\/hybrid\/arrival\?posted=[\w-]+$/)
    for (const arrived of [await player.browser.go(way), await player.browser.go(way)]) {
      assert.doesNotMatch(arrived.text, believed)
    }
  })

  test('every way to break it', async () => {
    await player.play('hybrid', ['register-hybrid'])
    for (const [step, error] of [
      ['hybrid-without-nonce', 'invalid_request'],
      ['type-not-registered', 'unauthorized_client'],
      ['mode-query', 'invalid_request'],
    ] as const) {
      assert.equal(errorIn(await player.breakIt('hybrid', step)), error)
    }
  })
})
