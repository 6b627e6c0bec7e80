/** A replayed code earns nothing, and ends the tokens of its first use (RFC 6749 section 4.1.2). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawRandom } from '../../src/crypto/digest.ts'
import { operatorOf } from '../flows/operator.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { houseApp, photoPrinter } from '../support/demo-clients.ts'
import { told } from '../support/events.ts'
import { challenge, galleryRequest, redeemPublicly, verifier } from '../support/gallery.ts'
import { authorizePath, callback, codeRequest, obtainCode } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import {
  assertRefused,
  type Credentials,
  introspect,
  redeem,
  refresh,
  use,
} from '../support/tokens.ts'
import { deadCode, deadRefreshToken } from '../support/told.ts'

const service = startBefore()

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

/** A redeemed code, and its tokens. */
const spend = async (request: Readonly<Record<string, string>> = codeRequest) => {
  const code = await obtainCode(service, request)
  const { status, body } = await redeem(service, code)
  assert.equal(status, 200)
  return { code, tokens: body as Tokens }
}

/** As after an upgrade from a version whose ids carried no shard key: theirs say anything. */
const forgetShardSecret = async (): Promise<void> => {
  const { store } = service.server()
  const known = await store.findFact('shard secret')
  const other = Buffer.from(drawRandom(32)).toString('hex')
  assert.ok(known !== null && (await store.setFact('shard secret', known, other)))
  await service.restart()
}

const assertReplayed = async (code: string): Promise<void> =>
  assertRefused(await redeem(service, code), 'invalid_grant', deadCode)

const assertDead = async (tokens: Tokens): Promise<void> => {
  assert.equal(await use(service, tokens.access_token), 401)
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    assert.deepEqual(await introspect(service, token), { active: false })
  }
  const renewed = await refresh(service, tokens.refresh_token)
  assertRefused(renewed, 'invalid_grant', deadRefreshToken)
}

describe('AC-01, AC-02: replayed by its own client', () => {
  test('it earns nothing, and what it earned is dead, all of it', async () => {
    const { code, tokens } = await spend()
    assert.equal(await use(service, tokens.access_token), 200)
    await assertReplayed(code)
    await assertDead(tokens)
    await assertReplayed(code)
  })

  test('tokens of later refreshes are dead as well', async () => {
    const { code, tokens } = await spend()
    const second = (await refresh(service, tokens.refresh_token)).body
    const third = (await refresh(service, second.refresh_token)).body
    await assertReplayed(code)
    for (const one of [tokens, second, third]) await assertDead(one)
  })

  test('what another code of the same owner earned lives on, and a new code works', async () => {
    const other = await spend()
    const { code } = await spend()
    await assertReplayed(code)
    assert.equal(await use(service, other.tokens.access_token), 200)
    const { tokens } = await spend()
    assert.equal(await use(service, tokens.access_token), 200)
  })

  test('the operator is told, once', async () => {
    const operator = await operatorOf(service)
    const { code } = await spend()
    await service.advance(1)
    await assertReplayed(code)
    await assertReplayed(code)
    assert.deepEqual(await told(operator, service.now()), ['code.replayed'])
  })
})

test('codes, tokens and open pages from before ids carried a shard key work on, once', async () => {
  const { tokens } = await spend()
  const code = await obtainCode(service)
  const browser = new Browser(service)
  const login = await browser.go(authorizePath({ ...codeRequest, prompt: 'consent' }))
  const page = await browser.logIn(login, 'alice', 'wonderland')
  await forgetShardSecret()
  const renewed = (await refresh(service, tokens.refresh_token)).body
  const allowed = answerOf(await browser.submit(page, { decision: 'allow' })).code ?? ''
  for (const one of [code, allowed]) {
    const { status, body } = await redeem(service, one)
    assert.equal(status, 200)
    await assertReplayed(one)
    await assertDead(body as Tokens)
  }
  assert.equal(await use(service, renewed.access_token), 200)
  assert.equal((await browser.submit(page, { decision: 'allow' })).status, 400)
})

describe('AC-03: noticed later, too', () => {
  const laters: Readonly<Record<string, () => Promise<void>>> = {
    'after thirty seconds': () => service.advance(30),
    'after the code has expired': () => service.advance(61),
    'after an hour': () => service.advance(3600),
    'after a restart': () => service.restart(),
    'where its id was made under no secret that is known': forgetShardSecret,
    'after the code has expired, and a restart': async () => {
      await service.advance(61)
      await service.restart()
    },
  }
  for (const [name, pass] of Object.entries(laters)) {
    test(name, async () => {
      const { code, tokens } = await spend()
      const { refresh_token } = (await refresh(service, tokens.refresh_token)).body
      await pass()
      await assertReplayed(code)
      await assertDead({ ...tokens, refresh_token })
    })
  }

  test('a code stays used when its tokens were revoked and housekeeping went by', async () => {
    const { code, tokens } = await spend()
    const form = { token: tokens.refresh_token }
    assert.equal((await service.post('/revoke', form, photoPrinter)).status, 200)
    for (let seconds = 0; seconds < 59; seconds += 10) {
      await service.advance(10)
      await assertReplayed(code)
    }
  })

  test('a code that expired unused was never used: nothing is ended by it', async () => {
    const { tokens } = await spend()
    const unused = await obtainCode(service)
    await service.advance(61)
    await assertReplayed(unused)
    assert.equal(await use(service, tokens.access_token), 200)
  })
})

