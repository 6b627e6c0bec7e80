/** Limits take effect: those that an operator may set, and fixed ones. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { refusalLimits } from '../../src/events/limits.ts'
import { housekeepingLimits } from '../../src/housekeeping.ts'
import { httpLimits } from '../../src/http/limits.ts'
import { askFor, enter } from '../support/authorization.ts'
import { Browser } from '../support/browser.ts'
import { houseApp } from '../support/demo-clients.ts'
import { lastLink } from '../support/mailbox.ts'
import { idTokenClaims } from '../support/openid.ts'
import { codeRequest, obtainCode, obtainTokens } from '../support/printing.ts'
import { type Answer, requestOf, start, startBefore } from '../support/start.ts'
import { redeem, refresh } from '../support/tokens.ts'
import { bearer, operatorOf } from './operator.ts'

const limits = {
  ...defaultLimits,
  refusalsPerMinute: 100,
  itemsPerResource: 9,
  codeSeconds: 20,
  refreshRetrySeconds: 0,
  resetLinkSeconds: 300,
  inviteLinkSeconds: 7200,
  networkFreeTries: 10,
}

const service = startBefore(() => start({ limits }))

const put = (id: string, token: string, json: unknown): Promise<Answer> =>
  service.ask(`/api/photos/${id}`, { ...bearer(token), method: 'PUT', json })

describe('a limit', () => {
  test('codeSeconds ends a code', async () => {
    const [inTime, late] = [await obtainCode(service), await obtainCode(service)]
    await service.advance(19)
    assert.equal((await redeem(service, inTime)).status, 200)
    await service.advance(1)
    assert.equal((await redeem(service, late)).body.error, 'invalid_grant')
  })

  test('journeySeconds ends an authorization request that waits', async () => {
    const browser = new Browser(service)
    const page = await askFor(service, {}, browser)
    await service.advance(900)
    const { status, text } = await browser.go(page.headers.get('location') ?? '')
    assert.equal(status, 400)
    assert.match(text, /This page was open for too long/)
  })

  test('refreshRetrySeconds takes a repeated refresh for theft', async () => {
    const { refresh_token: first } = await obtainTokens(service)
    assert.equal((await refresh(service, first)).status, 200)
    await service.advance(1)
    assert.equal((await refresh(service, first)).body.error, 'invalid_grant')
  })

  test('an ID token ends after an hour', async () => {
    const code = await obtainCode(service, { ...codeRequest, scope: 'openid' })
    const { body } = await redeem(service, code)
    const { iat = 0, exp } = await idTokenClaims(service, body.id_token, 'photo-printer')
    assert.equal(exp, iat + 3600)
  })

  test('resetLinkSeconds ends a link, and a mailbox gets five mails', async () => {
    const browser = new Browser(service)
    const ask = async () => {
      await browser.submit(await browser.go('/forgot'), { username: 'alice' })
      await service.advance(1)
    }
    const links = new Set<string>()
    for (let i = 0; i < 5; i++) {
      await ask()
      links.add(await lastLink(service))
    }
    assert.equal(links.size, 5)
    const link = await lastLink(service)
    await ask()
    assert.equal(await lastLink(service), link)
    assert.equal((await browser.go(link)).status, 200)
    await service.advance(300)
    assert.equal((await browser.go(link)).status, 410)
  })

  test('inviteLinkSeconds ends an invitation', async () => {
    const operator = await operatorOf(service)
    const { body } = await operator('POST', 'owners', { username: 'dora', password: null })
    const asked = { purpose: 'invite' }
    const { body: link } = await operator('POST', `owners/${body.id}/links`, asked)
    assert.equal(link.expires_at, service.now() + 7200)
  })

  test('networkFreeTries bounds wrong passwords of one address', async () => {
    const browser = new Browser(service)
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) {
      const typed = { username: `x${i}`, password: 'wrong' }
      statuses.push((await browser.submit(await browser.go('/login'), typed)).status)
    }
    assert.deepEqual(statuses, [...Array(11).fill(403), 429])
    await service.advance(3600)
  })

  test('jsonBytes and itemsPerResource bound items', async () => {
    const { access_token: token } = await obtainTokens(service)
    assert.equal((await put('large', token, { pad: 'x'.repeat(httpLimits.jsonBytes) })).status, 413)
    let last: Answer | null = null
    for (let i = 0; i < 10 && last?.status !== 409; i++) last = await put(`one-${i}`, token, {})
    assert.equal(
      last?.body.error_description,
      'the resource is full: it holds at most 9 items, delete some first',
    )
  })

  test('five wrong passwords of one name are free', async () => {
    const form = { grant_type: 'password', username: 'bob', password: 'wrong' }
    const errors: string[] = []
    for (let i = 0; i < 7; i++)
      errors.push((await service.post('/token', form, houseApp)).body.error)
    const wrong = 'invalid_grant'
    assert.deepEqual(errors, [...Array(6).fill(wrong), 'too_many_requests'])
  })

  test('refusalsPerMinute bounds refused requests', async () => {
    await service.advance(60)
    const statuses = new Map<number, number>()
    for (let i = 0; i < 102; i++) {
      const { status } = await service.ask('/token', { form: { grant_type: 'none' } })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    assert.deepEqual(
      [...statuses],
      [
        [401, 100],
        [429, 2],
      ],
    )
  })

  test('all requests over it have one reference for a client, which says how many there were', async () => {
    const operator = await operatorOf(service)
    await service.advance(60)
    const wrong = (clientId: string) =>
      service.ask('/token', {
        form: { grant_type: 'refresh_token', refresh_token: 'lk_rt_x', client_id: clientId },
      })
    for (let i = 0; i < 100; i++) await wrong('gallery')
    const over = [await wrong('gallery'), await wrong('gallery'), await wrong('gallery')]
    const [first = assert.fail()] = over
    assert.deepEqual(new Set(over.map(({ reference }) => reference)), new Set([first.reference]))
    const explained = async ({ reference }: Answer) =>
      (await operator('GET', `refusals/${reference}`)).body
    const found = await explained(first)
    assert.deepEqual(
      [found.reason, found.status, found.network, found.client_id, found.difference],
      [
        'too_many_refusals',
        429,
        '127.0.0.*',
        'gallery',
        '3 requests of one minute, one address and one client',
      ],
    )
    assert.match(found.fix, /^Wait as Retry-After says\./)
    await wrong('gallery')
    assert.match((await explained(first)).difference, /^4 requests /)
    await service.advance(60)
    for (let i = 0; i < 100; i++) await wrong('gallery')
    const later = await wrong('gallery')
    assert.notEqual(later.reference, first.reference)
    assert.match((await explained(later)).difference, /^1 request /)
    assert.match((await explained(first)).difference, /^4 requests /)
  })

  test('a stranger who names many clients gets few references', async () => {
    await service.advance(60)
    const answers: Answer[] = []
    for (let i = 0; i < 150; i++) {
      answers.push(
        await service.ask('/token', {
          form: { grant_type: 'refresh_token', refresh_token: 'lk_rt_x', client_id: `c${i}` },
        }),
      )
    }
    const over = answers.filter(({ status }) => status === 429)
    assert.equal(over.length, 50)
    assert.ok(new Set(over.map(({ reference }) => reference)).size <= refusalLimits.floodsOfOne + 1)
  })

  test('floods that have no room any more are refused as any other request, and lower no count', async () => {
    await service.advance(60)
    const clients = ['gallery', 'photo-printer', 'nightly-report', 'house-app', 'latchkey-admin']
    const wrong = async (i: number) => {
      const form = {
        grant_type: 'refresh_token',
        refresh_token: 'lk_rt_x',
        client_id: clients[i % clients.length] ?? '',
      }
      const request = requestOf(`${service.issuer}/token`, { form })
      const address = `203.0.113.${Math.floor(i / clients.length)}`
      const { headers } = await service.server().fetch(request, address)
      return headers.get('latchkey-reference') ?? ''
    }
    const differenceOf = async (reference: string) => {
      await service.advance(housekeepingLimits.refusalsFlushSeconds)
      return (await service.server().store.findRefusal(reference, 0))?.difference
    }
    const last = refusalLimits.floods + clients.length - 1
    for (let i = 0; i <= last; i += clients.length) {
      await Promise.all(Array.from({ length: 100 }, () => wrong(i)))
    }
    const first = await wrong(0)
    for (let i = 1; i <= last; i++) await wrong(i)
    const further = [await wrong(last), await wrong(last)]
    assert.equal(new Set(further).size, 2)
    assert.equal(await wrong(0), first)
    assert.match((await differenceOf(first)) ?? '', /^2 requests /)
  })

  test('LATCHKEY_CACHE_MB 0 caches nothing, and all works', async () => {
    assert.equal((await (await enter(service)).go('/account')).status, 200)
  })
})
