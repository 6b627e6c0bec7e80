/** Attacks between an OAuth 2.0 provider and a second one: neither opens what is the other's. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Browser, formsOf } from '../support/browser.ts'
import { type GitHub, openGitHub } from '../support/github.ts'
import { type Started, start } from '../support/start.ts'
import { formTo, leave, upstreamsOf } from '../support/upstream.ts'

const octocat = { id: 1, login: 'octocat', name: 'The Octocat', email: 'octocat@example.com' }
const verifiedAs = (email: string) => [{ email, primary: true, verified: true }]

let honest: GitHub
let evil: GitHub
let service: Started
before(async () => {
  honest = await openGitHub()
  evil = await openGitHub({ id: 'evil', title: 'Evil' })
  for (const one of [honest, evil]) {
    one.user = octocat
    one.emails = verifiedAs(octocat.email)
  }
  const upstreams = [honest, evil].map(({ upstream }) => ({ ...upstream, trust_email: true }))
  service = await start({ signUp: 'open', upstreams: upstreamsOf(upstreams) })
})
after(async () => {
  await service.close()
  await evil.close()
  await honest.close()
})

const begin = async (id: string, browser = new Browser(service)) => ({
  browser,
  url: await leave(browser, await browser.go('/login'), id),
})

const isInside = ({ cookies }: Browser): boolean => cookies.has('latchkey_session')

describe('two OAuth 2.0 providers', () => {
  test('mix-up: a code of one is never sent to the other', async () => {
    const { browser, url } = await begin('evil')
    const back = new URL(honest.approve(url))
    const [asked, told] = [honest.site.requests.length, evil.site.requests.length]
    assert.equal((await browser.go(back.href.replace('/with/evil/', '/with/github/'))).status, 403)
    assert.deepEqual([honest.site.requests.length, evil.site.requests.length], [asked, told])
  })

  test('the same id at the other provider is another account', async () => {
    const first = await begin('github')
    const met = await first.browser.go(honest.approve(first.url))
    const { action, fields } = formTo(met, '/login/with/github/new')
    await first.browser.go(action, fields)
    assert.ok(isInside(first.browser))
    const second = await begin('evil')
    assert.match((await second.browser.go(evil.approve(second.url))).text, /You are new here/)
    assert.equal(isInside(second.browser), false)
  })

  test('code injection: a code of another browser fails by PKCE', async () => {
    const [victim, attacker] = [await begin('github'), await begin('github')]
    const stolen = new URL(honest.approve(victim.url)).searchParams.get('code') ?? ''
    const back = new URL(honest.approve(attacker.url))
    back.searchParams.set('code', stolen)
    assert.equal((await attacker.browser.go(back.href)).status, 502)
    assert.equal(isInside(attacker.browser), false)
  })

  test('login CSRF: the state of another browser is worth nothing', async () => {
    const attacker = await begin('github')
    const back = honest.approve(attacker.url)
    const before = honest.site.requests.length
    const victim = new Browser(service)
    await victim.go('/login')
    assert.equal((await victim.go(back)).status, 403)
    assert.equal(isInside(victim), false)
    assert.equal(honest.site.requests.length, before)
  })

  test('takeover: a verified address of an owner opens no account of that owner', async () => {
    evil.user = { ...octocat, id: 99 }
    evil.emails = verifiedAs('alice@example.com')
    const { browser, url } = await begin('evil')
    const met = await browser.go(evil.approve(url))
    const { action, fields } = formTo(met, '/login/with/evil/new')
    const refused = await browser.go(action, fields)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /Another account here has confirmed your email address/)
    assert.doesNotMatch(refused.text, /Alice Liddell/)
    assert.equal(isInside(browser), false)
  })

  test('mix-up: nor does it make or link anything at the other', async () => {
    evil.user = { ...octocat, id: 7 }
    const newcomer = await begin('evil')
    const met = await newcomer.browser.go(evil.approve(newcomer.url))
    const form = formTo(met, '/login/with/evil/new')
    const refused = await newcomer.browser.go('/login/with/github/new', form.fields)
    assert.deepEqual([refused.status, isInside(newcomer.browser)], [403, false])
    const browser = new Browser(service)
    await browser.logIn(await browser.go('/login'), 'bob', 'builder')
    const page = await browser.go('/account/security')
    const links = formsOf(page.text).filter(({ action }) => action === '/account/upstreams')
    const link = links.find(({ fields }) => fields.upstream?.[0] === 'evil')
    assert.ok(link, page.text)
    const answer = await browser.ask(link.action, link.fields)
    const back = evil.approve(answer.headers.get('location') ?? '')
    const before = [honest.site.requests.length, evil.site.requests.length]
    assert.equal((await browser.go(back.replace('/with/evil/', '/with/github/'))).status, 403)
    assert.deepEqual([honest.site.requests.length, evil.site.requests.length], before)
  })
})
