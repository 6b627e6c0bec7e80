/** An API with an offline guard: many revocations at once, and JWTs near the end of a session or a key. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { guardLimits } from '../../src/resource/guard-limits.ts'
import type { ProtectOptions } from '../../src/resource/index.ts'
import { recordLimits } from '../../src/store/limits.ts'
import { keyLimits } from '../../src/tokens/keys/kinds.ts'
import { feedLimits } from '../../src/tokens/revocation-feed.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { obtainFor, startWithJwts } from '../support/elsewhere.ts'
import { handTimer, poll as readFeed } from '../support/feed.ts'
import { type OfflineApi, offlineApi } from '../support/offline.ts'
import { codeRequest, walk } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { redeem, refresh } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

const timer = handTimer()
const service = startBefore(() => startWithJwts({ every: timer.every, keyRotationDays: 3 }))

/** An API that stops with its test, so that a failure holds up nobody. */
const begin = (t: TestContext, ...given: [] | [Partial<ProtectOptions>]): OfflineApi => {
  const api = offlineApi(service, ...given)
  t.after(api.close)
  return api
}

const unavailable = () => new Response(null, { status: 500 })

const obtainOwn = async (): Promise<string> => {
  const form = { grant_type: 'client_credentials', scope: 'orders:read' }
  return (await service.post('/token', form, nightlyReport)).body.access_token
}

const obtainMany = (count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, obtainOwn))

const revokeAll = async (tokens: readonly string[]): Promise<void> => {
  await Promise.all(tokens.map((token) => service.post('/revoke', { token }, nightlyReport)))
}

const countPolls = (api: OfflineApi): number =>
  api.asked.filter((path) => path === '/revocation-feed').length

/** Until the API has polled so many times more. */
const poll = async (api: OfflineApi, times: number): Promise<void> => {
  const wanted = countPolls(api) + times
  while (countPolls(api) < wanted) {
    timer.tick()
    await new Promise((resume) => setImmediate(resume))
  }
}

const useAll = (api: OfflineApi, tokens: readonly string[]): Promise<number[]> =>
  Promise.all(tokens.map((token) => api.use(token)))

describe('more revocations at once than one answer holds', () => {
  for (const count of [feedLimits.revocations + 1, 250]) {
    test(`${count} reach an API that follows, and one that starts after them`, async (t) => {
      const [good, ...tokens] = await obtainMany(1 + count)
      assert.ok(good)
      const following = begin(t)
      assert.equal(await following.use(good), 200)
      await revokeAll(tokens)
      // Each full answer leads to the next at once.
      await poll(following, 1 + Math.ceil(count / feedLimits.revocations))
      const starting = begin(t)
      for (const api of [starting, following]) {
        assert.deepEqual(new Set(await useAll(api, tokens)), new Set([401]))
        assert.equal(await api.use(good), 200)
        assert.ok(!api.asked.includes('/introspect'))
      }
      await service.advance(60)
    })
  }

  test('an API that heard of the first only does not count as one that knows all', async (t) => {
    const [good, ...tokens] = await obtainMany(1 + 150)
    assert.ok(good)
    const api = begin(t, { staleSeconds: 10 })
    assert.equal(await api.use(good), 200)
    service.pass(9)
    // The poll under way brings the first answer, and the next one fails.
    api.between = (path) => (path === '/revocation-feed' ? unavailable() : null)
    await revokeAll(tokens)
    await poll(api, 1)
    service.pass(guardLimits.retrySeconds + 1)
    assert.equal(await api.use(good), 503)
    api.between = () => null
    service.pass(guardLimits.retrySeconds)
    assert.equal(await api.use(good), 200)
    assert.equal(await api.use(tokens.at(-1) ?? ''), 401)
  })
})

