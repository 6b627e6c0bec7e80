/** Headers of every page (RFC 9700 section 4.16, RFC 6819 section 5.2.2.6): no framing, no script, no referrer, no copy. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { urlCharacters } from '../../src/router.ts'
import { StoreFault } from '../../src/store/fault.ts'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { authorizePath, codeRequest, walk } from '../support/printing.ts'
import { type Answer, type Form, type Started, start } from '../support/start.ts'

const services: Readonly<Record<string, Started>> = {
  'http://127.0.0.1:6749': await start(),
  'https://auth.example.com': await start({ issuer: 'https://auth.example.com', demo: true }),
}
after(async () => {
  for (const service of Object.values(services)) await service.close()
})

const fieldsOf = ({ text }: Page): Form => formsOf(text)[0]?.fields ?? {}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
}

const redirectHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const assertHeaders = ({ headers }: Answer, expected: Readonly<Record<string, string>>): void => {
  const found = Object.keys(expected).map((name) => [name, headers.get(name)])
  assert.deepEqual(Object.fromEntries(found), expected)
}

/** The scripts of a page, by what they are for. */
const scripts = {
  'no script': [],
  passkeys: ['<script type="module" src="/assets/passkeys.js">'],
  passwords: ['<script type="module" src="/assets/passwords.js">'],
  consent: ['<script src="/assets/consent.js">'],
  account: ['<script type="module" src="/assets/account.js">'],
} as const
type Script = keyof typeof scripts

