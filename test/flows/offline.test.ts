/** An API that verifies JWTs by itself: no question per request, and still no token after its end. */
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { housekeepingLimits } from '../../src/housekeeping.ts'
import { guardLimits } from '../../src/resource/guard-limits.ts'
import type { ProtectOptions } from '../../src/resource/index.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { obtainFor, startWithJwts } from '../support/elsewhere.ts'
import { handTimer } from '../support/feed.ts'
import { type OfflineApi, offlineApi } from '../support/offline.ts'
import type { Started } from '../support/start.ts'
import { type Operator, operatorOf } from './operator.ts'

const timer = handTimer()
let service: Started
let operator: Operator
let api: OfflineApi
before(async () => {
  service = await startWithJwts({ every: timer.every })
  operator = await operatorOf(service)
  api = offlineApi(service)
})
after(async () => {
  api.close()
  await service.close()
})

/** A further API. It stops with its test, so that a failure holds up nobody. */
const begin = (t: TestContext, ...given: [] | [Partial<ProtectOptions>]): OfflineApi => {
  const another = offlineApi(service, ...given)
  t.after(another.close)
  return another
}

const obtain = async (scope = 'orders'): Promise<string> =>
  (await obtainFor(service, scope, [])).access_token

/** Ends the waiting poll with the news, until the next one has begun. */
const settle = async (): Promise<void> => {
  const polls = () => api.asked.filter((path) => path === '/revocation-feed').length
  const before = polls()
  while (polls() === before) {
    timer.tick()
    await new Promise((resume) => setImmediate(resume))
  }
}

/** The questions about single tokens. */
const questions = (): number => api.asked.filter((path) => path === '/introspect').length

const unavailable = () => new Response(null, { status: 500 })

describe('a JWT', () => {
  test('is let in without a question, any number of times', async () => {
    const token = await obtain()
    const before = questions()
    for (let time = 0; time < 5; time++) assert.equal(await api.use(token), 200)
    assert.equal(questions(), before)
  })

  test('is let in without a question where its owner allowed the same once more', async () => {
    const first = await obtain()
    const second = await obtain()
    assert.equal(await api.use(first), 200)
    await settle()
    const before = questions()
    assert.deepEqual([await api.use(first), await api.use(second)], [200, 200])
    assert.equal(questions(), before)
  })

  test('is refused after its end', async () => {
    const token = await obtain()
    assert.equal(await api.use(token), 200)
    await service.advance(3600)
    assert.equal(await api.use(token), 401)
    // The operator's token has ended as well.
    operator = await operatorOf(service)
  })

  test('beside it, an opaque token is introspected as before', async () => {
    const token = await obtain('tools:read orders:read')
    const before = questions()
    assert.equal(await api.use(token), 200)
    assert.equal(questions(), before + 1)
  })
})

describe('what ends a JWT', () => {
  const ends: Readonly<Record<string, (token: string) => Promise<unknown>>> = {
    'its revocation': (token) => service.post('/revoke', { token }, photoPrinter),
    'the end of its authorization': (token) =>
      operator('DELETE', `authorizations/${decodeJwt(token).lk_authorization}`),
    'the end of all tokens of its client': () =>
      operator('POST', 'clients/photo-printer/end-tokens'),
    'an authorization that allows less': (token) =>
      operator('PATCH', `authorizations/${decodeJwt(token).lk_authorization}`, {
        scope: 'orders:write',
      }),
    'disabling its client': async () => {
      await operator('PATCH', 'clients/photo-printer', { disabled: true })
      // For the next test. The old tokens stay dead.
      await operator('POST', 'clients/photo-printer/end-tokens')
      await operator('PATCH', 'clients/photo-printer', { disabled: false })
    },
  }
  for (const [name, end] of Object.entries(ends)) {
    test(`${name}, as soon as the feed tells of it`, async () => {
      const token = await obtain()
      assert.equal(await api.use(token), 200)
      await end(token)
      await settle()
      assert.equal(await api.use(token), name.endsWith('allows less') ? 403 : 401)
    })
  }

  test('disabling its owner, until the owner may act again', async () => {
    const token = await obtain()
    const owner = `owners/${decodeJwt(token).sub}`
    await operator('PATCH', owner, { disabled: true })
    await settle()
    assert.equal(await api.use(token), 401)
    await operator('PATCH', owner, { disabled: false })
    assert.equal(await api.use(token), 200)
    await settle()
  })

  test('a token of the client itself ends with its own revocation', async () => {
    const form = { grant_type: 'client_credentials', scope: 'orders:read' }
    const { body } = await service.post('/token', form, nightlyReport)
    assert.equal(await api.use(body.access_token), 200)
    await service.post('/revoke', { token: body.access_token }, nightlyReport)
    await settle()
    assert.equal(await api.use(body.access_token), 401)
  })

  test('a pause lasts until it is resumed', async () => {
    const token = await obtain()
    const { sub } = decodeJwt(token)
    const of = { ownerId: sub as never, clientId: 'photo-printer' as never }
    const trace = (id: string) =>
      ({ eventId: id, at: service.now(), requestId: null, actor: { type: 'service' } }) as never
    await service.server().store.pauseAuthorizations(of, trace('zz-pause'))
    await settle()
    assert.equal(await api.use(token), 401)
    await service.server().store.resumeAuthorizations({ ...of, session: null }, trace('zz-resume'))
    assert.equal(await api.use(token), 200)
    await settle()
  })

  test('what is issued later needs no question again', async () => {
    await service.advance(guardLimits.clockSkewSeconds + 1)
    const token = await obtain()
    const before = questions()
    assert.equal(await api.use(token), 200)
    assert.equal(questions(), before)
  })
})

