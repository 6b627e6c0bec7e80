/** A refresh token in two hands (RFC 9700 section 4.14): neither keeps it. Decision 6 says how retries differ. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { operatorOf } from '../flows/operator.ts'
import { enter } from '../support/authorization.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { told } from '../support/events.ts'
import { galleryRequest, redeemPublicly } from '../support/gallery.ts'
import { obtainCode, obtainTokens } from '../support/printing.ts'
import { basic, start, startBefore } from '../support/start.ts'
import { assertRefused, introspect, refresh, use } from '../support/tokens.ts'
import { deadRefreshToken } from '../support/told.ts'

const service = startBefore()

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

const pastRetry = () => service.advance(defaultLimits.refreshRetrySeconds + 1)

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
    await service.advance(defaultLimits.refreshRetrySeconds)
    const { body: repeated } = await refresh(service, first.refresh_token)
    const left = {
      expires_in: 3600 - defaultLimits.refreshRetrySeconds,
      refresh_token_timeout: 30 * 24 * 3600 - defaultLimits.refreshRetrySeconds,
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
    await service.advance(defaultLimits.refreshRetrySeconds)
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

describe('RF-07: a thief within the time for retries', () => {
  test('who repeats one refresh after the other ends the family with the second', async () => {
    const first = await obtainTokens(service)
    const second = await renew(first)
    assert.deepEqual(await renew(first), second)
    const third = await renew(second)
    await assertRefusedRefresh(second)
    await assertEnded(first, second, third)
  })

  test('who gets ahead with the successor is found out by the next repeat of the honest one', async () => {
    const first = await obtainTokens(service)
    const second = await renew(first)
    const stolen = await renew(await renew(first))
    await assertRefusedRefresh(second)
    await assertEnded(first, second, stolen)
  })

  test('a lost answer now and then is forgiven', async () => {
    let tokens: Tokens = await obtainTokens(service)
    for (let times = 0; times < 3; times++) {
      const lost = await renew(tokens)
      assert.deepEqual(await renew(tokens), lost)
      tokens = await renew(lost)
    }
    assert.equal(await use(service, tokens.access_token), 200)
  })

  test('an old token ends the family whatever else is wrong with the request', async () => {
    const wrong = [
      { scope: 'owners:read' },
      { scope: '"' },
      { resource: 'urn:x' },
      { scope: 'contacts:read', resource: `${service.issuer}/api/photos` },
    ]
    for (const changes of wrong) {
      const first = await obtainTokens(service)
      const third = await renew(await renew(first))
      const answer = await refresh(service, first.refresh_token, photoPrinter, changes)
      assertRefused(answer, 'invalid_grant', deadRefreshToken)
      await assertEnded(third)
    }
  })
})

describe('RF-07: the owner and the operator hear of a repeat', () => {
  const proxied = startBefore(() => start({ trustedProxies: ['127.0.0.1'] }))

  /** Refreshes from an address, as a trusted proxy tells of it. */
  const refreshFrom = (address: string, token: string) =>
    proxied.ask('/token', {
      form: { grant_type: 'refresh_token', refresh_token: token },
      headers: { authorization: basic(photoPrinter), 'x-forwarded-for': address },
    })

  const shownToAlice = async () => {
    const browser = await enter(proxied)
    return (await browser.go('/account/events')).text
  }

  test('the owner only of one from another network; it is forgiven all the same', async () => {
    const said = 'renewed its access twice, the second time from another network.'
    const { refresh_token: token } = await obtainTokens(proxied)
    const first = await refreshFrom('203.0.113.7', token)
    assert.deepEqual((await refreshFrom('203.0.113.8', token)).body, first.body)
    assert.equal((await shownToAlice()).includes(said), false)
    const moved = await refreshFrom('198.51.100.9', token)
    assert.deepEqual([moved.status, moved.body], [200, first.body])
    const page = await shownToAlice()
    assert.ok(page.includes(said))
    assert.match(page, /198\.51\.100\.\*/)
    const operator = await operatorOf(proxied)
    const { body } = await operator('GET', 'events?client=photo-printer')
    const told = body.items.filter(
      (item: { type: string }) => item.type === 'refresh_token.repeated',
    )
    assert.deepEqual(
      told.map((item: { details: { network: string } }) => item.details.network).toSorted(),
      ['198.51.100.*', '203.0.113.*'],
    )
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