describe('AC-05: replayed by anybody else', () => {
  const strangers: Readonly<Record<string, (code: string) => ReturnType<typeof redeem>>> = {
    'a public client': (code) => redeemPublicly(service, code, { redirect_uri: callback }),
    'the client itself with a wrong secret': (code) =>
      redeem(service, code, ['photo-printer', 'wrong']),
    'the client itself by its name alone': (code) =>
      redeem(service, code, null, { client_id: 'photo-printer' }),
  }
  for (const [name, present] of Object.entries(strangers)) {
    test(`${name} ends nothing`, async () => {
      const { code, tokens } = await spend()
      assert.notEqual((await present(code)).status, 200)
      assert.equal(await use(service, tokens.access_token), 200)
      assert.equal((await refresh(service, tokens.refresh_token)).status, 200)
    })
  }

  test('another confidential client ends nothing, and the log says what it tried', async () => {
    const operator = await operatorOf(service)
    const { body } = await operator('POST', 'clients', {
      redirect_uris: [callback],
      grant_types: ['authorization_code'],
    })
    const rival: Credentials = [body.client_id, body.client_secret]
    const { code, tokens } = await spend()
    assertRefused(await redeem(service, code, rival), 'invalid_grant', deadCode)
    assert.equal(service.notices.at(-1)?.reason, 'code_of_other_client')
    assert.equal(await use(service, tokens.access_token), 200)
    const notItsGrant = await redeem(service, code, houseApp)
    assert.equal(notItsGrant.body.error, 'unauthorized_client')
    assert.equal((await refresh(service, tokens.refresh_token)).status, 200)
  })

  test('a request that would have failed anyway ends nothing', async () => {
    const { code, tokens } = await spend()
    const moved = await redeem(service, code, photoPrinter, { redirect_uri: `${callback}/x` })
    assertRefused(moved, 'invalid_grant', deadCode)
    assert.equal(await use(service, tokens.access_token), 200)
  })
})

describe('AC-02: whatever else is wrong with the request', () => {
  const pkce = { ...codeRequest, ...challenge }
  const verified = { code_verifier: verifier }
  const spendings = {
    'without its verifier': [pkce, verified, {}],
    'with a verifier that was not announced': [codeRequest, {}, verified],
    'with a resource that is none': [codeRequest, {}, { resource: 'https://other.example' }],
    'with a resource that was not granted': [
      { ...codeRequest, scope: 'photos' },
      {},
      { resource: () => `${service.issuer}/api/contacts` },
    ],
  } as const
  for (const [name, [request, first, again]] of Object.entries(spendings)) {
    const changes = (): Readonly<Record<string, string>> =>
      Object.fromEntries(
        Object.entries(again).map(([key, value]) => [
          key,
          typeof value === 'string' ? value : value(),
        ]),
      )
    test(`${name}: what it earned is dead`, async () => {
      const code = await obtainCode(service, request)
      const { body } = await redeem(service, code, photoPrinter, first)
      assertRefused(await redeem(service, code, photoPrinter, changes()), 'invalid_grant', deadCode)
      await assertDead(body)
    })

    test(`${name}, but fresh: it is not used up`, async () => {
      const code = await obtainCode(service, request)
      assert.equal((await redeem(service, code, photoPrinter, changes())).status, 400)
      assert.equal((await redeem(service, code, photoPrinter, first)).status, 200)
    })
  }

  test('the client may no longer ask for any of it: what it earned ends for good', async () => {
    const operator = await operatorOf(service)
    const { body: made } = await operator('POST', 'clients', {
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'photos:read contacts:read',
    })
    const client: Credentials = [made.client_id, made.client_secret]
    const request = { ...codeRequest, client_id: made.client_id, scope: 'photos:read' }
    const code = await obtainCode(service, request)
    const { body } = await redeem(service, code, client)
    const path = `clients/${made.client_id}`
    await operator('PATCH', path, { scope: 'contacts:read' })
    assertRefused(await redeem(service, code, client), 'invalid_grant', deadCode)
    await operator('PATCH', path, { scope: 'photos:read contacts:read' })
    assert.equal(await use(service, body.access_token), 401)
  })
})

describe('AC-01: with PKCE', () => {
  test('replayed with the right verifier or a wrong one, what it earned is dead', async () => {
    for (const code_verifier of [verifier, 'x'.repeat(43)]) {
      const code = await obtainCode(service, { ...codeRequest, ...challenge })
      const { body } = await redeem(service, code, photoPrinter, { code_verifier: verifier })
      const replay = await redeem(service, code, photoPrinter, { code_verifier })
      assertRefused(replay, 'invalid_grant', deadCode)
      await assertDead(body)
    }
  })

  test('of a public client', async () => {
    const code = await obtainCode(service, galleryRequest)
    const { body } = await redeemPublicly(service, code)
    assertRefused(await redeemPublicly(service, code), 'invalid_grant', deadCode)
    assert.equal(await use(service, body.access_token), 401)
    const renewed = await refresh(service, body.refresh_token, null, { client_id: 'gallery' })
    assertRefused(renewed, 'invalid_grant', deadRefreshToken)
  })
})