describe('the feed', () => {
  test('rests while no JWT comes, and is asked before the next one counts', async (t) => {
    const [token = '', another = ''] = await obtainMany(2)
    const api = begin(t)
    assert.equal(await api.use(token), 200)
    service.pass(guardLimits.idleSeconds)
    const polls = countPolls(api)
    for (let tick = 0; tick < 4 * (guardLimits.waitSeconds + 1); tick++) {
      timer.tick()
      await new Promise((resume) => setImmediate(resume))
    }
    assert.equal(countPolls(api), polls)
    await revokeAll([token])
    assert.equal(await api.use(token), 401)
    assert.equal(await api.use(another), 200)
    assert.equal(countPolls(api), polls + 2)
  })

  test('that fails is logged once, again after it was there, and never once the API has stopped', async (t) => {
    const token = await obtainOwn()
    const api = begin(t)
    for (const times of [1, 2]) {
      api.between = (path) => (path === '/revocation-feed' ? unavailable() : null)
      service.pass(61)
      timer.tick()
      assert.equal(await api.use(token), 503)
      // The next JWT of this second asks nothing.
      const polls = countPolls(api)
      assert.equal(await api.use(token), 503)
      assert.equal(countPolls(api), polls)
      service.pass(guardLimits.retrySeconds)
      assert.equal(await api.use(token), 503)
      assert.equal(countPolls(api), polls + 1)
      const told = api.logged.filter((line) => line.includes('/revocation-feed answers 500'))
      assert.equal(told.length, times)
      api.between = () => null
      service.pass(guardLimits.retrySeconds)
      assert.equal(await api.use(token), 200)
    }
    const before = api.logged.length
    api.close()
    await new Promise((resume) => setImmediate(resume))
    assert.equal(api.logged.length, before)
  })

  test('that began anew makes earlier JWTs questions, and the keys are read again', async (t) => {
    const token = await obtainOwn()
    const api = begin(t)
    assert.equal(await api.use(token), 200)
    const count = (path: string) => api.asked.filter((one) => one === path).length
    const keys = count('/jwks')
    let isTold = false
    api.between = (path) => {
      if (path !== '/revocation-feed' || isTold) return null
      isTold = true
      return Response.json({ sets: {}, next: 'another.0', reset: true })
    }
    // The answer of the poll under way is the old one.
    await revokeAll([await obtainOwn()])
    await poll(api, 2)
    assert.match(api.logged.join(), /began anew: earlier JWTs are introspected/)
    service.pass(guardLimits.keysSeconds)
    assert.equal(await api.use(token), 200)
    assert.deepEqual([count('/introspect'), count('/jwks')], [1, keys + 1])
  })

  test('of another issuer tells nothing, even under keys that count here', async (t) => {
    const other = await startWithJwts({ issuer: 'https://other.example' })
    t.after(() => other.close())
    const form = { grant_type: 'client_credentials', scope: 'orders:read' }
    const { body } = await other.post('/token', form, nightlyReport)
    await readFeed(other, nightlyReport)
    await other.post('/revoke', { token: body.access_token }, nightlyReport)
    const [keys, news] = [await other.ask('/jwks'), await readFeed(other, nightlyReport)]
    assert.equal(Object.keys(news.body.sets).length, 1)
    const api = begin(t)
    api.between = (path) => {
      if (path === '/jwks') return new Response(keys.text)
      return path === '/revocation-feed' ? new Response(news.text) : null
    }
    assert.equal(await api.use(await obtainOwn()), 503)
    assert.match(api.logged[0] ?? '', /events that are not of/)
  })

  const faults: Readonly<Record<string, Response>> = {
    'another status': Response.json({ sets: {}, next: 'a.1' }, { status: 500 }),
    'no cursor': Response.json({ sets: {} }),
    'no events': Response.json({ next: 'a.1' }),
    'a list of events': Response.json({ sets: [], next: 'a.1' }),
  }
  for (const [name, answer] of Object.entries(faults)) {
    test(`does not count where it answers ${name}`, async (t) => {
      const api = begin(t)
      api.between = (path) => (path === '/revocation-feed' ? answer : null)
      assert.equal(await api.use(await obtainOwn()), 503)
    })
  }
})

describe('a JWT that is asked about', () => {
  test('is asked about each time, whatever was answered before', async (t) => {
    const token = await obtainOwn()
    const api = begin(t, { cacheSeconds: 60 })
    assert.equal(await api.use(token), 200)
    const operator = await operatorOf(service)
    const change = { access_token_seconds: 7200 }
    await operator('PATCH', `clients/${nightlyReport[0]}`, change)
    await poll(api, 1)
    const asked = () => api.asked.filter((path) => path === '/introspect').length
    assert.deepEqual([await api.use(token), asked()], [200, 1])
    assert.deepEqual([await api.use(token), asked()], [200, 2])
  })
})

test('a JWT tells when its owner logged in', async (t) => {
  const token = (await obtainFor(service, 'orders', [])).access_token
  const api = begin(t)
  const needs = { scope: 'orders:read', maxAge: 60 }
  assert.equal(await api.use(token, needs), 200)
  service.pass(60)
  assert.equal(await api.use(token, needs), 200)
  service.pass(1)
  assert.equal(await api.use(token, needs), 401)
  assert.equal(await api.use(await obtainOwn(), needs), 401)
})

describe('an approval for a visit', () => {
  test('earns no JWT that outlives its session', async (t) => {
    const browser = new Browser(service)
    const request = { ...codeRequest, scope: 'orders', prompt: 'consent' }
    const page = await walk(service, request, { duration: 'session' }, browser)
    const begun = service.now()
    const { body } = await redeem(service, answerOf(page).code ?? '')
    const sessionSeconds = 12 * 3600
    await service.advance(sessionSeconds - 100)
    const renewed = (await refresh(service, body.refresh_token)).body
    assert.equal(renewed.expires_in, 100)
    assert.equal(decodeJwt(renewed.access_token).exp, begun + sessionSeconds)
    const api = begin(t)
    assert.equal(await api.use(renewed.access_token), 200)
    // Nothing tells the feed of a session that ends by its time.
    service.pass(99)
    assert.equal(await api.use(renewed.access_token), 200)
    service.pass(1)
    assert.equal(await api.use(renewed.access_token), 401)
  })
})

describe('a signing key', () => {
  test('is published until the last JWT under it has ended, and a day longer', async (t) => {
    const operator = await operatorOf(service)
    const lifetimes = { access_token_seconds: 7 * recordLimits.jwtSeconds }
    assert.equal((await operator('PATCH', `clients/${photoPrinter[0]}`, lifetimes)).status, 200)
    const key = async () =>
      decodeProtectedHeader((await obtainFor(service, 'orders', [])).access_token).kid
    const first = await key()
    await service.advance(3 * 24 * 3600)
    await service.advance(keyLimits.keyPublishSeconds - 1)
    // The last token under the first key.
    const token = (await obtainFor(service, 'orders', [])).access_token
    assert.equal(decodeProtectedHeader(token).kid, first)
    assert.equal(decodeJwt(token).exp, service.now() + recordLimits.jwtSeconds)
    await service.advance(1)
    assert.notEqual(await key(), first)
    await service.advance(recordLimits.jwtSeconds - 2)
    const api = begin(t)
    assert.equal(await api.use(token), 200)
    await service.advance(recordLimits.jwtSeconds)
    const { keys } = (await service.ask('/jwks')).body
    assert.ok(keys.some(({ kid }: { kid: string }) => kid === first))
  })
})
