/** Forged forms (RFC 9700 section 4.7): nothing changes unless the owner was shown the form in this browser and login. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { accessFormsOn, accessPathsOn, openAccess, readAccount } from '../support/accesses.ts'
import { Browser, type FoundForm, formsOf, type Page } from '../support/browser.ts'
import { newVisitor, password } from '../support/people.ts'
import { authorizePath, codeRequest, obtainTokens } from '../support/printing.ts'
import { type Form, formBody, startBefore } from '../support/start.ts'

const started = startBefore()

const enter = async (username: string, password: string): Promise<Browser> => {
  const browser = new Browser(started)
  await browser.logIn(await browser.go('/login'), username, password)
  return browser
}

/** How many applications the owner has allowed something. */
const allowed = async (browser: Browser): Promise<number> =>
  accessPathsOn(await browser.go('/account')).length

const accessForm = (page: Page): FoundForm => {
  const [form] = accessFormsOn(page)
  assert.ok(form)
  return form
}

const isLoggedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.ask('/account')).status === 200

interface Attacked {
  /** The victim, in front of the page. */
  readonly browser: Browser
  readonly form: FoundForm
  /** What the victim would submit. */
  readonly fields: Form
  readonly unharmed: () => Promise<void>
  /** Shows that the form does something, once it is the victim's own. */
  readonly done: (page: Page) => Promise<void>
}

const formOf = ({ text }: Page, action: string): FoundForm => {
  const form = formsOf(text).find((found) => found.action.startsWith(action))
  assert.ok(form, text)
  return form
}

const targets: Readonly<Record<string, () => Promise<Attacked>>> = {
  'the login form': async () => {
    const browser = new Browser(started)
    const form = formOf(await browser.go('/login'), '/login')
    return {
      browser,
      form,
      fields: { ...form.fields, username: 'alice', password: 'wonderland' },
      unharmed: async () => assert.equal(await isLoggedIn(browser), false),
      done: async () => assert.equal(await isLoggedIn(browser), true),
    }
  },
  'the consent form': async () => {
    const browser = await enter('bob', 'builder')
    const before = await allowed(browser)
    const form = formOf(await browser.go(authorizePath(codeRequest)), '/consent')
    return {
      browser,
      form,
      fields: { ...form.fields, decision: 'allow', duration: 'day' },
      unharmed: async () => assert.equal(await allowed(browser), before),
      done: async ({ headers }) => {
        assert.match(headers.get('location') ?? '', /^\/authorize\?/)
        assert.equal(await allowed(browser), before + 1)
        await endAll(browser)
      },
    }
  },
  'the form that ends an access': async () => {
    await obtainTokens(started)
    const browser = await enter('alice', 'wonderland')
    const before = await allowed(browser)
    const form = accessForm(await openAccess(browser))
    return {
      browser,
      form,
      fields: { ...form.fields, action: 'end' },
      unharmed: async () => assert.equal(await allowed(browser), before),
      done: async () => assert.equal(await allowed(browser), before - 1),
    }
  },
  'the form that prolongs an access': async () => {
    await obtainTokens(started)
    const browser = await enter('alice', 'wonderland')
    const form = accessForm(await openAccess(browser))
    const endless = async () =>
      (await openAccess(browser)).text.includes('name="until" value="forever" checked')
    await browser.ask('/account', { ...form.fields, action: 'until', until: 'day' })
    return {
      browser,
      form,
      fields: { ...form.fields, action: 'until', until: 'forever' },
      unharmed: async () => assert.equal(await endless(), false),
      done: async () => {
        assert.equal(await endless(), true)
        await endAll(browser)
      },
    }
  },
  'the form that ends all other logins': async () => {
    const browser = await enter('alice', 'wonderland')
    const other = await enter('alice', 'wonderland')
    const form = formOf(await browser.go('/account/sessions'), '/account/sessions')
    return {
      browser,
      form,
      fields: { csrf: form.fields.csrf ?? [], action: 'end-others' },
      unharmed: async () => assert.equal(await isLoggedIn(other), true),
      done: async () => assert.equal(await isLoggedIn(other), false),
    }
  },
  'the form that changes the password': async () => {
    const { username, browser } = await newVisitor(started)
    const form = formOf(await browser.go('/account/password'), '/account/password')
    const next = 'staple the other horse'
    const fields = { password, new_password: next, new_password_again: next }
    const logsIn = async () => isLoggedIn(await enter(username, password))
    return {
      browser,
      form,
      fields: { csrf: form.fields.csrf ?? [], ...fields },
      unharmed: async () => assert.equal(await logsIn(), true),
      done: async () => assert.equal(await logsIn(), false),
    }
  },
  'the logout form': async () => {
    const browser = await enter('alice', 'wonderland')
    const form = formOf(await browser.go('/logout'), '/logout')
    return {
      browser,
      form,
      fields: form.fields,
      unharmed: async () => assert.equal(await isLoggedIn(browser), true),
      done: async () => assert.equal(await isLoggedIn(browser), false),
    }
  },
}

