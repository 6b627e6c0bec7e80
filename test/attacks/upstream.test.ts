/** Attacks on logins by upstreams: a provider that lies, and strangers between it and the browser. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { Browser, type Page } from '../support/browser.ts'
import { openSite, type Site } from '../support/site.ts'
import { type Started, start } from '../support/start.ts'
import { formTo, leave, upstreamsOf } from '../support/upstream.ts'

type Claims = Readonly<Record<string, unknown>>

const { privateKey, publicKey } = await generateKeyPair('RS256')
const { privateKey: otherKey } = await generateKeyPair('RS256')

let site: Site
let service: Started
let issuer: string
/** What the token endpoint answers. */
let answer: (outgoing: ServerResponse) => Promise<void> | void
let isDown = false

const send = (outgoing: ServerResponse, body: unknown): void => {
  outgoing.setHeader('content-type', 'application/json')
  outgoing.end(JSON.stringify(body))
}

before(async () => {
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', use: 'sig' }] }
  site = await openSite(({ url = '' }, outgoing) => {
    if (isDown) {
      outgoing.destroy()
    } else if (url.startsWith('/.well-known')) {
      send(outgoing, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        authorization_response_iss_parameter_supported: true,
      })
    } else if (url === '/jwks') send(outgoing, keys)
    else void answer(outgoing)
  })
  issuer = `http://127.0.0.1:${site.port}`
  const upstream = { title: 'Liar', type: 'oidc', issuer, client_id: 'us', trust_email: true }
  const ids = ['other', 'another']
  service = await start({ upstreams: upstreamsOf(ids.map((id) => ({ ...upstream, id }))) })
})
after(async () => {
  await service.close()
  await site.close()
})
beforeEach(() => {
  isDown = false
})

interface Trip {
  readonly browser: Browser
  readonly state: string
  readonly nonce: string
}

const begin = async (browser = new Browser(service), path = '/login'): Promise<Trip> => {
  const url = new URL(await leave(browser, await browser.go(path)))
  const [state, nonce] = ['state', 'nonce'].map((name) => url.searchParams.get(name) ?? '')
  return { browser, state: state ?? '', nonce: nonce ?? '' }
}

const claimsFor = ({ nonce }: Pick<Trip, 'nonce'>): Claims => {
  const now = service.now()
  return { iss: issuer, aud: 'us', sub: '1', iat: now, exp: now + 300, nonce }
}

const signed = (claims: Claims, key = privateKey): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key)

const answerWith = (idToken: string | Promise<string>): void => {
  answer = async (outgoing) => send(outgoing, { access_token: 'a', id_token: await idToken })
}

const comeBack = (
  { state }: Pick<Trip, 'state'>,
  browser: Browser,
  further: Readonly<Record<string, string>> = {},
  id = 'other',
): Promise<Page> => {
  const query = new URLSearchParams({ code: 'c', state, iss: issuer, ...further })
  return browser.go(`/login/with/${id}/callback?${query}`)
}

const isInside = ({ cookies }: Browser): boolean => cookies.has('latchkey_session')

const refusedBy = async (change: (trip: Trip) => string | Promise<string>): Promise<number> => {
  const trip = await begin()
  answerWith(change(trip))
  const { status } = await comeBack(trip, trip.browser)
  assert.equal(isInside(trip.browser), false)
  return status
}