describe('restarts', () => {
  test('an API that starts learns of earlier revocations before it lets anybody in', async (t) => {
    const [revoked, good] = [await obtain(), await obtain()]
    await service.post('/revoke', { token: revoked }, photoPrinter)
    const second = begin(t)
    assert.equal(await second.use(revoked), 401)
    assert.equal(await second.use(good), 200)
  })

  test('an API that was away goes on where it was', async (t) => {
    const idle = begin(t)
    const token = await obtain()
    assert.equal(await idle.use(token), 200)
    idle.between = unavailable
    service.pass(30)
    await service.post('/revoke', { token }, photoPrinter)
    idle.between = () => null
    idle.close()
    const again = begin(t)
    assert.equal(await again.use(token), 401)
  })
})

describe('without the feed', () => {
  test('an API lets nobody in until it has heard of the revocations', async (t) => {
    const token = await obtain()
    const deaf = begin(t)
    deaf.between = (path) => (path === '/revocation-feed' ? unavailable() : null)
    assert.equal(await deaf.use(token), 503)
    assert.match(deaf.logged[0] ?? '', /revocation-feed answers 500.*JWTs are refused/)
    deaf.between = () => null
    service.pass(guardLimits.retrySeconds)
    assert.equal(await deaf.use(token), 200)
  })

  test('JWTs count for staleSeconds, and then none does', async (t) => {
    const token = await obtain()
    const deaf = begin(t, { staleSeconds: 10 })
    assert.equal(await deaf.use(token), 200)
    deaf.between = (path) => (path === '/revocation-feed' ? unavailable() : null)
    timer.tick()
    for (let tick = 0; tick < 40; tick++) timer.tick()
    service.pass(10)
    assert.equal(await deaf.use(token), 200)
    service.pass(1)
    assert.equal(await deaf.use(token), 503)
    deaf.between = () => null
    service.pass(1)
    assert.equal(await deaf.use(token), 200)
  })

  test('a client that may not read the feed lets nobody in', async (t) => {
    const stranger = begin(t, {
      clientId: photoPrinter[0],
      clientSecret: photoPrinter[1],
    })
    assert.equal(await stranger.use(await obtain()), 503)
    assert.match(stranger.logged[0] ?? '', /refuses the client photo-printer/)
  })

  test('opaque tokens are introspected all the same', async (t) => {
    const token = await obtain('tools:read orders:read')
    const deaf = begin(t)
    deaf.between = (path) => (path === '/revocation-feed' ? unavailable() : null)
    assert.equal(await deaf.use(token), 200)
  })
})

describe('the clock of the API', () => {
  test('set back, makes no old knowledge current', async (t) => {
    const token = await obtain()
    let back = 0
    const api = begin(t, { clock: () => service.now() * 1000 - back })
    assert.equal(await api.use(token), 200)
    back = 5000
    api.between = (path) => (path === '/revocation-feed' ? unavailable() : null)
    assert.equal(await api.use(token), 503)
    api.between = () => null
    back = 3000
    assert.equal(await api.use(token), 200)
  })
})

describe('a withdrawn key', () => {
  test('comes from no cache between the API and the service', async (t) => {
    const asked: (string | null)[] = []
    const careful = begin(t, {
      fetch: (url, init) => {
        const { pathname } = new URL(String(url))
        const request = new Request(String(url), init ?? {})
        if (pathname === '/jwks') asked.push(request.headers.get('cache-control'))
        if (typeof init?.body === 'string') {
          request.headers.set('content-length', String(init.body.length))
        }
        return service.server().fetch(request, '127.0.0.1')
      },
    })
    assert.equal(await careful.use(await obtain()), 200)
    assert.deepEqual(asked, ['no-cache'])
  })

  test('is forgotten, even if a node of the issuer still publishes it for a while', async () => {
    await service.advance(guardLimits.clockSkewSeconds + 1)
    const token = await obtain()
    assert.equal(await api.use(token), 200)
    const before = await service.ask('/jwks')
    const { kid = '' } = decodeProtectedHeader(token)
    // Of before the token: whoever has the key can write any time into it.
    const at = service.now() - guardLimits.clockSkewSeconds - 1
    const trace = { eventId: 'zz-withdraw', at, requestId: null, actor: { type: 'service' } }
    await service.server().store.removeKeys([kid], trace as never)
    api.between = (path) => (path === '/jwks' ? new Response(before.text) : null)
    await settle()
    assert.equal(await api.use(token), 200)
    await service.advance(housekeepingLimits.keyReloadSeconds)
    api.between = () => null
    assert.equal(await api.use(token), 401)
  })
})
