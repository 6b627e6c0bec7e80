/** Answers of the feed that an offline guard must not believe, or not as the whole. */
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { guardLimits } from '../../src/resource/guard-limits.ts'
import { feedLimits } from '../../src/tokens/revocation-feed.ts'
import { houseApp, nightlyReport } from '../support/demo-clients.ts'
import { startWithJwts } from '../support/elsewhere.ts'
import { handTimer, poll as readFeed } from '../support/feed.ts'
import { type OfflineApi, offlineApi } from '../support/offline.ts'
import type { Started } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const timer = handTimer()
let service: Started
before(async () => {
  service = await startWithJwts({ every: timer.every })
})
after(() => service.close())

/** An API that stops with its test, so that a failure holds up nobody. */
const begin = (t: TestContext): OfflineApi => {
  const api = offlineApi(service)
  t.after(api.close)
  return api
}

const obtain = async (): Promise<string> => {
  const form = { grant_type: 'client_credentials', scope: 'orders:read' }
  return (await service.post('/token', form, nightlyReport)).body.access_token
}

const endTokens = async () => {
  const operator = await operatorOf(service)
  assert.equal((await operator('POST', `clients/${nightlyReport[0]}/end-tokens`)).status, 200)
}

/** The sets of the feed, as it tells them to a client. */
const setsFor = async (client: readonly [string, string]): Promise<Record<string, string>> => {
  const { sets } = (await readFeed(service, client)).body
  assert.notDeepEqual(sets, {})
  return sets
}

describe('an API believes nothing of a feed', () => {
  before(async () => {
    await obtain()
    await readFeed(service, nightlyReport)
    await endTokens()
  })

  const lies: Readonly<Record<string, () => Promise<Record<string, string>>>> = {
    'that is for another API': () => setsFor(houseApp),
    'whose sets have other names': async () =>
      Object.fromEntries(Object.values(await setsFor(nightlyReport)).map((set) => ['other', set])),
    'that tells access tokens': async () => ({ one: await obtain() }),
    'that tells texts': async () => ({ one: 'a.b.c' }),
  }
  for (const [name, lie] of Object.entries(lies)) {
    test(name, async (t) => {
      const api = begin(t)
      const sets = await lie()
      api.between = (path) =>
        path === '/revocation-feed' ? Response.json({ sets, next: 'a.1' }) : null
      assert.equal(await api.use(await obtain()), 503)
      assert.match(api.logged.join(), /events that are not of|no security event token/)
    })
  }

  test('and all of the same sets where nothing was changed', async (t) => {
    const api = begin(t)
    assert.equal(await api.use(await obtain()), 200)
  })
})

test('an API that hears of the first revocations only lets no JWT in', async (t) => {
  const tokens = await Promise.all(
    Array.from({ length: feedLimits.revocations + 2 }, () => obtain()),
  )
  const [good = '', ...revoked] = tokens
  await Promise.all(revoked.map((token) => service.post('/revoke', { token }, nightlyReport)))
  const api = begin(t)
  let polls = 0
  api.between = (path) =>
    path === '/revocation-feed' && ++polls > 1 ? new Response(null, { status: 500 }) : null
  for (const token of [good, revoked.at(-1) ?? '']) assert.equal(await api.use(token), 503)
  api.between = () => null
  service.pass(guardLimits.retrySeconds)
  assert.equal(await api.use(good), 200)
  assert.equal(await api.use(revoked.at(-1) ?? ''), 401)
})

test('a late answer of an earlier poll makes nothing older than it is', async (t) => {
  const token = await obtain()
  const api = begin(t)
  const count = () => api.asked.filter((path) => path === '/revocation-feed').length
  assert.equal(await api.use(token), 200)
  // The poll that waits is from then, so the API asks by another one.
  service.pass(61)
  assert.equal(await api.use(token), 200)
  await service.post('/revoke', { token: await obtain() }, nightlyReport)
  const before = count()
  while (count() === before) {
    timer.tick()
    await new Promise((resume) => setImmediate(resume))
  }
  assert.equal(await api.use(token), 200)
  assert.equal(count(), before + 1)
})

test('a JWT that names another issuer is none, even under a key that counts here', async (t) => {
  const other = await startWithJwts({ issuer: 'https://other.example' })
  t.after(() => other.close())
  // Nothing that the feed told before is about tokens of now.
  service.pass(guardLimits.clockSkewSeconds + 1)
  other.pass(service.now() - other.now())
  const form = { grant_type: 'client_credentials', scope: 'orders:read' }
  const { access_token: token } = (await other.post('/token', form, nightlyReport)).body
  const own = await obtain()
  const sets = await Promise.all([service, other].map((one) => one.ask('/jwks')))
  const keys = sets.flatMap(({ body }) => body.keys)
  const api = begin(t)
  api.between = (path) => (path === '/jwks' ? Response.json({ keys }) : null)
  assert.equal(await api.use(own), 200)
  assert.equal(await api.use(token), 401)
})

test('keys that may have been withdrawn are read again before the next JWT', async (t) => {
  const token = await obtain()
  const api = begin(t)
  const count = (path: string) => api.asked.filter((one) => one === path).length
  assert.equal(await api.use(token), 200)
  const [keys, polls] = [count('/jwks'), count('/revocation-feed')]
  let isTold = false
  api.between = (path) => {
    if (path !== '/revocation-feed' || isTold) return null
    isTold = true
    return Response.json({ sets: {}, next: 'another.0', reset: true })
  }
  // The answer of the poll under way is the old one, and the next one begins anew.
  await service.post('/revoke', { token: await obtain() }, nightlyReport)
  while (count('/revocation-feed') < polls + 2) {
    timer.tick()
    await new Promise((resume) => setImmediate(resume))
  }
  assert.equal(await api.use(token), 200)
  assert.equal(count('/jwks'), keys + 1)
})
