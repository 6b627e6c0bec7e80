/** Answers of an OpenID provider that are malformed, late or too long, and claims that fit no owner. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { exportJWK, generateKeyPair } from 'jose'
import { ownerLimits } from '../../src/owners/limits.ts'
import { parameterLimits } from '../../src/protocol/parameters.ts'
import { labelCharacters } from '../../src/rooms/upstream-trip.ts'
import { upstreamLimits } from '../../src/upstreams/limits.ts'
import { Browser, type Page } from '../support/browser.ts'
import { type Liar, type Lies, openLiar } from '../support/liar.ts'
import { type Started, start } from '../support/start.ts'
import { formTo, leave, upstreamsOf } from '../support/upstream.ts'

/** A form encodes each of these (RFC 6749 section 2.3.1). */
const clientSecret = 'a secret: ä+%'

type Claims = Readonly<Record<string, unknown>>

let liar: Liar
let service: Started
before(async () => {
  const change = { trust_email: true, client_secret: clientSecret }
  liar = await openLiar(() => service.now(), change)
  service = await start({ signUp: 'open', upstreams: upstreamsOf([liar.upstream]) })
})
after(async () => {
  await service.close()
  await liar.close()
})

const metadataPath = '/.well-known/openid-configuration'

/** Forgets the metadata of the test before. */
beforeEach(async () => {
  liar.lies = {}
  await service.advance(upstreamLimits.metadataSeconds + 1)
})

let count = 0

const begin = async (lies: Lies) => {
  const subject = `person-${++count}`
  Object.assign(liar, { subject, lies })
  const browser = new Browser(service)
  return { browser, subject, url: await leave(browser, await browser.go('/login'), 'liar') }
}

/** The page after the trip, and what the log tells of it. */
const meet = async (lies: Lies, at: Lies = lies) => {
  const { browser, subject, url } = await begin(at)
  liar.lies = lies
  const page = await browser.go(liar.approve(url))
  assert.ok(!browser.cookies.has('latchkey_session'))
  return { browser, subject, page }
}

const lastFault = () => {
  const { fault, detail } = Object(service.notices.findLast((notice) => 'fault' in notice))
  return [fault, detail]
}

const press = async (): Promise<Page> => {
  const browser = new Browser(service)
  const { action, fields } = formTo(await browser.go('/login'), '/login/with/liar')
  return browser.go(action, fields)
}

const said = (status: number, body: unknown) => ({ status, text: JSON.stringify(body) })
const token = (status: number, body: unknown): Lies => ({
  answers: { '/token': said(status, body) },
})

describe('a fault of the provider is told as what it is', () => {
  const faults: readonly (readonly [string, Lies, number, string, string])[] = [
    ['is in trouble', token(500, {}), 503, 'unreachable', 'token: status 500'],
    ['is asked too often', token(429, {}), 503, 'unreachable', 'token: status 429'],
    [
      'refuses the code',
      token(400, { error: 'bad_code' }),
      502,
      'wrong',
      'token: status 400 bad_code',
    ],
    [
      'answers names in its error',
      token(400, { error: 'Ann <a@b.example>' }),
      502,
      'wrong',
      'token: status 400',
    ],
    ['answers a list', token(200, [{ id_token: 'a.b.c' }]), 502, 'wrong', 'token: no JSON object'],
    ['answers another status', token(201, {}), 502, 'wrong', 'token: status 201'],
    [
      'answers too much',
      token(200, 'x'.repeat(upstreamLimits.bytes)),
      502,
      'wrong',
      'token: too_large status_200',
    ],
    ['tells no person', token(200, { access_token: 'a' }), 502, 'wrong', 'no ID token'],
    [
      'has a long ID token',
      { idToken: { more: 'x'.repeat(upstreamLimits.idTokenCharacters) } },
      502,
      'wrong',
      'ID token: malformed',
    ],
    [
      'has a long subject',
      { idToken: { sub: 'x'.repeat(upstreamLimits.subjectCharacters + 1) } },
      502,
      'wrong',
      'ID token: sub',
    ],
    [
      'is refused by the person',
      { back: { code: '', error: 'access_denied' } },
      403,
      'refused',
      'access_denied',
    ],
    [
      'leads back with a text',
      { back: { error: 'Ann <a@b.example>' } },
      403,
      'refused',
      'an unknown error',
    ],
    ['leads back without a code', { back: { code: '' } }, 502, 'wrong', 'no code'],
  ]
  for (const [name, lies, status, kind, detail] of faults) {
    test(`where it ${name}`, async () => {
      const { page } = await meet(lies, {})
      assert.equal(page.status, status, page.text)
      assert.deepEqual(lastFault(), [kind, detail])
    })
  }
})

