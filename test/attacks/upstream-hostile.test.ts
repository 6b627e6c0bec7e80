/** A hostile OpenID provider, at each place where its answers count. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Browser, type Page } from '../support/browser.ts'
import { setUpCodes } from '../support/factors.ts'
import { type Liar, type Lies, openLiar } from '../support/liar.ts'
import { newPerson, password } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Started, start } from '../support/start.ts'
import { formTo, leave, upstreamsOf } from '../support/upstream.ts'

let liar: Liar
let service: Started
before(async () => {
  liar = await openLiar(() => service.now(), { sign_up: true })
  const upstreams = ['liar', 'second', 'closed'].map((id) => ({
    ...liar.upstream,
    id,
    sign_up: id !== 'closed',
  }))
  service = await start({ signUp: 'off', upstreams: upstreamsOf(upstreams) })
})
after(async () => {
  await service.close()
  await liar.close()
})

const isInside = ({ cookies }: Browser): boolean => cookies.has('latchkey_session')

const account = (subject: string) => ({ upstream: 'liar', issuer: liar.issuer, subject })

const ownerOf = (subject: string) =>
  service.server().store.findUpstreamOwner({ ...account(subject) })

/** A trip on its way, and whether its answer counted. */
interface Trip {
  readonly browser: Browser
  readonly url: string
  counted(page: Page): Promise<boolean>
}

let count = 0

const leaveFor = async (subject: string, path = '/login', browser = new Browser(service)) => {
  Object.assign(liar, { subject, lies: {} })
  return { browser, url: await leave(browser, await browser.go(path), 'liar') }
}

const newcomer = async (subject: string, lies: Lies = {}): Promise<Browser> => {
  const { browser, url } = await leaveFor(subject)
  liar.lies = lies
  const met = await browser.go(liar.approve(url))
  const { action, fields } = formTo(met, '/login/with/liar/new')
  await browser.go(action, fields)
  assert.ok(isInside(browser))
  return browser
}

const press = async (browser: Browser, path: string, form: string): Promise<string> => {
  const { action, fields } = formTo(await browser.go(path), form)
  const answer = await browser.ask(action, { ...fields, upstream: 'liar' })
  return answer.headers.get('location') ?? ''
}

const person = async (): Promise<{ readonly id: string; readonly browser: Browser }> => {
  const { id, username } = await newPerson(service)
  const browser = new Browser(service)
  await browser.logIn(await browser.go('/login'), username, password)
  return { id, browser }
}

const ways: Readonly<Record<string, () => Promise<Trip>>> = {
  async login() {
    const subject = `known-${++count}`
    await newcomer(subject)
    const { browser, url } = await leaveFor(subject)
    return { browser, url, counted: async () => isInside(browser) }
  },
  async newcomer() {
    const trip = await leaveFor(`new-${++count}`)
    return { ...trip, counted: async ({ text }) => text.includes('You are new here') }
  },
  async link() {
    const subject = `linked-${++count}`
    const { browser } = await person()
    Object.assign(liar, { subject, lies: {} })
    const url = await press(browser, '/account/security', '/account/upstreams')
    return { browser, url, counted: async () => (await ownerOf(subject)) !== null }
  },
  async confirm() {
    const browser = await newcomer(`confirms-${++count}`)
    await service.advance(3600)
    const url = await press(browser, '/account/confirm?next=delete', '/account/confirm')
    const counted = async () => /\/account\/delete$/.test((await browser.go('/account/delete')).url)
    return { browser, url, counted }
  },
}

const isTold = (lies: Lies) => async (trip: Trip) => {
  liar.lies = lies
  return trip.counted(await trip.browser.go(liar.approve(trip.url)))
}