const endAll = async (browser: Browser): Promise<void> => {
  const page = await readAccount(browser)
  for (const form of accessFormsOn(page)) {
    await browser.submitForm(page, form, { action: 'end' })
  }
}

const wrongToken =
  'You logged in or out after this form was shown, or it was shown in another browser. Or this browser keeps no cookies for this site.'
const foreignSite = 'This form was sent by a page that is not ours.'

const assertRefused = (page: Page, said = wrongToken): void => {
  assert.equal(page.status, 403)
  assert.ok(page.text.includes(said), page.text)
  assert.deepEqual(page.headers.getSetCookie(), [])
  // The page behind a form of another site is that site's: nobody is sent back there.
  assert.equal(page.text.includes('Go back'), said !== foreignSite)
}

/** A browser without a login is led to a page without effects, whatever it sends. */
const assertLedAway = ({ status, headers, text }: Page, action: string): void => {
  const isConsent = action.startsWith('/consent')
  assert.equal(status, isConsent ? 400 : 303)
  assert.match(
    headers.get('location') ?? '',
    isConsent ? /^$/ : /^\/(login(\?next=[a-z]+)?|logout)$/,
  )
  assert.equal(text.includes('or cookies are off'), isConsent)
  assert.deepEqual(headers.getSetCookie(), [])
}