describe('a provider that lies', () => {
  test('is believed where it tells the truth', async () => {
    assert.equal(await refusedBy((trip) => signed(claimsFor(trip))), 200)
  })

  const changes: Readonly<Record<string, (claims: Claims) => Claims>> = {
    'of another issuer': (claims) => ({ ...claims, iss: 'https://other.example' }),
    'for another client': (claims) => ({ ...claims, aud: 'them' }),
    'for several clients, without saying for whom': (claims) => ({
      ...claims,
      aud: ['us', 'them'],
    }),
    'issued to another client': (claims) => ({ ...claims, azp: 'them' }),
    'that has ended': (claims) => ({ ...claims, exp: service.now() - 120 }),
    'from the future': (claims) => ({ ...claims, iat: service.now() + 120 }),
    'of an earlier login': (claims) => ({ ...claims, nonce: 'an-old-nonce' }),
    'without a nonce': ({ nonce: _, ...claims }) => claims,
    'without a subject': ({ sub: _, ...claims }) => claims,
    'with an empty subject': (claims) => ({ ...claims, sub: '' }),
  }
  for (const [name, change] of Object.entries(changes)) {
    test(`an ID token ${name} logs nobody in`, async () => {
      assert.equal(await refusedBy((trip) => signed(change(claimsFor(trip)))), 502)
    })
  }

  test('an ID token without a signature, or of another key, logs nobody in', async () => {
    assert.equal(await refusedBy((trip) => new UnsecuredJWT({ ...claimsFor(trip) }).encode()), 502)
    assert.equal(await refusedBy((trip) => signed(claimsFor(trip), otherKey)), 502)
    assert.equal(await refusedBy(() => 'no.token.'), 502)
  })

  test('a huge answer is not read to its end', async () => {
    assert.equal(await refusedBy(() => 'x'.repeat(100_000)), 502)
  })

  test('while it is down, a page says so, and passwords go on working', async () => {
    const trip = await begin()
    isDown = true
    const page = await comeBack(trip, trip.browser)
    assert.equal(page.status, 503)
    assert.match(page.text, /does not answer just now/)
    await trip.browser.logIn(page, 'alice', 'wonderland')
    assert.ok(isInside(trip.browser))
  })
})

