/** Pages in the language of whoever reads them (OpenID Connect Core section 3.1.2.1, RFC 9110 section 12.5.4). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { journeySeconds } from '../../src/store/limits.ts'
import { accessFormsOn, accessPathsOn } from '../support/accesses.ts'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'

describe('the language of the pages', () => {
  const started = startBefore()

  const heading = (text: string) => /<h1>(.*?)<\/h1>/.exec(text)?.[1]
  const declared = (text: string) => /<html lang="([^"]*)" dir="([^"]*)">/.exec(text)?.slice(1)

  test('is what the browser prefers, and the answer says so', async () => {
    for (const [accepted, tag, title] of [
      ['zh-CN,zh;q=0.9,en;q=0.8', 'zh-Hans', '登录'],
      ['en-GB,zh;q=0.5', 'en', 'Log in'],
      ['de-AT, en;q=0.5', 'de', 'Anmelden'],
      ['fr', 'en', 'Log in'],
      ['zh; nonsense', 'en', 'Log in'],
    ] as const) {
      const { text, headers } = await started.ask('/login', {
        headers: { 'accept-language': accepted },
      })
      assert.deepEqual([declared(text), heading(text)], [[tag, 'ltr'], title])
      assert.deepEqual(
        [headers.get('content-language'), headers.get('vary')],
        [tag, 'Accept-Language'],
      )
    }
  })

  test('is what the client asks for by ui_locales, for the whole journey', async () => {
    const browser = new Browser(started)
    const asked = { ...codeRequest, scope: 'photos:read', ui_locales: 'fr-CA zh-Hans en' }
    const login = await browser.go(started.issuer + authorizePath(asked))
    assert.equal(heading(login.text), '登录')
    const again = await browser.logIn(login, 'alice', 'looking-glass')
    assert.match(again.text, /用户名、电子邮件地址或密码不正确，或者尝试次数过多。/)
    const consent = await browser.logIn(again, 'alice', 'wonderland')
    assert.match(heading(consent.text) ?? '', /想查看您的照片$/)
    assert.match(consent.text, /<b>查看<\/b>您的照片/)
    assert.equal(formsOf(consent.text).length, 1)
  })

  test('holds for what is refused on a page, also for what happened', async () => {
    const asked = { ...codeRequest, client_id: 'nobody', ui_locales: 'zh' }
    for (const [path, headers] of [
      [authorizePath(asked), {}],
      [authorizePath({ ...codeRequest, client_id: 'nobody' }), { 'accept-language': 'zh' }],
    ] as const) {
      const { status, text } = await started.ask(path, { headers })
      assert.deepEqual(
        [status, declared(text), heading(text)],
        [400, ['zh-Hans', 'ltr'], '需要由该应用解决'],
      )
      assert.match(text, /<p class="cause">client_id 所指的客户端在本服务中不存在。<\/p>/)
    }
  })

  test('what happened is in it for each way to ask wrongly; outside the demo all of the page is', async (t) => {
    const service = await start({ demo: false })
    t.after(() => service.close())
    const said = new Set<string>()
    for (const query of [
      'client_id=nobody',
      'client_id=',
      'client_id=a&client_id=b',
      'client_id=a&redirect_uri=b&redirect_uri=c',
      'client_id=photo-printer&redirect_uri=https://other.example/',
      'client_id=photo-printer',
      'client_id=%ff',
      'client_id=%00',
      `client_id=${'a'.repeat(20_000)}`,
      '&'.repeat(200),
    ]) {
      // The demo alone has its clients; what is said of a redirect URI is the same elsewhere.
      const asked = query.includes('photo-printer') ? started : service
      const page = await asked.ask(`/authorize?${query}`, { headers: { 'accept-language': 'zh' } })
      assert.equal(page.status, 400, query)
      const [, happened = ''] = /<p class="cause">(.*?)<\/p>/s.exec(page.text) ?? []
      assert.match(happened, /\p{Script=Han}/u, query)
      said.add(happened)
      if (asked === service) assert.doesNotMatch(page.text, /lang="en"/)
    }
    assert.equal(said.size, 10)
  })

  describe('goes along with every way to another page', () => {
    const own = (text: string): readonly string[] =>
      [...text.matchAll(/<a [^>]*href="([^"]*)"/g)]
        .map(([, to = '']) => to.replaceAll('&amp;', '&'))
        .filter((to) => to.startsWith('/') || to.startsWith(started.issuer))
    const inChinese = (page: Page): void =>
      assert.deepEqual([page.url, declared(page.text)], [page.url, ['zh-Hans', 'ltr']])

    const inEnglish = (page: Page): void =>
      assert.deepEqual([page.url, declared(page.text)], [page.url, ['en', 'ltr']])

    /** The playground is for developers. Its links keep the language for the pages behind them. */
    const isPlayground = (path: string): boolean => /^\/($|playground)/.test(path)

    /** Every page that links lead to from one, and every form of theirs. */
    const walkFrom = async (browser: Browser, path: string): Promise<ReadonlySet<string>> => {
      const found = [path]
      const seen = new Set<string>()
      for (const to of found) {
        const { pathname, searchParams } = new URL(to, started.issuer)
        // A link to /authorize is an application's request, and its language is the application's.
        const isPage = !/^\/\.well-known|\.(json|md)$|^\/authorize$/.test(pathname)
        if (!isPage || seen.has(pathname)) continue
        seen.add(pathname)
        assert.equal(searchParams.get('ui_locales')?.startsWith('zh'), true, to)
        const page = await browser.go(to)
        if (isPlayground(pathname)) inEnglish(page)
        else inChinese(page)
        for (const { action } of formsOf(page.text)) assert.match(action, /[?&]ui_locales=zh-Hans$/)
        found.push(...own(page.text))
      }
      return seen
    }

    test('from the account page to all behind it', async () => {
      const browser = new Browser(started)
      const login = await browser.go('/account/events?ui_locales=zh')
      inChinese(login)
      const events = await browser.logIn(login, 'alice', 'wonderland')
      assert.match(events.url, /\/account\/events\?ui_locales=zh-Hans$/)
      const shown = await browser.go(authorizePath({ ...codeRequest, prompt: 'consent' }))
      await browser.submit(shown, { decision: 'allow', duration: 'month' })
      const seen = await walkFrom(browser, '/account?ui_locales=zh')
      for (const path of [
        'sessions',
        'password',
        'security',
        'security/codes',
        'ended',
        'ledger',
      ]) {
        assert.ok(seen.has(`/account/${path}`), path)
      }
    })

    test('from the consent page, to the account and through what is done there', async () => {
      const browser = new Browser(started)
      const asked = { ...codeRequest, prompt: 'consent', ui_locales: 'zh' }
      const login = await browser.go(started.issuer + authorizePath(asked))
      const consent = await browser.logIn(login, 'alice', 'wonderland')
      const account = own(consent.text).at(-1) ?? ''
      assert.equal(account, '/account?ui_locales=zh-Hans')
      const [access = ''] = accessPathsOn(await browser.go(account))
      const page = await browser.go(access)
      inChinese(page)
      const [card] = accessFormsOn(page)
      assert.ok(card)
      const ended = await browser.submitForm(page, card, { action: 'end' })
      inChinese(ended)
      const late = await browser.go(account)
      inChinese(await browser.submit(late))
      inChinese(await browser.submitForm(late, card, { action: 'end' }))
    })

    test('from the login of a request that asks for none, as far as the consent', async () => {
      const browser = new Browser(started)
      const asked = await browser.go(authorizePath({ ...codeRequest, prompt: 'consent' }))
      const login = await browser.go(`${asked.url}&ui_locales=zh`)
      inChinese(login)
      const again = await browser.logIn(login, 'alice', 'a guess')
      inChinese(again)
      const consent = await browser.logIn(again, 'alice', 'wonderland')
      assert.match(consent.url, /\/consent\?/)
      inChinese(consent)
    })

    test('and what the application asks for goes before what a URL does', async () => {
      const asked = authorizePath({ ...codeRequest, ui_locales: 'zh' })
      const browser = new Browser(started)
      const login = await browser.go(asked)
      assert.match(login.url, /&ui_locales=zh-Hans$/)
      inChinese(await browser.go(login.url.replace('zh-Hans', 'en')))
    })

    test('in the demo, from its first page', async () => {
      const seen = await walkFrom(new Browser(started), '/?ui_locales=zh')
      assert.ok(seen.has('/playground/code'))
      assert.ok(seen.has('/account'))
    })

    test('from the page at the root outside the demo, and through the operator’s form', async (t) => {
      const service = await start({ demo: false })
      t.after(() => service.close())
      const { text } = await service.ask('/?ui_locales=zh')
      const metadata = '/.well-known/oauth-authorization-server'
      assert.deepEqual(own(text), ['/account?ui_locales=zh-Hans', metadata])
      const operator = await service.ask('/operator?ui_locales=zh')
      assert.equal(formsOf(operator.text)[0]?.action, '/operator?ui_locales=zh-Hans')
    })

    test('and nothing is added where no language was asked for', async () => {
      const { text } = await started.ask('/', { headers: { 'accept-language': 'zh' } })
      assert.doesNotMatch(text, /ui_locales/)
    })
  })

  describe('holds for what is refused on the way', () => {
    const asked = { ...codeRequest, ui_locales: 'zh' }
    const isChinese = (page: Page, status: number): void => {
      assert.deepEqual([page.status, declared(page.text)], [status, ['zh-Hans', 'ltr']])
      assert.doesNotMatch(page.text, /lang="en"/)
    }
    const begin = async (): Promise<readonly [Browser, Page]> => {
      const browser = new Browser(started)
      return [browser, await browser.go(started.issuer + authorizePath(asked))]
    }

    test('a form without its token, at the login and at the consent', async () => {
      const [browser, login] = await begin()
      isChinese(await browser.submit(login, { csrf: 'x' }), 403)
      const consent = await browser.logIn(login, 'alice', 'wonderland')
      isChinese(await browser.submit(consent, { csrf: 'x' }), 403)
    })

    test('a page that was open for too long, sent or looked at again', async () => {
      const [browser, login] = await begin()
      const consent = await browser.logIn(login, 'alice', 'wonderland')
      await started.advance(journeySeconds)
      for (const page of [login, consent]) {
        isChinese(await browser.submit(page), 400)
        isChinese(await browser.go(page.url), 400)
      }
    })

    test('a page of another browser', async () => {
      const [, login] = await begin()
      isChinese(await new Browser(started).go(login.url), 400)
    })

    test('a request that came in the body', async () => {
      const [browser] = await begin()
      for (const [form, heading] of [
        [{ ...asked, client_id: 'nobody' }, '需要由该应用解决'],
        [{ ...asked, state: '\0' }, '需要由该应用解决'],
      ] as const) {
        const page = await browser.ask(`${started.issuer}/authorize`, form)
        assert.deepEqual([page.status, declared(page.text)], [400, ['zh-Hans', 'ltr']])
        assert.match(page.text, new RegExp(heading))
      }
    })

    test('a journey that is none says nothing', async () => {
      for (const text of [
        '{"parameters":1}',
        'null',
        '[]',
        'x',
        '{"parameters":"ui_locales=nonsense"}',
      ]) {
        const journey = `${Buffer.from(`k~${text}`).toString('base64url')}${'A'.repeat(43)}`
        const page = await started.ask(`/consent?journey=${journey}`)
        assert.deepEqual([page.status, declared(page.text)], [400, ['en', 'ltr']])
      }
    })
  })

  test('changes nothing on the wire: what goes to the client is English', async () => {
    const { headers } = await started.ask(
      authorizePath({ ...codeRequest, response_type: 'nonsense', ui_locales: 'zh' }),
      { headers: { 'accept-language': 'zh' } },
    )
    const sent = new URL(headers.get('location') ?? '').searchParams
    assert.match(sent.get('error_description') ?? '', /^response_type has to be/)
  })
})
