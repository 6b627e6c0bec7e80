/** Attacks: details of another client, growing ones, lies in their values, and floods of them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CompactSign } from 'jose'
import { detailLimits } from '../../src/access/details/limits.ts'
import { bearer, operatorOf } from '../flows/operator.ts'
import { enter } from '../support/authorization.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { keySetOf, newKeys, objectClaims, sign } from '../support/client-keys.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import {
  books,
  detailRequest,
  obtainDetails,
  openConsent,
  refusalOf,
  rent,
  startWithDetails,
} from '../support/details.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { register, requestOf } from '../support/registered.ts'
import { startBefore } from '../support/start.ts'
import { introspect, redeem, refresh } from '../support/tokens.ts'

const service = startBefore(startWithDetails)

const codeOf = (answer: readonly (string | undefined)[]): string | undefined => answer[0]

describe('details of another client', () => {
  test('outside its scope, or its authorization_details_types, are refused', async () => {
    const operator = await operatorOf(service)
    const redirect = 'https://strict.example/cb'
    const metadata = { client_id: 'strict', redirect_uris: [redirect], scope: 'photos' }
    const { body } = await operator('POST', 'clients', metadata)
    const changes = { client_id: 'strict', redirect_uri: redirect, scope: undefined }
    const ask = async (details: unknown) =>
      codeOf(await refusalOf(service, JSON.stringify(details), changes))
    assert.equal(body.client_id, 'strict')
    assert.equal(await ask([rent]), 'invalid_authorization_details')
    assert.equal(await ask([{ type: 'photos', actions: ['read'] }]), 'shown')
    await operator('PATCH', 'clients/strict', { authorization_details_types: ['payments'] })
    assert.equal(await ask([rent]), 'shown')
    assert.equal(
      await ask([{ type: 'photos', actions: ['read'] }]),
      'invalid_authorization_details',
    )
    await operator('PATCH', 'clients/strict', { authorization_details_types: [] })
    assert.equal(await ask([rent]), 'invalid_authorization_details')
    const unknown = await operator('PATCH', 'clients/strict', {
      authorization_details_types: ['planes'],
    })
    assert.equal(unknown.status, 400)
  })

  test('a limit that comes later counts at the next request', async () => {
    const operator = await operatorOf(service)
    const { access_token, refresh_token } = await obtainDetails(service, [rent, books])
    await operator('PATCH', 'clients/photo-printer', { authorization_details_types: ['orders'] })
    assert.deepEqual((await introspect(service, access_token)).authorization_details, [books])
    const next = (await refresh(service, refresh_token)).body
    assert.deepEqual(next.authorization_details, [books])
    await operator('PATCH', 'clients/photo-printer', { authorization_details_types: null })
  })

  test('a client that registered itself is limited by itself, and its owner decides', async () => {
    const types = ['payments', 'planes']
    const client = await register(service, { authorization_details_types: types })
    assert.deepEqual(client.body.authorization_details_types, ['payments'])
    const browser = await enter(service)
    const ask = (details: unknown) => {
      const changes = { scope: '', authorization_details: JSON.stringify(details) }
      return browser.go(service.issuer + authorizePath(requestOf(client, changes)))
    }
    assert.match((await ask([rent])).url, /\/consent\?/)
    assert.equal(answerOf(await ask([books])).error, 'invalid_authorization_details')
  })

  test('the token of one client does not carry what another was approved', async () => {
    const { refresh_token } = await obtainDetails(service, [rent])
    const other = await register(service, {
      grant_types: ['authorization_code', 'refresh_token'],
    })
    const answer = await refresh(service, refresh_token, other.credentials)
    assert.equal(answer.body.error, 'invalid_grant')
  })
})

describe('details that grow', () => {
  test('between the page and the answer: the journey is sealed', async () => {
    const { browser, page } = await openConsent(service, [{ ...rent, amount: '1' }], {
      prompt: 'consent',
    })
    const more = JSON.stringify([{ ...rent, amount: '9999' }])
    const changes = { decision: 'allow', authorization_details: more }
    const { code = '' } = answerOf(await browser.submit(page, changes))
    const { body } = await redeem(service, code)
    assert.deepEqual(body.authorization_details, [{ ...rent, amount: '1' }])
  })

  test('at a refresh, after narrower tokens, and with scope', async () => {
    const small = { ...books, actions: ['read'] }
    const { refresh_token } = await obtainDetails(service, [books], { scope: 'photos:read' })
    const narrow = { authorization_details: JSON.stringify([small]) }
    const next = (await refresh(service, refresh_token, photoPrinter, narrow)).body
    assert.deepEqual(next.authorization_details, [small])
    for (const details of [[{ ...books, shop: 'All' }], [rent], [small, rent]]) {
      const changes = { authorization_details: JSON.stringify(details) }
      const answer = await refresh(service, next.refresh_token, photoPrinter, changes)
      assert.equal(answer.body.error, 'invalid_authorization_details')
    }
    const scope = await refresh(service, next.refresh_token, photoPrinter, {
      scope: 'orders:write',
    })
    assert.equal(scope.body.error, 'invalid_scope')
  })

  test('a detail is no permission: not at our API beyond it, and not for a request that needs one', async () => {
    const one = { type: 'photos', actions: ['read'], identifier: 'one' }
    const { access_token } = await obtainDetails(service, [one])
    const statusOf = async (path: string): Promise<number> =>
      (await service.ask(path, bearer(access_token))).status
    for (const path of ['/api/photos', '/api/photos/two', '/api/photos/One', '/api/contacts/one']) {
      assert.equal(await statusOf(path), 403, path)
    }
    assert.equal(await statusOf('/api/photos/one'), 404)
    assert.equal(await statusOf('/userinfo'), 403)
    const proxy = new URLSearchParams({
      resource: `${service.issuer}/api/photos`,
      scope: 'photos:read',
    })
    const asked = await service.ask(`/forward-auth?${proxy}`, bearer(access_token))
    assert.equal(asked.status, 403)
  })

  test('a deleted resource takes its details along', async () => {
    const operator = await operatorOf(service)
    const made = {
      name: 'loans',
      title: 'Loans',
      read: 'See',
      write: 'Lend',
      details: { sum: 'Sum' },
    }
    assert.equal((await operator('POST', 'resources', made)).status, 201)
    await operator('PATCH', 'clients/photo-printer', {
      authorization_details_types: ['loans', 'payments', 'orders', 'photos'],
    })
    const loan = { type: 'loans', actions: ['write'], sum: 5 }
    const { access_token } = await obtainDetails(service, [loan, books])
    await operator('DELETE', 'resources/loans')
    assert.deepEqual((await introspect(service, access_token)).authorization_details, [books])
    await operator('PATCH', 'clients/photo-printer', { authorization_details_types: null })
  })
})

describe('values that lie', () => {
  test('markup is text, and every unseen character is spelled out', async () => {
    const hostile = { ...rent, to: '"><script>x</script>&amp;', amount: '100\u202e00.1\u200b' }
    const { page } = await openConsent(service, [hostile], { prompt: 'consent' })
    assert.doesNotMatch(page.text, /<script>x/)
    assert.ok(page.text.includes('<bdi>&quot;&gt;&lt;script&gt;x&lt;/script&gt;&amp;amp;</bdi>'))
    assert.ok(page.text.includes('<bdi class="sum">100‹U+202E›00.1‹U+200B›'))
  })

  test('the same on the account page and in the console', async () => {
    const hostile = { ...rent, to: '<img src=x>', amount: '\u2066 1' }
    const { access_token } = await obtainDetails(service, [hostile])
    const operator = await operatorOf(service)
    const { body } = await operator('POST', 'tokens/inspect', { token: access_token })
    const browser = await enter(service)
    const { text } = await browser.go(`/account/access/${body.authorization_id}`)
    assert.doesNotMatch(text, /<img src=x>/)
    assert.ok(text.includes('<bdi>‹U+2066› 1</bdi>'))
  })

  test('values of a refused request are kept nowhere, and told to nobody', async () => {
    const details = JSON.stringify([{ ...rent, iban: 'DE75512108001245126199' }])
    const [error, said = ''] = await refusalOf(service, details)
    assert.equal(error, 'invalid_authorization_details')
    assert.doesNotMatch(said, /DE75|Landlord|iban/)
    const operator = await operatorOf(service)
    const { text } = await operator('GET', 'refusals')
    assert.match(text, /invalid_authorization_details/)
    assert.doesNotMatch(text, /DE75|Landlord/)
    assert.doesNotMatch(JSON.stringify(service.notices), /DE75|Landlord/)
  })
})

describe('huge lists', () => {
  test('are refused before they cost anything', async () => {
    const one = { type: 'orders', actions: ['read'] }
    const many = Array.from({ length: detailLimits.details + 1 }, (_, n) => ({
      ...one,
      shop: String(n),
    }))
    assert.equal(
      codeOf(await refusalOf(service, JSON.stringify(many))),
      'invalid_authorization_details',
    )
    for (const text of ['['.repeat(4000), `[${'{},'.repeat(1300)}{}]`, ' '.repeat(9000)]) {
      assert.equal(codeOf(await refusalOf(service, text)), 'invalid_authorization_details')
    }
  })

  test('the largest that is taken fits every token and its refresh', async () => {
    const shop = 'x'.repeat(detailLimits.valueCharacters)
    const large = [1, 2, 3, 4, 5].map((n) => ({ ...books, shop: `${n}${shop.slice(1)}` }))
    const { access_token, refresh_token } = await obtainDetails(service, large)
    assert.match(access_token, /^eyJ/)
    assert.ok(access_token.length < 8192, String(access_token.length))
    assert.deepEqual((await introspect(service, access_token)).authorization_details, large)
    assert.equal((await refresh(service, refresh_token)).status, 200)
  })

  test('an authorization that is full forgets the oldest, and stays small', async () => {
    const names = Array.from({ length: 4 }, (_, round) =>
      Array.from({ length: 15 }, (_, n) => ({ ...rent, to: `${round}-${n}` })),
    )
    const tokens = []
    for (const details of names) tokens.push(await obtainDetails(service, details))
    const [first, last] = [tokens[0], tokens.at(-1)]
    const left = (await introspect(service, first?.access_token ?? '')).authorization_details ?? []
    assert.ok(left.length < 15)
    const latest = await introspect(service, last?.access_token ?? '')
    assert.equal(latest.authorization_details.length, 15)
  })
})

describe('details smuggled through a request object', () => {
  test('what stands outside does not count; inside it is JSON or text', async () => {
    const keys = await newKeys('ES256', 'k-1')
    const client = await register(service, { jwks: keySetOf(keys) })
    const header = { typ: 'oauth-authz-req+jwt' }
    const claims = { ...objectClaims(service, client), scope: undefined }
    const askWith = async (inside: object, outside: Record<string, string>): Promise<string> => {
      const request = await sign({ ...claims, response_type: 'code', ...inside }, keys, header)
      const browser = await enter(service)
      const parameters = { client_id: client.id, request, ...outside }
      return (await browser.go(service.issuer + authorizePath(parameters))).text
    }
    const outer = { authorization_details: JSON.stringify([{ ...rent, amount: '9999' }]) }
    const redirect = { redirect_uri: client.redirectUri }
    const within = [{ ...rent, amount: '5.00' }]
    for (const authorization_details of [within, JSON.stringify(within)]) {
      const text = await askWith({ ...redirect, authorization_details }, outer)
      assert.match(text, /<bdi class="sum">5\.00[ <]/)
      assert.doesNotMatch(text, /9999/)
    }
    const none = await askWith({ ...redirect, scope: 'photos:read' }, outer)
    assert.doesNotMatch(none, /name="detail"/)
    assert.match(none, /name="permission"/)
  })

  test('a signed number that would be rounded is refused, and never shown as another', async () => {
    const keys = await newKeys('ES256', 'k-1')
    const client = await register(service, { jwks: keySetOf(keys) })
    const claims = objectClaims(service, client)
    const written = JSON.stringify({
      ...claims,
      authorization_details: [{ ...rent, amount: 'NUMBER' }],
    }).replace('"NUMBER"', '12345678901234567890')
    const request = await new CompactSign(Buffer.from(written))
      .setProtectedHeader({ alg: 'ES256', kid: 'k-1', typ: 'oauth-authz-req+jwt' })
      .sign(keys.privateKey)
    const page = await (await enter(service)).go(
      service.issuer + authorizePath({ client_id: client.id, request }),
    )
    assert.doesNotMatch(page.text, /12345678901234567/)
    assert.match(page.text, /cannot be kept: send it as a string/)
  })

  test('twice in one request is refused', async () => {
    const request = { ...codeRequest, ...detailRequest([rent]) }
    const browser = new Browser(service)
    const twice = `${authorizePath(request)}&authorization_details=%5B%5D`
    const { error } = answerOf(await browser.go(service.issuer + twice))
    assert.equal(error, 'invalid_request')
  })
})