const lies: Readonly<Record<string, () => Lies>> = {
  'no iss, though it was announced': () => ({ back: { iss: '' } }),
  'the iss of another provider': () => ({ back: { iss: 'https://other.example' } }),
  'an ID token of another issuer': () => ({ idToken: { iss: 'https://other.example' } }),
  'an ID token of the future': () => ({ idToken: { nbf: service.now() + 120 } }),
  'an nbf that is no time': () => ({ idToken: { nbf: 'now' } }),
  'an ID token that has ended': () => ({ idToken: { exp: service.now() - 120 } }),
  'an ID token for another client': () => ({ idToken: { aud: 'them' } }),
  'the nonce of another trip': () => ({ idToken: { nonce: 'another' } }),
  'the challenge as the nonce': () => ({
    idToken: (asked) => ({ nonce: asked.get('code_challenge') }),
  }),
}

for (const [way, begin] of Object.entries(ways)) {
  describe(`${way}: a hostile provider`, () => {
    test('is believed where it speaks the truth', async () => {
      assert.equal(await isTold({})(await begin()), true)
    })

    for (const [name, lie] of Object.entries(lies)) {
      test(`is refused with ${name}`, async () => {
        const trip = await begin()
        assert.equal(await isTold(lie())(trip), false)
      })
    }

    test('does not answer for another upstream', async () => {
      const { browser, url, counted } = await begin()
      const back = liar.approve(url).replace('/with/liar/', '/with/second/')
      const before = liar.site.requests.length
      const page = await browser.go(back)
      assert.equal(page.status, 403)
      assert.equal(await counted(page), false)
      assert.equal(liar.site.requests.length, before)
    })

    test('learns a nonce that is not the PKCE verifier', async () => {
      const { browser, url } = await begin()
      const asked = new URL(url).searchParams
      const nonce = asked.get('nonce') ?? ''
      const digest = createHash('sha256').update(nonce).digest('base64url')
      assert.notEqual(digest, asked.get('code_challenge'))
      await browser.go(liar.approve(url))
      const { body } = liar.site.requests.findLast((one) => one.url === '/token') ?? { body: '' }
      const verifier = new URLSearchParams(body).get('code_verifier') ?? ''
      assert.notEqual(verifier, nonce)
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      assert.equal(challenge, asked.get('code_challenge'))
    })
  })
}