describe('the metadata of the provider', () => {
  const bad: Readonly<Record<string, unknown>> = {
    'http outside of this machine': 'http://login.example/token',
    'a password in it': 'https://us:secret@login.example/token',
    'another scheme': 'ftp://login.example/token',
    'no text': 7,
  }
  for (const [name, url] of Object.entries(bad)) {
    for (const member of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
      test(`are refused for a ${member} with ${name}`, async () => {
        liar.lies = { metadata: { [member]: url } }
        assert.equal((await press()).status, 502)
        assert.deepEqual(lastFault(), ['wrong', 'metadata: endpoints'])
      })
    }
  }

  const asks = () => liar.site.requests.filter(({ url }) => url === metadataPath).length

  test('are asked for once an hour, by logins at once together', async () => {
    const before = asks()
    await Promise.all([press(), press(), press()])
    assert.equal(asks(), before + 1)
    await service.advance(upstreamLimits.metadataSeconds - 1)
    await press()
    assert.equal(asks(), before + 1)
    await service.advance(1)
    await press()
    assert.equal(asks(), before + 2)
  })

  test('are asked for again some seconds after a failure', async () => {
    liar.lies = { metadata: { issuer: 'https://other.example' } }
    assert.equal((await press()).status, 502)
    liar.lies = {}
    await service.advance(upstreamLimits.failureSeconds - 1)
    assert.equal((await press()).status, 502)
    await service.advance(1)
    assert.equal((await press()).status, 303)
  })

  test('serve while the provider is down, and no longer once they are of another', async () => {
    await press()
    await service.advance(upstreamLimits.metadataSeconds)
    liar.lies = { answers: { [metadataPath]: said(503, {}) } }
    assert.equal((await press()).status, 303)
    await service.advance(upstreamLimits.failureSeconds)
    liar.lies = { metadata: { issuer: 'https://other.example' } }
    assert.equal((await press()).status, 502)
  })

  const methods: readonly (readonly [unknown, boolean])[] = [
    [undefined, true],
    [['client_secret_post', 'client_secret_basic'], true],
    [['client_secret_post'], false],
  ]
  for (const [supported, isBasic] of methods) {
    test(`say where the secret goes: ${JSON.stringify(supported)}`, async () => {
      const name = 'token_endpoint_auth_methods_supported'
      await meet({ metadata: { [name]: supported } })
      const sent = liar.site.requests.findLast(({ url }) => url === '/token')
      const encoded = `us:a+secret%3A+%C3%A4%2B%25`
      const expected = isBasic ? [`Basic ${btoa(encoded)}`, null] : [undefined, clientSecret]
      const { body, headers } = sent ?? { body: '', headers: {} }
      const inForm = new URLSearchParams(body).get('client_secret')
      assert.deepEqual([headers.authorization, inForm], expected)
    })
  }
})

test('an ID token without a key id is of one of several keys', async () => {
  const published = await (await fetch(`${liar.issuer}/jwks`)).json()
  const { publicKey } = await generateKeyPair('ES256')
  const keys = [await exportJWK(publicKey), ...Object(published).keys]
  const { page } = await meet({ answers: { '/jwks': said(200, { keys }) } })
  assert.match(page.text, /You are new here/)
  const others = { answers: { '/jwks': said(200, { keys: keys.slice(0, 1) }) } }
  await service.advance(upstreamLimits.metadataSeconds)
  assert.equal((await meet(others)).page.status, 502)
  assert.deepEqual(lastFault(), ['wrong', 'ID token: signature'])
})

describe('the claims of a newcomer', () => {
  const ownerOf = async (lies: Lies) => {
    const { browser, subject, page } = await meet(lies, {})
    const { action, fields } = formTo(page, '/login/with/liar/new')
    await browser.go(action, fields)
    const account = { upstream: 'liar', issuer: liar.issuer, subject }
    const owner = await service.server().store.findUpstreamOwner(account)
    assert.ok(owner, page.text)
    const { name, email, emailVerified, claims } = owner
    const username = owner.username.replace(/-\d{6}$/, '')
    return { username, name, email, emailVerified, picture: claims.picture ?? '' }
  }
  const nobody = { username: 'user', name: '', email: '', emailVerified: false, picture: '' }
  const most = ownerLimits.personNameCharacters
  const proven = { email_verified: true }
  const cases: readonly (readonly [string, Claims, Partial<typeof nobody>])[] = [
    ['a name with unseen characters', { name: 'A\u202en\u200bn\n' }, { name: 'Ann' }],
    ['a long name', { name: '\u{1f600}'.repeat(most + 1) }, { name: '\u{1f600}'.repeat(most) }],
    [
      'a picture over https',
      { picture: 'https://a.example/1' },
      { picture: 'https://a.example/1' },
    ],
    ['a picture over http', { picture: 'http://a.example/1' }, {}],
    ['a script for a picture', { picture: 'javascript:alert(1)' }, {}],
    ['an address for a username', { preferred_username: 'Ann.B@x.example' }, { username: 'ann.b' }],
    ['a username that nobody can type', { preferred_username: 'Ä /<b>' }, { username: 'b' }],
    ['an address with a blank', { email: 'ann b@x.example', ...proven }, {}],
    ['two addresses', { email: 'ann@x.example,b@x.example', ...proven }, {}],
    ['an address with another @', { email: 'ann\uff20x.example@y.example', ...proven }, {}],
    [
      'an address that a text calls verified',
      { email: 'ann@x.example', email_verified: 'true' },
      { username: 'ann' },
    ],
    ['an address without a word', { email: 'bea@x.example' }, { username: 'bea' }],
    [
      'a verified address',
      { email: 'Eve@x.example', ...proven },
      { username: 'eve', email: 'Eve@x.example', emailVerified: true },
    ],
  ]
  for (const [name, idToken, expected] of cases) {
    test(`are cut to what an owner may have: ${name}`, async () => {
      const found = await ownerOf({ idToken: { email: '', ...idToken } })
      assert.deepEqual(found, { ...nobody, ...expected })
    })
  }

  test('make a label that is not longer than one may be', async () => {
    const email = `${'x'.repeat(parameterLimits.emailCharacters - 10)}@x.example`
    assert.ok(email.length > labelCharacters)
    await ownerOf({ idToken: { email, email_verified: true } })
    const { store } = service.server()
    const [id] = await store.listOwnersOfEmail(email, 1)
    assert.ok(id)
    const [link] = await store.listUpstreamLinks(id)
    assert.equal(link?.label, email.slice(0, labelCharacters))
  })

  test('keep the username of the ID token where userinfo tells none', async () => {
    const lies = { idToken: { preferred_username: 'ann' }, userinfo: { name: 'Ann' } }
    assert.deepEqual(await ownerOf(lies), { ...nobody, username: 'ann', name: 'Ann' })
  })
})
