/** A browser left alone: an upstream without a new login does not prove who sits before it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Browser, type Page } from '../support/browser.ts'
import { type GitHub, openGitHub } from '../support/github.ts'
import { type Liar, openLiar } from '../support/liar.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Started, start } from '../support/start.ts'
import { formTo, leave, upstreamsOf } from '../support/upstream.ts'

const octocat = { id: 1, login: 'octocat' }
const verified = [{ email: 'octocat@example.com', primary: true, verified: true }]

let github: GitHub
let liar: Liar
let service: Started
before(async () => {
  github = await openGitHub({ trust_email: true })
  liar = await openLiar(() => service.now())
  const switched = { ...liar.upstream, id: 'switched', asks_again: false }
  const upstreams = upstreamsOf([github.upstream, liar.upstream, switched])
  service = await start({ signUp: 'open', upstreams })
})
after(async () => {
  await service.close()
  await liar.close()
  await github.close()
})

const approvals: Readonly<Record<string, (url: string) => string>> = {
  github: (url) => github.approve(url),
  liar: (url) => liar.approve(url),
  switched: (url) => liar.approve(url),
}

const back = async (browser: Browser, page: Page, id: string): Promise<Page> =>
  browser.go(approvals[id]?.(await leave(browser, page, id)) ?? '')

const newcomer = async (id: string): Promise<Browser> => {
  Object.assign(github, { user: octocat, emails: verified })
  Object.assign(liar, { subject: id, lies: {} })
  const browser = new Browser(service)
  const page = await back(browser, await browser.go('/login'), id)
  if (page.text.includes('You are new here')) {
    const { action, fields } = formTo(page, `/login/with/${id}/new`)
    await browser.go(action, fields)
  }
  assert.ok(browser.cookies.has('latchkey_session'))
  return browser
}

const askedAnew = [{ prompt: 'login' }, { max_age: '60' }]

describe('a login that an application wants anew', () => {
  for (const asked of askedAnew) {
    const path = authorizePath({ ...codeRequest, scope: 'openid', ...asked })

    test(`is not one without or with an old auth_time: ${JSON.stringify(asked)}`, async () => {
      for (const auth_time of [undefined, 'now', service.now() - 120]) {
        Object.assign(liar, { subject: 'anew', lies: { idToken: { auth_time } } })
        const browser = new Browser(service)
        const page = await back(browser, await browser.go(path), 'liar')
        assert.match(page.text, /did not show that you logged in anew/)
        assert.ok(!browser.cookies.has('latchkey_session'))
      }
    })

    test(`is one with a new auth_time: ${JSON.stringify(asked)}`, async () => {
      Object.assign(liar, { subject: 'anew', lies: {} })
      const browser = new Browser(service)
      const page = await back(browser, await browser.go(path), 'liar')
      assert.match(page.text, /You are new here/)
    })

    test(`does not begin where nobody can be asked: ${JSON.stringify(asked)}`, async () => {
      for (const id of ['github', 'switched']) {
        const browser = new Browser(service)
        const { action, fields } = formTo(await browser.go(path), `/login/with/${id}`)
        const page = await browser.go(action, fields)
        assert.match(page.text, /did not show that you logged in anew/)
      }
    })
  }

  test('is not made by a login beside it that proves no time', async () => {
    await newcomer('github')
    const browser = new Browser(service)
    const page = await browser.go(
      authorizePath({ ...codeRequest, scope: 'openid', prompt: 'login' }),
    )
    const beside = await back(browser, await browser.go('/login'), 'github')
    assert.equal(new URL(beside.url).pathname, '/account')
    const { pathname, search } = new URL(page.url)
    const journey = new URLSearchParams(search).get('journey') ?? ''
    assert.equal(pathname, '/login')
    const next = await browser.go(`/authorize?journey=${encodeURIComponent(journey)}`)
    assert.equal(new URL(next.url).pathname, '/login')
  })
})

describe('a confirmation', () => {
  test('does not come from an upstream that cannot ask again', async () => {
    for (const id of ['github', 'switched']) {
      const browser = await newcomer(id)
      await service.advance(3600)
      const page = await browser.go('/account/confirm?next=delete')
      assert.match(page.text, /cannot ask you anew/)
      assert.doesNotMatch(page.text, /Confirm with/)
      assert.equal(page.text.includes('href="/forgot"'), id === 'github')
      const [csrf] = formTo(await browser.go('/logout'), '/logout').fields.csrf ?? []
      const form = { csrf: csrf ?? '', next: 'delete', upstream: id }
      assert.equal((await browser.ask('/account/confirm', form)).status, 400)
    }
  })

  test('is not a login by it, for an owner with another way to confirm', async () => {
    await newcomer('github')
    const browser = new Browser(service)
    await back(browser, await browser.go('/login'), 'github')
    assert.match((await browser.go('/account/delete')).url, /\/account\/confirm/)
    // A mail can bring this owner a password.
    const { text } = await browser.go('/account/confirm?next=delete')
    assert.match(text, /href="\/forgot">Choose a password by mail</)
  })
})
