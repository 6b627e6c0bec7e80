/** A refresh token in two hands (RFC 9700 section 4.14): neither keeps it. Decision 6 says how retries differ. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '../../src/config/limits.ts'
import { operatorOf } from '../flows/operator.ts'
import { obtainCode, obtainTokens } from '../support/browser.ts'
import { told } from '../support/events.ts'
import { photoPrinter, type Started, start } from '../support/start.ts'
import {
  assertRefused,
  deadRefreshToken,
  galleryRequest,
  introspect,
  redeemPublicly,
  refresh,
  use,
} from '../support/tokens.ts'

let service: Started
before(async () => {
  service = await start()
})
after(() => service.close())

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const renew = async ({ refresh_token }: Tokens): Promise<Tokens> => {
  const { status, body, text } = await refresh(service, refresh_token)
  assert.equal(status, 200, text)
  return body
}

const assertRefusedRefresh = async ({ refresh_token }: Tokens): Promise<void> =>
  assertRefused(await refresh(service, refresh_token), 'invalid_grant', deadRefreshToken)

/** Nothing of a family is alive. */
const assertEnded = async (...family: readonly Tokens[]): Promise<void> => {
  for (const tokens of family) {
    assert.equal(await use(service, tokens.access_token), 401)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      assert.deepEqual(await introspect(service, token), { active: false })
    }
    await assertRefusedRefresh(tokens)
  }
}

const pastRetry = () => service.advance(limits.refreshRetrySeconds + 1)

describe('RF-06: an old refresh token ends the whole family', () => {
  test('two generations back, at once', async () => {
    const first = await obtainTokens(service)
    const second = await renew(first)
    const third = await renew(second)
    await assertRefusedRefresh(first)
    await assertEnded(first, second, third)
  })

  test('one generation back, once a retry is out of the question', async () => {
    const first = await obtainTokens(service)
    const second = await renew(first)
    await pastRetry()
    await assertRefusedRefresh(first)
    await assertEnded(first, second)
  })

  test('the thief is first: the owner of the token ends what the thief got', async () => {
    const honest = await obtainTokens(service)
    const stolen = await renew(honest)
    const hoard = await renew(stolen)
    await assertRefusedRefresh(honest)
    await assertEnded(honest, stolen, hoard)
  })

  test('other families of the same owner and client live on', async () => {
    const other = await obtainTokens(service)
    const first = await obtainTokens(service)
    await renew(await renew(first))
    await assertRefusedRefresh(first)
    assert.equal(await use(service, other.access_token), 200)
    assert.equal((await refresh(service, other.refresh_token)).status, 200)
  })

  test('the operator is told, once', async () => {
    const operator = await operatorOf(service)
    const first = await obtainTokens(service)
    await renew(await renew(first))
    await service.advance(1)
    await assertRefusedRefresh(first)
    await assertRefusedRefresh(first)
    assert.deepEqual(await told(operator, service.now()), ['refresh_token.reused'])
  })

  test('a public client', async () => {
    const publicly = (token: string) => refresh(service, token, null, { client_id: 'gallery' })
    const code = await obtainCode(service, galleryRequest)
    const first = (await redeemPublicly(service, code)).body
    const second = (await publicly(first.refresh_token)).body
    const third = (await publicly(second.refresh_token)).body
    for (const token of [first, third, second]) {
      assertRefused(await publicly(token.refresh_token), 'invalid_grant', deadRefreshToken)
    }
    for (const token of [first, second, third]) {
      assert.equal(await use(service, token.access_token), 401)
    }
  })

  test('a stranger who presents an old token ends nothing', async () => {
    const first = await obtainTokens(service)
    const third = await renew(await renew(first))
    await pastRetry()
    const answers = [
      await refresh(service, first.refresh_token, null, { client_id: 'gallery' }),
      await refresh(service, first.refresh_token, ['house-app', 'house-app-secret']),
      await refresh(service, first.refresh_token, ['photo-printer', 'wrong']),
    ]
    for (const { status } of answers) assert.ok(status === 400 || status === 401)
    assert.equal(await use(service, third.access_token), 200)
    assert.equal((await refresh(service, third.refresh_token)).status, 200)
  })
})

describe('RF-07: an honest retry', () => {
  test('gets the very same tokens, with the seconds that are left', async () => {
    const first = await obtainTokens(service)
    const { body: answer } = await refresh(service, first.refresh_token)
    await service.advance(limits.refreshRetrySeconds)
    const { body: repeated } = await refresh(service, first.refresh_token)
    const left = {
      expires_in: 3600 - limits.refreshRetrySeconds,
      refresh_token_timeout: 30 * 24 * 3600 - limits.refreshRetrySeconds,
    }
    assert.deepEqual(repeated, { ...answer, ...left })
    assert.equal(await use(service, repeated.access_token), 200)
    assert.equal((await refresh(service, repeated.refresh_token)).status, 200)
  })

  test('also after a restart in between', async () => {
    const first = await obtainTokens(service)
    const { body: answer } = await refresh(service, first.refresh_token)
    await service.restart()
    assert.deepEqual((await refresh(service, first.refresh_token)).body, answer)
  })

  test('an old refresh token is no live token all the same', async () => {
    const first = await obtainTokens(service)
    await renew(first)
    assert.deepEqual(await introspect(service, first.refresh_token), { active: false })
  })

  test('a retry does not prolong the time for retries', async () => {
    const first = await obtainTokens(service)
    const second = await renew(first)
    await service.advance(limits.refreshRetrySeconds)
    await renew(first)
    await service.advance(1)
    await assertRefusedRefresh(first)
    await assertEnded(first, second)
  })

  test('a retry never gives more than was asked the first time allows', async () => {
    const first = await obtainTokens(service)
    await refresh(service, first.refresh_token, photoPrinter, { scope: 'photos:read' })
    const retry = await refresh(service, first.refresh_token, photoPrinter, {
      scope: 'owners:read',
    })
    assert.equal(retry.body.error, 'invalid_scope')
    const again = await refresh(service, first.refresh_token, photoPrinter, {
      scope: 'photos:read',
    })
    assert.equal(again.body.scope, 'photos:read')
  })
})

describe('RF-08: the grace ends when the successor is used', () => {
  test('within the same second, the old token is theft', async () => {
    const first = await obtainTokens(service)
    const second = await renew(first)
    const third = await renew(second)
    await assertRefusedRefresh(first)
    await assertEnded(first, second, third)
  })

  test('the latest but one can still be repeated', async () => {
    const second = await renew(await obtainTokens(service))
    const third = await renew(second)
    assert.deepEqual(await renew(second), third)
  })
})

describe('RF-09: nothing of this is forgotten', () => {
  // A kill -9 is tested over the wire; here the process ends in good order.
  test('after a restart an old token still ends the family', async () => {
    const first = await obtainTokens(service)
    const second = await renew(first)
    const third = await renew(second)
    await service.restart()
    await assertRefusedRefresh(first)
    await assertEnded(first, second, third)
  })

  test('after a restart an ended family is still ended', async () => {
    const first = await obtainTokens(service)
    const second = await renew(await renew(first))
    await assertRefusedRefresh(first)
    await service.restart()
    await assertEnded(first, second)
  })

  test('after days and housekeeping', async () => {
    const first = await obtainTokens(service)
    const second = await renew(first)
    await renew(second)
    for (let days = 0; days < 20; days++) await service.advance(24 * 3600)
    await assertRefusedRefresh(first)
    await assertEnded(first, second)
  })
})