describe('a hostile provider', () => {
  test('confirms nothing with an old auth_time, or with none', async () => {
    for (const auth_time of [undefined, 'now', service.now() - 86_400]) {
      const trip = await ways.confirm?.()
      assert.ok(trip)
      assert.equal(await isTold({ idToken: { auth_time } })(trip), false)
    }
  })

  test('gives nobody an address, unless the operator trusts it', async () => {
    await newcomer('addressed', {
      idToken: { email: 'victim@example.com', email_verified: true, name: 'Victim' },
    })
    const owner = await ownerOf('addressed')
    assert.deepEqual([owner?.email, owner?.emailVerified, owner?.name], ['', false, 'Victim'])
  })

  test('tells nothing at a userinfo endpoint that speaks of another person', async () => {
    await newcomer('lonely', { userinfo: { sub: 'other', name: 'Other' } })
    assert.equal((await ownerOf('lonely'))?.name, '')
  })

  for (const said of [{ acr: 'phr' }, { acr: '2' }, { amr: ['pwd', 'mfa'] }]) {
    test(`is one factor, unless the operator trusts it: ${JSON.stringify(said)}`, async () => {
      const subject = `factor-${++count}`
      const { browser: own } = await person()
      Object.assign(liar, { subject, lies: {} })
      const url = await press(own, '/account/security', '/account/upstreams')
      await own.go(liar.approve(url))
      await setUpCodes(own, service.now())
      await service.advance(60)
      const trip = await leaveFor(subject)
      liar.lies = { idToken: said }
      const second = await trip.browser.go(liar.approve(trip.url))
      assert.match(second.url, /\/login\/second/)
      assert.ok(!isInside(trip.browser))
      const path = authorizePath({ ...codeRequest, scope: 'openid', acr_values: '2' })
      const other = await leaveFor(`new-${++count}`, path)
      liar.lies = { idToken: said }
      const met = await other.browser.go(liar.approve(other.url))
      const { action, fields } = formTo(met, '/login/with/liar/new')
      await other.browser.go(action, fields)
      const { rows } = await service.server().store.listEvents({}, null, 5)
      const login = rows.find(({ type }) => type === 'login.succeeded')
      assert.equal(login?.details.context, '1')
    })
  }

  test('brings no newcomer where nobody may sign up', async () => {
    Object.assign(liar, { subject: 'stranger', lies: {} })
    const browser = new Browser(service)
    const url = await leave(browser, await browser.go('/login'), 'closed')
    const met = await browser.go(liar.approve(url))
    assert.match(met.text, /New accounts are made only by/)
    assert.doesNotMatch(met.text, /\/login\/with\/closed\/new/)
  })

  test('brings no newcomer to another upstream by the form of its own', async () => {
    const { browser, url } = await leaveFor('mixed')
    const met = await browser.go(liar.approve(url))
    const { action, fields } = formTo(met, '/login/with/liar/new')
    for (const id of ['second', 'closed']) {
      await browser.go(action.replace('/with/liar/', `/with/${id}/`), fields)
      assert.ok(!isInside(browser))
    }
  })

  test('is not linked without a recent proof', async () => {
    const { id, browser } = await person()
    const { action, fields } = formTo(await browser.go('/account/security'), '/account/upstreams')
    await service.advance(3600)
    const answer = await browser.ask(action, fields)
    assert.match(answer.headers.get('location') ?? '', /\/account\/confirm/)
    assert.deepEqual(await service.server().store.listUpstreamLinks(id as never), [])
  })

  test('confirms once where two answers of one trip come at once', async () => {
    const { browser, url } = (await ways.confirm?.()) ?? assert.fail()
    const back = liar.approve(url)
    const answers = await Promise.all([browser.ask(back), browser.ask(back)])
    const places = answers.map(({ headers }) => headers.get('location'))
    assert.deepEqual(places, ['/account/delete', '/account/delete'])
  })

  test('of a trip that is repeated, whoever is logged in goes on, and is told of that link', async () => {
    const subject = `taken-${++count}`
    const other = await newcomer(subject)
    const { browser, url } = await leaveFor(subject, '/login?switch=1', other)
    const repeated = liar.approve(url)
    for (let n = 0; n < 2; n++) assert.match((await browser.go(repeated)).url, /\/account$/)
    const own = (await ways.link?.()) ?? assert.fail()
    assert.equal(await isTold({})(own), true)
    const { action, fields } = formTo(
      await own.browser.go('/account/security'),
      '/account/upstreams',
    )
    assert.deepEqual([fields.action, fields.upstream], [['unlink'], ['liar']])
    const asked = { ...fields, action: 'link', upstream: 'second' }
    const led = await own.browser.ask(action, asked)
    // The same account there, but of another person here.
    Object.assign(liar, { subject: 'shared', lies: {} })
    const first = await leaveFor('shared')
    first.url = await leave(first.browser, await first.browser.go('/login'), 'second')
    const met = await first.browser.go(liar.approve(first.url))
    const form = formTo(met, '/login/with/second/new')
    await first.browser.go(form.action, form.fields)
    const back = liar.approve(led.headers.get('location') ?? '')
    for (let n = 0; n < 2; n++) {
      assert.match((await own.browser.go(back)).text, /is linked to somebody else here/)
    }
  })

  test('is not asked where its metadata are of another issuer', async () => {
    await service.advance(3601)
    Object.assign(liar, { lies: { metadata: { issuer: 'https://other.example' } } })
    const browser = new Browser(service)
    const { action, fields } = formTo(await browser.go('/login'), '/login/with/liar')
    assert.equal((await browser.ask(action, fields)).status, 502)
  })
})
