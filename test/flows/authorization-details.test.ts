/** `authorization_details` from the request to the API (RFC 9396). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { protect } from '../../src/resource/index.ts'
import { accessFormsOn } from '../support/accesses.ts'
import { enter } from '../support/authorization.ts'
import { answerOf, type Browser, formsOf } from '../support/browser.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import {
  books,
  detailRequest,
  obtainDetails,
  openConsent,
  rent,
  startWithDetails,
} from '../support/details.ts'
import { orders } from '../support/elsewhere.ts'
import { authorizePath, codeRequest, obtainTokens, walk } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { assertRefused, introspect, redeem, refresh } from '../support/tokens.ts'
import { bearer, operatorOf } from './operator.ts'

const service = startBefore(startWithDetails)

const beyond = 'authorization_details asks for more than was granted'

const at = async (path: string, token: string, init: object = {}): Promise<number> =>
  (await service.ask(path, { ...bearer(token), ...init })).status

describe('the consent page', () => {
  test('has one row for each, with its actions and every value', async () => {
    const urgent = { ...rent, amount: 12.5, urgent: true, identifier: 'invoice-7' }
    const { page } = await openConsent(service, [urgent, books], { prompt: 'consent' })
    const boxes = [
      ...page.text.matchAll(/<input type="checkbox" name="detail" value="(\d+)" checked>/g),
    ]
    assert.deepEqual(
      boxes.map(([, value]) => value),
      ['0', '1'],
    )
    const [first = '', second = ''] = page.text.split('name="detail"').slice(1)
    assert.match(
      first,
      /<span class="what"><b>Pay<\/b> from your account<\/span><small>Payments<\/small>/,
    )
    assert.match(first, /Can spend/)
    for (const [label, value] of [
      ['Only this one', 'invoice-7'],
      ['To', 'Landlord'],
      ['Urgent', 'true'],
    ]) {
      assert.ok(
        first.includes(`<dt>${label}</dt><dd><bdi>${value}</bdi></dd>`),
        `${label} in ${first}`,
      )
    }
    assert.match(first, /<span class="unseen">Amount <\/span><bdi class="sum">12\.5<\/bdi>/)
    assert.match(second, /<b>See<\/b> your orders, Change your orders/)
    assert.match(second, /at orders\.example\.com/)
    assert.match(second, /<dt>Shop<\/dt><dd><bdi>Books<\/bdi><\/dd>/)
    assert.match(page.text, /wants to use your payments and orders/)
    assert.doesNotMatch(page.text, /name="permission"/)
  })

  test('in the language of its owner', async () => {
    const { page } = await openConsent(service, [rent], { ui_locales: 'de', prompt: 'consent' })
    assert.match(page.text, /Pay from your account<\/span><small>Zahlungen<\/small>/)
    assert.match(page.text, /<span class="unseen">Betrag <\/span><bdi class="sum">800\.00<\/bdi>/)
  })

  test('what is unticked is not granted; nothing ticked is access_denied', async () => {
    const { browser, page } = await openConsent(service, [rent, books], { prompt: 'consent' })
    const answer = answerOf(await browser.submit(page, { decision: 'allow', detail: '1' }))
    const { body } = await redeem(service, answer.code ?? '')
    assert.deepEqual(body.authorization_details, [books])
    const again = await openConsent(service, [rent, books], { prompt: 'consent' })
    const none = await again.browser.submit(again.page, { decision: 'allow', detail: [] })
    assert.equal(answerOf(none).error, 'access_denied')
  })

  test('a tick that the page did not have is refused', async () => {
    for (const detail of ['2', '-1', '01', 'x']) {
      const { browser, page } = await openConsent(service, [rent, books], { prompt: 'consent' })
      const { status, text } = await browser.submit(page, { decision: 'allow', detail })
      assert.equal(status, 400)
      assert.match(text, /does not fit what the application asked for/)
    }
  })

  test('details stand beside permissions, and each is decided by itself', async () => {
    const asked = { scope: 'photos:read contacts:read', prompt: 'consent' }
    const { browser, page } = await openConsent(service, [rent], asked)
    const changes = { decision: 'allow', permission: 'photos:read' }
    const { code = '' } = answerOf(await browser.submit(page, changes))
    const { body } = await redeem(service, code)
    assert.equal(body.scope, 'photos:read')
    assert.deepEqual(body.authorization_details, [rent])
    const other = await openConsent(service, [rent], asked)
    const alone = await other.browser.submit(other.page, { ...changes, detail: [] })
    const without = (await redeem(service, answerOf(alone).code ?? '')).body
    assert.equal(without.scope, 'photos:read')
    assert.equal('authorization_details' in without, false)
  })
})

describe('an earlier approval', () => {
  test('answers for the same values, in any order, and for no others', async () => {
    const browser = await enter(service, 'bob', 'builder')
    const stepOf = async (details: unknown): Promise<string> => {
      const page = await browser.go(service.issuer + authorizePath(detailRequest(details)))
      return page.status === 302 ? 'answer' : new URL(page.url).pathname
    }
    const page = await browser.go(service.issuer + authorizePath(detailRequest([rent, books])))
    await browser.submit(page, { decision: 'allow' })
    const { actions, to, ...rest } = rent
    assert.equal(await stepOf([{ to, ...rest, actions }]), 'answer')
    assert.equal(
      await stepOf([{ ...books, actions: ['write', 'read'], locations: [orders] }]),
      'answer',
    )
    for (const other of [
      { ...rent, amount: '800.01' },
      { ...rent, amount: 800 },
      { ...rent, to: 'landlord' },
      { ...rent, identifier: 'one' },
      { ...rent, actions: ['pay', 'read'] },
      { ...books, actions: ['read'] },
      rest.amount === undefined ? rest : { type: 'payments', actions: ['pay'], to: 'Landlord' },
    ]) {
      assert.equal(await stepOf([rent, other]), '/consent', JSON.stringify(other))
    }
    const silent = authorizePath(detailRequest([{ ...rent, amount: '1' }], { prompt: 'none' }))
    assert.equal(answerOf(await browser.ask(service.issuer + silent)).error, 'consent_required')
  })

  test('of the whole scope says nothing of details', async () => {
    const browser = await enter(service)
    const all = { ...codeRequest, scope: 'payments payments:pay' }
    const page = await browser.go(service.issuer + authorizePath(all))
    if (page.url.includes('/consent')) await browser.submit(page, { decision: 'allow' })
    const detailed = { ...rent, amount: '77' }
    const next = await browser.go(service.issuer + authorizePath(detailRequest([detailed])))
    assert.match(next.url, /\/consent\?/)
  })

  test('stays when others are approved, and the latest decision about each holds', async () => {
    const [one, two] = [
      { ...rent, to: 'One' },
      { ...rent, to: 'Two' },
    ]
    const first = await obtainDetails(service, [one])
    const second = await obtainDetails(service, [two])
    const toldOf = async (token: string) => (await introspect(service, token)).authorization_details
    assert.deepEqual(await toldOf(first.access_token), [one])
    assert.deepEqual(await toldOf(second.access_token), [two])
    const { browser, page } = await openConsent(service, [one, two], { prompt: 'consent' })
    await browser.submit(page, { decision: 'allow', detail: '1' })
    assert.equal(await toldOf(first.access_token), undefined)
    assert.deepEqual(await toldOf(second.access_token), [two])
  })
})

describe('tokens', () => {
  test('of details alone: the whole answer, introspection, and the next generation', async () => {
    const { access_token, refresh_token, ...rest } = await obtainDetails(service, [rent])
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 3600,
      scope: '',
      authorization_details: [rent],
      refresh_token_timeout: 2_592_000,
    })
    const told = await introspect(service, access_token)
    assert.equal(told.active, true)
    assert.equal(told.scope, '')
    assert.deepEqual(told.authorization_details, [rent])
    assert.deepEqual(told.aud, [`${service.issuer}/api/payments`])
    assert.deepEqual((await introspect(service, refresh_token)).authorization_details, [rent])
    const next = (await refresh(service, refresh_token)).body
    assert.deepEqual(next.authorization_details, [rent])
    assert.deepEqual((await introspect(service, next.access_token)).authorization_details, [rent])
  })

  test('without details name none', async () => {
    const tokens = await obtainTokens(service, { ...codeRequest, scope: 'photos:read' })
    assert.equal('authorization_details' in tokens, false)
    assert.equal('authorization_details' in (await introspect(service, tokens.access_token)), false)
  })

  test('the parameter narrows at the code: some of the list, some of the actions', async () => {
    const asked = JSON.stringify([{ ...books, actions: ['read'] }])
    const tokens = await obtainDetails(service, [rent, books], {}, { authorization_details: asked })
    assert.deepEqual(tokens.authorization_details, [{ ...books, actions: ['read'] }])
    // The family keeps the whole grant.
    const next = (await refresh(service, tokens.refresh_token)).body
    assert.deepEqual(next.authorization_details, [rent, books])
    const changes = { authorization_details: JSON.stringify([rent]) }
    const one = (await refresh(service, next.refresh_token, photoPrinter, changes)).body
    assert.deepEqual(one.authorization_details, [rent])
  })

  test('more than was granted is refused, and uses nothing up', async () => {
    const granted = { ...books, actions: ['read'] }
    const { refresh_token } = await obtainDetails(service, [granted])
    for (const more of [
      [books],
      [granted, rent],
      [{ type: 'orders', actions: ['read'] }],
      [{ ...granted, shop: 'Toys' }],
      [{ ...granted, identifier: 'one' }],
    ]) {
      const changes = { authorization_details: JSON.stringify(more) }
      const answer = await refresh(service, refresh_token, photoPrinter, changes)
      assertRefused(answer, 'invalid_authorization_details', beyond)
    }
    assert.equal((await refresh(service, refresh_token)).status, 200)
    const request = detailRequest([granted], { prompt: 'consent' })
    const { code = '' } = answerOf(await walk(service, request))
    const changes = { authorization_details: JSON.stringify([books]) }
    const refused = await redeem(service, code, photoPrinter, changes)
    assertRefused(refused, 'invalid_authorization_details', beyond)
    assert.equal((await redeem(service, code)).status, 200)
  })

  test('resource narrows details as it narrows permissions', async () => {
    const tokens = await obtainDetails(service, [rent, books], {}, { resource: orders })
    assert.deepEqual(tokens.authorization_details, [books])
    assert.deepEqual((await introspect(service, tokens.access_token)).aud, [orders])
  })

  test('a resource that no detail is for is refused, with the right ones', async () => {
    const request = detailRequest([rent], { resource: orders })
    const { error, error_description: said } = answerOf(await walk(service, request))
    assert.deepEqual(
      [error, said],
      [
        'invalid_target',
        `the request asks for nothing at the API that resource names: it is for ${service.issuer}/api/payments`,
      ],
    )
  })

  test('a JWT for an API elsewhere carries its details, and no others', async () => {
    const scope = 'photos:read'
    const { access_token } = await obtainDetails(service, [books], { scope }, { resource: orders })
    const claims = decodeJwt(access_token)
    assert.deepEqual(claims.authorization_details, [books])
    assert.equal(claims.aud, orders)
    assert.equal(claims.scope, '')
    const api = await introspect(service, access_token, nightlyReport)
    assert.deepEqual(api.authorization_details, [books])
  })

  test('an API is told of details on its own resource alone', async () => {
    const { access_token } = await obtainDetails(service, [rent, books])
    const api = await introspect(service, access_token, nightlyReport)
    assert.deepEqual(api.authorization_details, [books])
    const other = await obtainDetails(service, [rent])
    assert.deepEqual(await introspect(service, other.access_token, nightlyReport), {
      active: false,
    })
  })

  test('an implicit token has them, too', async () => {
    const request = {
      response_type: 'token',
      client_id: 'gallery',
      redirect_uri: 'http://127.0.0.1:6750/gallery',
      authorization_details: JSON.stringify([rent]),
    }
    const { access_token = '' } = answerOf(await walk(service, request))
    const told = await introspect(service, access_token, houseApp)
    assert.equal(told.active, false)
    assert.equal(await at('/api/payments', access_token), 403)
    assert.equal(await at('/api/photos', access_token), 403)
  })

  test('client credentials: within the scope of the client', async () => {
    const own = { type: 'payments', actions: ['read'], identifier: 'mine' }
    const form = { grant_type: 'client_credentials', authorization_details: JSON.stringify([own]) }
    const { body } = await service.post('/token', form, nightlyReport)
    assert.deepEqual([body.scope, body.authorization_details], ['', [own]])
    const told = await introspect(service, body.access_token, nightlyReport)
    assert.deepEqual(told.authorization_details, [own])
    assert.equal(await at('/api/payments/mine', body.access_token), 404)
    assert.equal(await at('/api/payments', body.access_token), 403)
  })

  test('a grant without a page takes none', async () => {
    const form = { grant_type: 'password', username: 'alice', password: 'wonderland' }
    const details = { authorization_details: JSON.stringify([rent]) }
    const answer = await service.post('/token', { ...form, ...details }, houseApp)
    const said =
      'authorization_details is not for the grant type password: the resource owner has to see it'
    assertRefused(answer, 'invalid_authorization_details', said)
  })
})

describe('the guard of an API elsewhere', () => {
  for (const offline of [true, false]) {
    test(`passes details on, ${offline ? 'offline' : 'by introspection'}`, async (t) => {
      const { access_token } = await obtainDetails(service, [books], {}, { resource: orders })
      const plain = await obtainTokens(service, {
        ...codeRequest,
        scope: 'orders:read',
        resource: orders,
      })
      const guard = protect({
        issuer: service.issuer,
        resource: orders,
        clientId: nightlyReport[0],
        clientSecret: nightlyReport[1],
        offline,
        clock: () => service.now() * 1000,
        fetch: (url, init = {}) => {
          const headers = new Headers(init.headers)
          if (typeof init.body === 'string') {
            headers.set('content-length', String(init.body.length))
          }
          const { signal: _, ...others } = init
          const request = new Request(String(url), { ...others, headers })
          return service.server().fetch(request, '127.0.0.1')
        },
      })
      t.after(guard.close)
      const accessOf = async (token: string, needs: readonly string[]) => {
        const request = new Request(orders, { headers: { authorization: `Bearer ${token}` } })
        const answer = await guard(request, needs, (access) => Response.json(access))
        return answer.status === 200 ? JSON.parse(await answer.text()) : answer.status
      }
      const access = await accessOf(access_token, [])
      assert.deepEqual([access.permissions, access.authorizationDetails], [[], [books]])
      assert.equal(await accessOf(access_token, ['orders:read']), 403)
      const other = await accessOf(plain.access_token, ['orders:read'])
      assert.equal('authorizationDetails' in other, false)
    })
  }
})

describe('our own API', () => {
  test('a detail opens its actions, on its item alone', async () => {
    const { access_token: whole } = await obtainTokens(service, {
      ...codeRequest,
      scope: 'payments',
      prompt: 'consent',
    })
    for (const id of ['one', 'two']) {
      assert.equal(await at(`/api/payments/${id}`, whole, { method: 'PUT', json: { n: id } }), 201)
    }
    const one = { type: 'payments', actions: ['read'], identifier: 'one' }
    const { access_token: read } = await obtainDetails(service, [one])
    assert.equal(await at('/api/payments/one', read), 200)
    assert.equal(await at('/api/payments/two', read), 403)
    assert.equal(await at('/api/payments', read), 403)
    assert.equal(await at('/api/payments/one', read, { method: 'PUT', json: {} }), 403)
    assert.equal(await at('/api/payments/one', read, { method: 'DELETE' }), 403)
    assert.equal(await at('/api/payments', read, { json: {} }), 403)
    assert.equal(await at('/api/photos', read), 403)
    const { access_token: all } = await obtainDetails(service, [
      { type: 'payments', actions: ['read', 'write'] },
    ])
    assert.equal(await at('/api/payments', all), 200)
    assert.equal(await at('/api/payments', all, { json: { n: 3 } }), 201)
    assert.equal(await at('/api/payments/two', all, { method: 'DELETE' }), 204)
  })
})

describe('the account page', () => {
  const openAccess = async (token: string, browser: Browser) => {
    const operator = await operatorOf(service)
    const { body } = await operator('POST', 'tokens/inspect', { token })
    assert.deepEqual(body.authorization_details, body.authorization_details)
    const id: string = body.authorization_id
    return { id, page: await browser.go(`/account/access/${id}`), operator }
  }

  test('shows them; one that is taken back is gone at the next request', async () => {
    const [one, two] = [
      { ...books, shop: 'Kept' },
      { ...books, shop: 'Taken' },
    ]
    const tokens = await obtainDetails(service, [one, two], { scope: 'photos:read' })
    const browser = await enter(service)
    const { id, page, operator } = await openAccess(tokens.access_token, browser)
    assert.match(page.text, /<bdi>Kept<\/bdi>/)
    const [form] = accessFormsOn(page)
    assert.ok(form)
    const values = form.fields.detail ?? []
    const boxOf = (shop: string): string => {
      const [before = ''] = page.text.split(`<bdi>${shop}</bdi>`)
      return [...before.matchAll(/name="detail" value="([^"]*)"/g)].at(-1)?.[1] ?? ''
    }
    const kept = values.filter((value) => value !== boxOf('Taken'))
    assert.equal(kept.length, values.length - 1)
    const done = await browser.submitForm(page, form, { action: 'narrow', detail: kept })
    assert.match(done.text, /can no longer do this: what it asked for in detail/)
    const told = await introspect(service, tokens.access_token)
    assert.deepEqual(told.authorization_details, [one])
    assert.equal(told.scope, 'photos:read')
    const next = (await refresh(service, tokens.refresh_token)).body
    assert.deepEqual(next.authorization_details, [one])
    // Approved again, it stays out of the tokens of before.
    await obtainDetails(service, [two])
    const later = (await refresh(service, next.refresh_token)).body
    assert.deepEqual(later.authorization_details, [one])
    const listed = (await operator('GET', `authorizations/${id}`)).body
    assert.ok(JSON.stringify(listed.authorization_details).includes('Kept'))
  })

  test('an old page takes back nothing that was approved since', async () => {
    const [one, two] = [
      { ...books, shop: 'Shown' },
      { ...books, shop: 'Later' },
    ]
    const tokens = await obtainDetails(service, [one], { scope: 'photos:read' })
    const browser = await enter(service)
    const { page } = await openAccess(tokens.access_token, browser)
    const [form] = accessFormsOn(page)
    assert.ok(form)
    const later = await obtainDetails(service, [two])
    await browser.submitForm(page, form, { action: 'narrow', detail: [] })
    assert.equal((await introspect(service, tokens.access_token)).authorization_details, undefined)
    assert.deepEqual((await introspect(service, later.access_token)).authorization_details, [two])
  })

  test('without any left, and no permission, the access ends', async () => {
    const asked = { ...books, shop: 'Last' }
    const browser = await enter(service, 'bob', 'builder')
    const request = detailRequest([asked], { prompt: 'consent', client_id: 'photo-printer' })
    const consent = await browser.go(service.issuer + authorizePath(request))
    const back = await browser.submit(consent, { decision: 'allow', duration: 'day' })
    const { body } = await redeem(service, answerOf(back).code ?? '')
    const { page } = await openAccess(body.access_token, browser)
    const [form] = accessFormsOn(page)
    assert.ok(form)
    await browser.submitForm(page, form, { action: 'narrow', detail: [] })
    assert.deepEqual(await introspect(service, body.access_token), { active: false })
    assert.equal((await refresh(service, body.refresh_token)).body.error, 'invalid_grant')
  })

  test('a form that names permissions alone takes back all details', async () => {
    const tokens = await obtainDetails(service, [{ ...books, shop: 'Silent' }], {
      scope: 'photos:read',
    })
    const browser = await enter(service)
    const { id, page } = await openAccess(tokens.access_token, browser)
    const csrf = formsOf(page.text)[0]?.fields.csrf ?? ''
    const form = { csrf, authorization: id, action: 'narrow', permission: 'photos:read' }
    await browser.go('/account', form)
    const told = await introspect(service, tokens.access_token)
    assert.deepEqual([told.scope, told.authorization_details], ['photos:read', undefined])
  })

  test('the download and the access log have them', async () => {
    const asked = { type: 'payments', actions: ['read'], amount: '4', to: 'Download' }
    const { access_token } = await obtainDetails(service, [asked])
    assert.equal(await at('/api/payments', access_token), 200)
    const browser = await enter(service)
    const confirmed = await browser.go('/account/download')
    const form = formsOf(confirmed.text).find(({ action }) => action === '/account/download')
    assert.ok(form)
    const file = await browser.submitForm(confirmed, form)
    const { applications, access_log: log } = JSON.parse(file.text)
    const details = applications.flatMap(
      (one: Record<string, unknown>) => one.authorization_details ?? [],
    )
    assert.ok(details.some((one: unknown) => JSON.stringify(one) === JSON.stringify(asked)))
    assert.ok(log.some((one: Record<string, unknown>) => one.resource === 'payments'))
  })
})

test('the metadata name the types', async () => {
  const { body } = await service.ask('/.well-known/oauth-authorization-server')
  assert.deepEqual(body.authorization_details_types_supported, [
    'photos',
    'contacts',
    'calendar',
    'payments',
    'orders',
  ])
  const api = await service.ask('/.well-known/oauth-protected-resource/api/payments')
  assert.deepEqual(api.body.authorization_details_types_supported, ['payments'])
})