for (const [name, prepare] of Object.entries(targets)) {
  describe(`UI-07, UI-08: ${name}`, () => {
    let attacked: Attacked
    beforeEach(async () => {
      attacked = await prepare()
    })

    const forgeries: Readonly<Record<string, (attacker: FoundForm) => Form>> = {
      'no token': () => ({ csrf: '' }),
      'a token of nobody': () => ({ csrf: 'A'.repeat(43) }),
      "the attacker's own token": (attacker) => ({ csrf: attacker.fields.csrf ?? '' }),
      'two tokens': (attacker) => ({ csrf: [...(attacker.fields.csrf ?? []), 'x'] }),
    }
    for (const [what, forge] of Object.entries(forgeries)) {
      test(`${what}: 403, nothing changes`, async () => {
        const attacker = formOf(await (await enter('bob', 'builder')).go('/logout'), '/logout')
        const { browser, form, fields, unharmed } = attacked
        assertRefused(await browser.ask(form.action, { ...fields, ...forge(attacker) }))
        await unharmed()
      })
    }

    const foreign: Readonly<Record<string, string>>[] = [
      { origin: 'https://evil.example' },
      { origin: 'http://127.0.0.1:6750' },
      // It begins as the issuer does.
      { origin: 'http://127.0.0.1:67490' },
      { origin: 'http://127.0.0.1:6749.evil.example' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://127.0.0.1:6749', 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) {
      test(`the right token from elsewhere: ${JSON.stringify(headers)}`, async () => {
        const { browser, form, fields, unharmed } = attacked
        assertRefused(await browser.ask(form.action, fields, headers), foreignSite)
        await unharmed()
      })
    }

    test('the victim’s own form without the cookies that it is bound to', async () => {
      const { form, fields, unharmed } = attacked
      const page = await new Browser(started).ask(form.action, fields)
      if (form.action === '/login') assertRefused(page)
      else assertLedAway(page, form.action)
      await unharmed()
    })

    test('the right token in a body that no form sends', async () => {
      const { browser, form, fields, unharmed } = attacked
      const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
      const headers = { cookie, 'content-type': 'text/plain' }
      const init = { method: 'POST', body: formBody(fields), headers }
      const answer = await started.ask(form.action, init)
      assert.equal(answer.status, 400)
      await unharmed()
    })

    test('UI-09: by GET it does nothing', async () => {
      const { browser, form, fields, unharmed } = attacked
      await browser.ask(`${form.action}?${formBody(fields)}`)
      await unharmed()
    })

    test('submitted by the victim it does what it says', async () => {
      const { browser, form, fields, unharmed, done } = attacked
      await unharmed()
      const headers = { origin: started.issuer, 'sec-fetch-site': 'same-origin' }
      const page = await browser.ask(form.action, fields, headers)
      assert.equal(page.status, 303)
      await done(page)
    })
  })
}

describe('of a browser that is known, after its login has ended, nothing is done', () => {
  for (const [from, headers, csrf] of [
    ['sent from another site', { origin: 'https://evil.example' }, {}],
    ['with a wrong token', {}, { csrf: 'x' }],
  ] as const) {
    test(`the consent form ${from}: the journey goes on at its login`, async () => {
      const browser = await enter('bob', 'builder')
      const before = await allowed(browser)
      const form = formOf(await browser.go(authorizePath(codeRequest)), '/consent')
      const [journey = ''] = form.fields.journey ?? []
      await browser.submit(await browser.go('/logout'))
      const fields = { ...form.fields, decision: 'allow', duration: 'day', ...csrf }
      const sent = await browser.ask('/consent', fields, headers)
      assert.deepEqual(
        [sent.status, sent.headers.get('location'), sent.headers.getSetCookie()],
        [303, `/authorize?journey=${journey}`, []],
      )
      const login = await browser.go(sent.headers.get('location') ?? '')
      assert.match(login.url, /\/login\?journey=/)
      assert.match((await browser.logIn(login, 'bob', 'builder')).url, /\/consent\?journey=/)
      assert.equal(await allowed(browser), before)
    })

    test(`the logout form ${from}: no cookie is touched`, async () => {
      const browser = await enter('alice', 'wonderland')
      const form = formOf(await browser.go('/logout'), '/logout')
      await browser.submit(await browser.go('/logout'))
      const sent = await browser.ask('/logout', { ...form.fields, ...csrf }, headers)
      assert.deepEqual(
        [sent.status, sent.headers.get('location'), sent.headers.getSetCookie()],
        [303, '/logout', []],
      )
    })
  }
})

describe('LG-02: login CSRF', () => {
  test("the attacker's token does not go with the victim's browser", async () => {
    const attacker = formOf(await new Browser(started).go('/login'), '/login')
    const victim = new Browser(started)
    await victim.go('/login')
    const fields = { ...attacker.fields, username: 'bob', password: 'builder' }
    assertRefused(await victim.ask('/login', fields))
    assert.equal(await isLoggedIn(victim), false)
  })

  test('the token of no browser at all, which anybody can compute, is refused', async () => {
    const csrf = createHash('sha256').update('csrf\n\n').digest('base64url')
    const browser = new Browser(started)
    const fields = { csrf, username: 'bob', password: 'builder' }
    assertRefused(await browser.ask('/login', fields))
    assert.equal(await isLoggedIn(browser), false)
  })

  test('nor, with cookie and token both planted, from another site', async () => {
    const browser = new Browser(started)
    const form = formOf(await browser.go('/login'), '/login')
    const fields = { ...form.fields, username: 'bob', password: 'builder' }
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    assertRefused(await browser.ask('/login', fields, headers), foreignSite)
    assert.equal(await isLoggedIn(browser), false)
  })
})

test('a form of an earlier login is no form of this one', async () => {
  const browser = await enter('alice', 'wonderland')
  const earlier = formOf(await browser.go('/logout'), '/logout')
  await browser.logIn(await browser.go('/login?switch=1'), 'bob', 'builder')
  assertRefused(await browser.ask('/logout', earlier.fields))
  assert.equal(await isLoggedIn(browser), true)
})