describe('a stranger between provider and browser', () => {
  test('login CSRF: the state of another browser is worth nothing', async () => {
    const attacker = await begin()
    answerWith(signed(claimsFor(attacker)))
    const victim = new Browser(service)
    await victim.go('/login')
    const before = site.requests.length
    for (const browser of [victim, new Browser(service)]) {
      assert.equal((await comeBack(attacker, browser)).status, 403)
      assert.equal(isInside(browser), false)
    }
    // The code of the attacker is not even redeemed.
    assert.equal(site.requests.length, before)
  })

  test('code injection: a code of another trip brings an ID token of that trip', async () => {
    const [victim, attacker] = [await begin(), await begin()]
    answerWith(signed(claimsFor(victim)))
    assert.equal((await comeBack(attacker, attacker.browser)).status, 502)
    const verifiers = site.requests
      .filter(({ url }) => url === '/token')
      .map(({ body }) => new URLSearchParams(body).get('code_verifier'))
    assert.equal(new Set(verifiers).size, verifiers.length)
  })

  test('mix-up: an answer of another issuer, or for another upstream, is refused', async () => {
    const trip = await begin()
    answerWith(signed(claimsFor(trip)))
    const before = site.requests.length
    const others = { iss: 'https://other.example' }
    assert.equal((await comeBack(trip, trip.browser, others)).status, 502)
    assert.equal((await comeBack(trip, trip.browser, {}, 'another')).status, 403)
    assert.equal(site.requests.length, before)
  })

  test('replay: a callback that is sent again logs nobody else in, and asks for nothing', async () => {
    const trip = await begin()
    answerWith(signed({ ...claimsFor(trip), sub: 'replayed' }))
    const met = await comeBack(trip, trip.browser)
    const { action, fields } = formTo(met, '/login/with/other/new')
    await trip.browser.go(action, fields)
    const again = await begin()
    answerWith(signed({ ...claimsFor(again), sub: 'replayed' }))
    await comeBack(again, again.browser)
    assert.ok(isInside(again.browser))
    await again.browser.submit(await again.browser.go('/logout'))
    const before = site.requests.length
    const replayed = await comeBack(again, again.browser)
    assert.match(replayed.text, /This login was finished already/)
    assert.equal(isInside(again.browser), false)
    assert.equal((await comeBack(again, new Browser(service))).status, 403)
    assert.equal(site.requests.length, before)
  })

  test('email takeover: a verified address opens no account', async () => {
    const trip = await begin()
    const about = { email: 'alice@example.com', email_verified: true, preferred_username: 'alice' }
    answerWith(signed({ ...claimsFor(trip), name: 'Alice', ...about }))
    const met = await comeBack(trip, trip.browser)
    assert.match(met.text, /You are new here/)
    const { action, fields } = formTo(met, '/login/with/other/new')
    const refused = await trip.browser.go(action, fields)
    // Nor a second account with the address, and the page offers the login.
    assert.equal(refused.status, 409)
    assert.match(refused.text, /Another account here has confirmed your email address/)
    assert.ok(!isInside(trip.browser))
    assert.doesNotMatch((await trip.browser.go('/account')).text, /Photo Printer/)
  })

  test('pre-hijacking: an address that nobody proved is not kept for the new account', async () => {
    const trip = await begin()
    const about = { sub: 'squatter', email: 'victim@example.com', email_verified: false }
    answerWith(signed({ ...claimsFor(trip), ...about }))
    const { action, fields } = formTo(await comeBack(trip, trip.browser), '/login/with/other/new')
    await trip.browser.go(action, fields)
    assert.ok(isInside(trip.browser))
    // Otherwise a link for a new password would lead its true owner into the account of the other one.
    const { store } = service.server()
    assert.deepEqual(await store.listOwnersOfEmail('victim@example.com', 10), [])
  })

  test('account linking CSRF: a login begun by a stranger links nothing', async () => {
    const victim = new Browser(service)
    await victim.logIn(await victim.go('/login'), 'bob', 'builder')
    const attacker = await begin()
    answerWith(signed({ ...claimsFor(attacker), sub: 'attacker' }))
    assert.equal((await comeBack(attacker, victim)).status, 403)
    const { fields } = formTo(await victim.go('/account/security'), '/account/upstreams')
    assert.deepEqual(fields.action, ['link'])
    const forged = await victim.ask('/account/upstreams', { ...fields, csrf: 'x' })
    assert.equal(forged.status, 403)
  })

  test('linking: a trip that began before a logout links nothing', async () => {
    const browser = new Browser(service)
    await browser.logIn(await browser.go('/login'), 'bob', 'builder')
    const { action, fields } = formTo(await browser.go('/account/security'), '/account/upstreams')
    const url = new URL((await browser.ask(action, fields)).headers.get('location') ?? '')
    const [state, nonce] = [
      url.searchParams.get('state') ?? '',
      url.searchParams.get('nonce') ?? '',
    ]
    await browser.submit(await browser.go('/logout'))
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    answerWith(signed(claimsFor({ nonce })))
    assert.equal((await comeBack({ state }, browser)).status, 403)
  })

  test('open redirect: a login leads to a page of ours, whatever the form says', async () => {
    const browser = new Browser(service)
    const { action, fields } = formTo(await browser.go('/login'), '/login/with/other')
    const further = { next: 'https://evil.example', redirect_uri: 'https://evil.example' }
    const began = await browser.ask(action, { ...fields, ...further })
    const url = new URL(began.headers.get('location') ?? '')
    const back = url.searchParams.get('redirect_uri')
    assert.equal(back, `${service.issuer}/login/with/other/callback`)
    const [state, nonce] = [
      url.searchParams.get('state') ?? '',
      url.searchParams.get('nonce') ?? '',
    ]
    answerWith(signed({ ...claimsFor({ nonce }), sub: 'redirected' }))
    const met = await comeBack({ state }, browser)
    const form = formTo(met, '/login/with/other/new')
    const made = await browser.ask(form.action, form.fields)
    assert.equal(made.headers.get('location'), '/account')
  })
})
