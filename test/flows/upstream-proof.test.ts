/** Proofs by upstreams: the confirmation of a login, the last way in, and how a trusted login counts. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Browser, type FoundForm, type Page } from '../support/browser.ts'
import { type Liar, openLiar } from '../support/liar.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { openSlapd, type Slapd, skipDirectory } from '../support/slapd.ts'
import { type Started, start } from '../support/start.ts'
import { atProvider, formTo, leave, openPair, type Pair, upstreamsOf } from '../support/upstream.ts'
import { operatorOf } from './operator.ts'

/** A proof is old after a while, and the login goes on. */
const later = (service: Started): Promise<void> => service.advance(3600)

describe('an owner without a password', () => {
  let liar: Liar
  let service: Started
  before(async () => {
    liar = await openLiar(() => service.now())
    service = await start({ signUp: 'open', upstreams: upstreamsOf([liar.upstream]) })
  })
  after(async () => {
    await service.close()
    await liar.close()
  })

  const approve = async (browser: Browser, form: FoundForm) => {
    const answer = await browser.ask(form.action, form.fields)
    return liar.approve(answer.headers.get('location') ?? '')
  }

  const newcomer = async (subject = '1'): Promise<Browser> => {
    Object.assign(liar, { subject, lies: { userinfo: { preferred_username: 'octocat' } } })
    const browser = new Browser(service)
    const url = await leave(browser, await browser.go('/login'), 'liar')
    const page = await browser.go(liar.approve(url))
    if (page.text.includes('You are new here')) {
      const { action, fields } = formTo(page, '/login/with/liar/new')
      await browser.go(action, fields)
    }
    assert.ok(browser.cookies.has('latchkey_session'))
    return browser
  }

  const confirmForm = async (browser: Browser) => {
    const page = await browser.go('/account/confirm?next=delete')
    assert.match(page.text, /Confirm with Liar/)
    assert.doesNotMatch(page.text, /type="password"/)
    return formTo(page, '/account/confirm')
  }

  test('confirms a login by the linked upstream, and comes to the page that asked', async () => {
    const browser = await newcomer()
    await later(service)
    assert.match((await browser.go('/account/delete')).url, /\/account\/confirm\?next=delete/)
    const back = await approve(browser, await confirmForm(browser))
    assert.match((await browser.go(back)).url, /\/account\/delete$/)
    // The answer may have got lost: the code is used, and the page comes all the same.
    assert.match((await browser.go(back)).url, /\/account\/delete$/)
  })

  test('confirms nothing by another account, another browser, an old login, or a refusal', async () => {
    const browser = await newcomer()
    await later(service)
    const form = await confirmForm(browser)
    const stolen = await approve(browser, form)
    const stranger = await newcomer()
    await later(service)
    assert.equal((await stranger.go(stolen)).status, 403)
    liar.subject = '2'
    const other = await browser.go(await approve(browser, form))
    assert.match(other.text, /did not confirm that it is you/)
    liar.subject = '1'
    const denied = new URL(await approve(browser, form))
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    assert.match((await browser.go(denied.href)).text, /did not confirm that it is you/)
    for (const auth_time of [undefined, service.now() - 120]) {
      liar.lies = { idToken: { auth_time } }
      const stale = await browser.go(await approve(browser, form))
      assert.match(stale.text, /did not confirm that it is you/)
    }
    assert.match((await browser.go('/account/delete')).url, /\/account\/confirm/)
  })

  test('is not asked for a password, and may choose one where a mail can bring the link', async () => {
    const browser = await newcomer()
    const page = await browser.go('/.well-known/change-password')
    assert.equal(new URL(page.url).pathname, '/account/security')
    assert.match(page.text, /There is no password to steal/)
    assert.doesNotMatch(page.text, /Choose one/)
    const { rows } = await service.server().store.listOwners(null, 100)
    const owner = rows.find(({ username }) => username.startsWith('octocat'))
    assert.ok(owner)
    const operator = await operatorOf(service)
    await operator('PATCH', `owners/${owner.id}`, { email: 'octocat@example.com' })
    const again = await browser.go('/account/security')
    assert.match(again.text, /href="\/forgot">Choose one</)
  })

  test('keeps the last way in', async () => {
    const browser = await newcomer('3')
    const page = await browser.go('/account/security')
    const form = formTo(page, '/account/upstreams')
    assert.match((await browser.submitForm(page, form)).text, /you could not log in any more/)
  })

  test('an owner with a password confirms by that alone', async () => {
    const browser = new Browser(service)
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    await later(service)
    const page = await browser.go('/account/confirm?next=delete')
    assert.match(page.text, /type="password"/)
    assert.doesNotMatch(page.text, /Confirm with Liar/)
    const form = formTo(page, '/account/confirm')
    const forged = await browser.ask(form.action, { ...form.fields, upstream: 'liar' })
    assert.equal(forged.status, 400)
  })
})

describe('an owner of a directory', { skip: skipDirectory }, () => {
  let slapd: Slapd
  let service: Started
  before(async () => {
    slapd = await openSlapd()
    for (const uid of ['anna', 'ben']) await slapd.add(uid)
    service = await start({ signUp: 'open', upstreams: upstreamsOf([slapd.upstream]) })
  })
  after(async () => {
    await service?.close()
    await slapd?.close()
  })

  test('confirms a login by its own password there, and no other', async () => {
    const browser = new Browser(service)
    const form = await browser.go('/login/with/company')
    const anna = { username: 'anna', password: 'anna-password' }
    const met = await browser.submitForm(form, formTo(form, '/login/with/company'), anna)
    await browser.submitForm(met, formTo(met, '/login/with/company/new'))
    await later(service)
    const page = await browser.go('/account/confirm?next=delete')
    const asked = await browser.submitForm(page, formTo(page, '/account/confirm'))
    assert.match(asked.text, /<h1>Confirm with The company/)
    const typed = formTo(asked, '/account/confirm')
    const wrong = await browser.submitForm(asked, typed, { ...anna, password: 'wrong' })
    assert.match(wrong.text, /The username, email address or password is wrong/)
    const ben = { username: 'ben', password: 'ben-password' }
    const other = await browser.submitForm(asked, typed, ben)
    assert.match(other.text, /did not confirm that it is you/)
    assert.match((await browser.submitForm(asked, typed, anna)).url, /\/account\/delete$/)
  })
})

describe('a trusted OpenID provider', () => {
  let pair: Pair
  before(async () => {
    pair = await openPair({ trust_acr: true }, { signUp: 'open' })
  })
  after(() => pair.close())

  const login = async (): Promise<readonly unknown[]> => {
    const { rows } = await pair.service.server().store.listEvents({}, null, 20)
    const { upstream, methods, context } =
      rows.find(({ type }) => type === 'login.succeeded')?.details ?? {}
    return [upstream, String(methods), context]
  }

  test('tells how and when the login was made, and is asked anew where an application wants it', async () => {
    for (const asked of [{ prompt: 'login' }, { max_age: '60' }]) {
      const path = authorizePath({ ...codeRequest, scope: 'openid', ...asked })
      const own = new Browser(pair.service)
      const there = new URL(await leave(own, await own.go(path)))
      const { prompt, max_age } = Object.fromEntries(there.searchParams)
      assert.deepEqual({ prompt, max_age }, { prompt: 'login', max_age: '0' })
      const page: Page = await own.go(await atProvider(pair.provider, there.href))
      if (page.text.includes('You are new here')) {
        const { action, fields } = formTo(page, '/login/with/other/new')
        await own.go(action, fields)
      }
      assert.deepEqual(await login(), ['other', 'pwd', '1'])
    }
  })
})