for (const [issuer, started] of Object.entries(services)) {
  const transport = issuer.startsWith('https:')
    ? { 'strict-transport-security': 'max-age=31536000' }
    : {}
  const assertPage = (page: Answer, status: number, script: Script): void => {
    assert.equal(page.status, status, page.text)
    const policy = pageHeaders['content-security-policy']
    const withScript = { 'content-security-policy': `script-src 'self'; ${policy}` }
    const headers = { ...pageHeaders, ...(script === 'no script' ? {} : withScript) }
    assertHeaders(page, { ...headers, ...transport })
    assert.deepEqual(strangers(page.text), scripts[script])
  }
  const assertRedirect = (page: Answer, status: number): void => {
    assert.equal(page.status, status)
    assert.equal(page.text, '')
    assertHeaders(page, { ...redirectHeaders, ...transport })
  }
  /** What a page loads or runs, other than the one stylesheet and the icon (UI-02, UI-03). */
  const own = [
    '<link rel="stylesheet" href="/assets/latchkey.css">',
    '<link rel="icon" href="/assets/icon.svg">',
  ]
  const strangers = (html: string): readonly string[] =>
    [
      ...html.matchAll(
        /<(?:script|link|img|iframe|object|embed|base|style)\b[^>]*>|\son\w+=|\sstyle=|\ssrc=/g,
      ),
    ]
      .map(([found]) => found)
      .filter((found) => !own.includes(found))

  describe(`UI-01, UI-02, UI-03, UI-04, UI-17 at ${issuer}`, () => {
    let browser: Browser
    before(async () => {
      browser = new Browser(started)
      await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    })
    const anonymous = () => new Browser(started)

    const pages: Readonly<Record<string, [number, () => Promise<Page>]>> = {
      home: [200, () => anonymous().ask('/')],
      login: [200, () => anonymous().ask('/login')],
      'login for an application': [200, () => anonymous().go(authorizePath(codeRequest))],
      'login gone wrong': [
        403,
        async () => {
          const other = anonymous()
          return other.logIn(await other.go('/login'), 'nobody', 'wrong')
        },
      ],
      consent: [200, () => browser.go(authorizePath(codeRequest))],
      account: [200, () => browser.ask('/account')],
      sessions: [200, () => browser.ask('/account/sessions')],
      password: [200, () => browser.ask('/account/password')],
      events: [200, () => browser.ask('/account/events')],
      logout: [200, () => browser.ask('/logout')],
      'logged out': [200, () => anonymous().ask('/logout')],
      'an error': [400, () => anonymous().ask('/authorize')],
      'a forged form': [403, () => browser.ask('/logout', { csrf: 'x' })],
    }
    for (const [name, [status, ask]] of Object.entries(pages)) {
      // A passkey belongs to a name, so the demo at its address has none to ask for.
      const hasPasskeys = name.startsWith('login') && issuer.startsWith('https:')
      const own: Readonly<Record<string, Script>> = {
        consent: 'consent',
        account: 'account',
        sessions: 'account',
        events: 'account',
        password: 'passwords',
      }
      const ofLogin = hasPasskeys ? 'passkeys' : 'passwords'
      const script = own[name] ?? (name.startsWith('login') ? ofLogin : 'no script')
      test(`page: ${name}`, async () => assertPage(await ask(), status, script))
    }

    test('page: a wrong method', async () => {
      assertPage(await started.ask('/consent', { method: 'DELETE' }), 405, 'no script')
    })

    test('page: a fault of the store, and one of ours', async (t) => {
      const { store } = started.server()
      const faults = [
        [new StoreFault('broken', 'the disk is gone'), 503],
        [new Error('a secret detail'), 500],
      ] as const
      for (const [fault, status] of faults) {
        const failing = t.mock.method(store, 'findClient', async () => {
          throw fault
        })
        const page = await started.ask(authorizePath(codeRequest))
        failing.mock.restore()
        assertPage(page, status, 'no script')
        assert.equal(page.text.includes(fault.message), false)
      }
    })

    test('redirects to our own pages, and back to the client', async () => {
      const other = anonymous()
      const first = await other.ask(authorizePath(codeRequest))
      assertRedirect(first, 302)
      assertRedirect(await other.ask('/account'), 303)
      const back = await walk(started, codeRequest)
      assert.match(
        back.headers.get('location') ?? '',
        /^http:\/\/127\.0\.0\.1:6750\/callback\?code=/,
      )
      assertRedirect(back, 302)
      const refused = await other.ask(authorizePath({ ...codeRequest, response_type: 'x' }))
      assertRedirect(refused, 302)
    })

    test('JSON is no page: nosniff, no-store, no referrer', async () => {
      const headers = {
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-type': 'application/json;charset=UTF-8',
        ...transport,
      }
      for (const [method, path, status] of [
        ['GET', '/nowhere', 404],
        ['GET', '/token', 405],
        ['POST', '/token', 400],
        ['GET', '/health/live', 200],
      ] as const) {
        const answer = await started.ask(path, { method })
        assert.equal(answer.status, status)
        assertHeaders(answer, headers)
      }
    })

    test('the stylesheet is one, and may be kept', async () => {
      const answer = await started.ask('/assets/latchkey.css')
      assertHeaders(answer, {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=300',
        'x-content-type-options': 'nosniff',
        ...transport,
      })
      assert.doesNotMatch(answer.text, /@import|url\(/)
    })

    test('a URL that is too long gets no body at all', async () => {
      const answer = await started.ask(`/?${'a'.repeat(urlCharacters)}`)
      assert.deepEqual([answer.status, answer.text], [414, ''])
    })
  })

  test(`UI-10: from the first request to the client no 307 or 308, at $issuer`, async () => {
    const browser = new Browser(started)
    const seen: number[] = []
    const ask = browser.ask.bind(browser)
    browser.ask = async (...given) => {
      const page = await ask(...given)
      const method = given[1] === undefined ? 'GET' : 'POST'
      if (page.status >= 300 && page.status < 400) {
        seen.push(page.status)
        assert.equal(page.status, method === 'POST' ? 303 : 302)
      }
      return page
    }
    await walk(started, { ...codeRequest, prompt: 'consent' }, {}, browser)
    assert.deepEqual(seen, [302, 303, 302, 303, 302])
  })

  test(`UI-12: cookies at $issuer`, async () => {
    const secure = issuer.startsWith('https:')
    const prefix = secure ? '__Host-latchkey_' : 'latchkey_'
    const attributes = `Path=/; HttpOnly;${secure ? ' Secure;' : ''} SameSite=Lax`
    const form = (name: string, key = '') =>
      new RegExp(`^${prefix}${name}=${key}[A-Za-z0-9_-]{43}; ${attributes}$`)
    const browser = new Browser(started)
    const login = await browser.ask('/login')
    assert.equal(login.headers.getSetCookie().length, 1)
    assert.match(login.headers.getSetCookie()[0] ?? '', form('browser'))
    const typed = { username: 'alice', password: 'wonderland' }
    const entered = await browser.ask('/login', { ...fieldsOf(login), ...typed })
    const [session = '', known = '', ...more] = entered.headers.getSetCookie()
    assert.match(session, form('session', '[0-9a-f]{3}\\.'))
    assert.ok(
      known.startsWith(`${prefix}known=`) && known.endsWith(`; Max-Age=15552000; ${attributes}`),
    )
    // The last way of a login, which names no owner.
    assert.deepEqual(more, [`${prefix}way=password; Max-Age=15552000; ${attributes}`])
    const question = await browser.ask('/logout')
    assert.deepEqual(question.headers.getSetCookie(), [])
    const left = await browser.ask('/logout', fieldsOf(question))
    const [gone = ''] = left.headers.getSetCookie()
    assert.equal(gone, `${prefix}session=; Max-Age=0; ${attributes}`)
  })
}
