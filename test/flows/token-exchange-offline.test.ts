/** An exchanged JWT at an API that verifies it by itself: each end above it is heard of (RFC 8693, RFC 9068). */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { helper, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { books, obtainDetails, startWithDetails } from '../support/details.ts'
import { makeProver, postProven } from '../support/dpop.ts'
import { obtainFor, orders, startWithJwts } from '../support/elsewhere.ts'
import {
  accessTokenType,
  addHelpers,
  exchanged,
  exchangeGrant,
  letAct,
} from '../support/exchange.ts'
import { eventsOf, handTimer, poll } from '../support/feed.ts'
import { type OfflineApi, offlineApi } from '../support/offline.ts'
import { callback, codeRequest, obtainCode } from '../support/printing.ts'
import type { Started } from '../support/start.ts'
import { assertRefused, type Credentials, introspect, refresh } from '../support/tokens.ts'
import { type Operator, operatorOf } from './operator.ts'

const timer = handTimer()
let service: Started
let operator: Operator
let api: OfflineApi
let second: Credentials
before(async () => {
  service = await startWithJwts({ every: timer.every })
  operator = await operatorOf(service)
  api = offlineApi(service)
  await letAct(operator, 'photo-printer', ['helper'])
  const [added] = await addHelpers(operator, 1)
  second = added ?? assert.fail()
  await operator('PATCH', `clients/${second[0]}`, { scope: 'orders' })
})
after(async () => {
  api.close()
  await service.close()
})

/** Ends the waiting poll with the news, until the next one has begun. */
const hear = async (): Promise<void> => {
  const polls = () => api.asked.filter((path) => path === '/revocation-feed').length
  const earlier = polls()
  for (let turn = 0; polls() === earlier; turn++) {
    assert.ok(turn < 10_000, 'no news came')
    timer.tick()
    await new Promise((resume) => setImmediate(resume))
  }
}

const obtain = async () => {
  // What ended stays ended for logins of the same moment, and clocks may be ahead.
  service.pass(11)
  const first = await obtainFor(service, 'orders', [])
  const token = await exchanged(service, first.access_token)
  return { first, token, last: await exchanged(service, token, second) }
}

test('the claims name who acts, and what it hangs on', async () => {
  const { first, token, last } = await obtain()
  const claimsOf = (jwt: string) => decodeJwt(jwt)
  const [root, middle, leaf] = [first.access_token, token, last].map(claimsOf)
  assert.deepEqual(leaf?.act, {
    sub: second[0],
    client_id: second[0],
    act: { sub: 'helper', client_id: 'helper' },
  })
  assert.deepEqual([leaf?.sub, leaf?.client_id, leaf?.aud], [root?.sub, second[0], orders])
  const name = (claims: typeof root) => ({
    jti: claims?.jti,
    client_id: claims?.client_id,
    lk_authorization: claims?.lk_authorization,
  })
  assert.deepEqual(leaf?.lk_exchanged, [name(middle), name(root)])
  assert.equal((leaf?.exp ?? 0) <= (root?.exp ?? 0), true)
  const { act, aud } = await introspect(service, last, second)
  assert.deepEqual([act, aud], [leaf?.act, [orders]])
})

const authorizationOf = async (client: string): Promise<string> => {
  const { body } = await operator('GET', `authorizations?client=${client}`)
  return `authorizations/${body.items.at(-1).id}`
}

const ends: Readonly<Record<string, (of: Awaited<ReturnType<typeof obtain>>) => Promise<unknown>>> =
  {
    'the revocation of the subject token': ({ first: { access_token: token } }) =>
      service.post('/revoke', { token }, photoPrinter),
    'the revocation of its family': async ({ first: { refresh_token: token } }) =>
      service.post('/revoke', { token }, photoPrinter),
    'a refresh token that comes twice': async ({ first: { refresh_token: token } }) => {
      const next = (await refresh(service, token)).body
      await refresh(service, next.refresh_token)
      return refresh(service, token)
    },
    'the end of the application': async () =>
      operator('DELETE', await authorizationOf('photo-printer')),
    'the end of the branch above': async () => operator('DELETE', await authorizationOf('helper')),
    'its own end': async () => operator('DELETE', await authorizationOf(second[0])),
    'a pause of the branch above': async () =>
      operator('PATCH', await authorizationOf('helper'), { paused: true }),
    'a disabled client at the root': async () =>
      operator('PATCH', 'clients/photo-printer', { disabled: true }),
  }

for (const [name, end] of Object.entries(ends)) {
  test(`an API hears of ${name}`, async () => {
    const of = await obtain()
    assert.equal(await api.use(of.last), 200)
    await end(of)
    await hear()
    assert.equal(await api.use(of.last), 401)
    const { body } = await operator('GET', 'authorizations?state=paused')
    for (const { id } of body.items) {
      await operator('PATCH', `authorizations/${id}`, { paused: false })
    }
  })
}

test('the API of a token exchanges it for another API, and names itself', async () => {
  const { body: tools } = await operator('PATCH', 'clients/photo-printer', { disabled: false })
  assert.equal(tools.disabled, false)
  const grants = ['client_credentials', exchangeGrant]
  await operator('PATCH', 'clients/nightly-report', { grant_types: grants })
  const { access_token: token } = await obtainFor(service, 'orders invoices photos', [])
  const nightly = ['nightly-report', 'nightly-report-secret'] as const
  const invoices = { scope: 'invoices:read' }
  const onward = await exchanged(service, token, nightly, invoices)
  const { scope, act } = await introspect(service, onward, nightly)
  assert.deepEqual([scope, act], ['invoices:read', { sub: nightly[0], client_id: nightly[0] }])
  assert.equal((await introspect(service, onward, helper)).active, false)
})

test('the API takes a bound token to another one only by may_act of its client', async () => {
  const prover = await makeProver(service.now)
  const prove = () => prover.prove('POST', `${service.issuer}/token`)
  const request = { ...codeRequest, scope: 'orders', prompt: 'consent' }
  const code = await obtainCode(service, request)
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  const bound = (await postProven(service, form, photoPrinter, await prove())).body.access_token
  const asked = {
    grant_type: exchangeGrant,
    subject_token: bound,
    subject_token_type: accessTokenType,
  }
  const take = async () => postProven(service, asked, nightlyReport, await prove())
  assertRefused(
    await take(),
    'invalid_request',
    'the subject_token is bound to a key of its client: only a client in may_act of that client exchanges it',
  )
  await letAct(operator, 'photo-printer', ['helper', 'nightly-report'])
  assert.equal((await take()).body.token_type, 'DPoP')
})

test('a JWT below a client with pairwise subjects has the sub of another sector', async () => {
  await operator('PATCH', 'clients/photo-printer', { subject_type: 'pairwise' })
  const { first, token } = await obtain()
  const told = await introspect(service, token, helper)
  assert.equal(decodeJwt(token).sub, told.sub)
  assert.notEqual(told.sub, decodeJwt(first.access_token).sub)
  await operator('PATCH', 'clients/photo-printer', { subject_type: 'public' })
  assert.notEqual(decodeJwt((await obtain()).token).sub, told.sub)
})

test('the API of details hears of their end, where a scope names other APIs', async () => {
  const other = await startWithDetails()
  const operate = await operatorOf(other)
  await letAct(operate, 'photo-printer', ['helper'])
  const at = { resource: orders }
  const { access_token: token } = await obtainDetails(other, [books], { scope: 'photos:read' }, at)
  await exchanged(other, token)
  const { body: begun } = await poll(other, nightlyReport)
  const { body } = await operate('GET', 'authorizations')
  const ids = body.items.map(({ id }: { id: string }) => id).reverse()
  for (const id of ids) await operate('DELETE', `authorizations/${id}`)
  const news = await poll(other, nightlyReport, { after: begun.next })
  const events = await eventsOf(other, news, 'nightly-report')
  const told = ids.map((id: string) => ['authorization', id, true])
  assert.deepEqual(events.toSorted(), told.toSorted())
  await other.close()
})
