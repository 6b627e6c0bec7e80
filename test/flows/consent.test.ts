/**
 * The consent page: unticked permissions are not given, earlier ones are remembered, new ones are
 * asked.
 */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { hashText } from '../../src/crypto/digest.ts'
import { accessFormsOn, openAccess, readAccount } from '../support/accesses.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { newConsoleVisitor } from '../support/console.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { assertPlaced, familyIn } from '../support/placed.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { type Form, startBefore } from '../support/start.ts'
import { type Operator, operatorOf } from './operator.ts'

const started = startBefore()

/** With a new token each time: the clock moves a lot here. */
const operator: Operator = async (...asked) => (await operatorOf(started))(...asked)

/** Everyone in these tests is an owner without any approval. */
let names = 0
let browser: Browser
beforeEach(async () => {
  const person = { username: `person-${++names}`, password: 'correct horse battery' }
  await operator('POST', 'owners', person)
  browser = new Browser(started)
  await browser.logIn(await browser.go('/login'), person.username, person.password)
})

const ask = (changes: Form = {}): Promise<Page> =>
  browser.go(authorizePath({ ...codeRequest, ...changes }))

const isConsent = ({ url }: Page): boolean => url.includes('/consent?')

const allow = (page: Page, changes: Form = {}): Promise<Page> =>
  browser.submit(page, { decision: 'allow', ...changes })

const redeem = async (page: Page, client = photoPrinter as readonly [string, string]) => {
  const { code = '' } = answerOf(page)
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  const { status, body, text } = await started.post('/token', form, client)
  assert.equal(status, 200, text)
  return body
}

const used = async (token: string, path = '/api/photos'): Promise<number> =>
  (await started.ask(path, { headers: { authorization: `Bearer ${token}` } })).status

/** The permissions on the page, the ticked ones, and the required ones. */
const boxesOf = ({ text }: Page) => {
  const boxes = [
    ...text.matchAll(/<input type="checkbox" name="permission" value="([^"]+)"([^>]*)>/g),
  ]
  const named = (has: RegExp) =>
    boxes.filter(([, , rest = '']) => has.test(rest)).map(([, value]) => value)
  return { offered: named(/(?:)/), ticked: named(/checked/), fixed: named(/disabled/) }
}

const everything = ['photos', 'contacts', 'calendar'].flatMap((name) => [
  `${name}:read`,
  `${name}:write`,
])

const registered = async (metadata: object): Promise<readonly [string, string]> => {
  const { status, body, text } = await operator('POST', 'clients', {
    client_name: 'Shop',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    ...metadata,
  })
  assert.equal(status, 201, text)
  return [body.client_id, body.client_secret]
}

describe('what is asked', () => {
  test('UI-14: who asks, for whom, where the answer goes, for how long', async () => {
    const page = await ask()
    assert.match(
      page.text,
      /<h1><bdi class="name">Photo Printer<\/bdi> wants to change your photos, contacts and calendar<\/h1>/,
    )
    assert.match(page.text, new RegExp(`Logged in as </span><b><bdi class="name">person-${names}`))
    assert.match(page.text, /you go back to <strong><code>127\.0\.0\.1:6750<\/code>/)
    assert.equal(page.text.includes('Nobody has checked'), false)
    const durations = [...page.text.matchAll(/name="duration" value="(\w+)"( checked)?/g)]
    assert.deepEqual(
      durations.map(([, value, checked]) => [value, checked !== undefined]),
      [
        ['session', false],
        ['day', false],
        ['month', false],
        ['forever', true],
      ],
    )
  })

  test('by whom and since when it is registered, and what stays out of its reach', async () => {
    const page = await ask({ scope: 'photos:read contacts' })
    assert.match(page.text, /<dt>Registered by<\/dt><dd>The operator, <time /)
    assert.match(page.text, /<dt>Cannot<\/dt><dd>See your password, or do anything/)
  })

  test('how many items there are of what it asks for', async () => {
    const { text } = await new Browser(started).go(
      authorizePath({ ...codeRequest, scope: 'photos' }),
    )
    assert.doesNotMatch(text, /\d items/)
    const alice = new Browser(started)
    await alice.logIn(await alice.go('/login'), 'alice', 'wonderland')
    const asked = await alice.go(
      authorizePath({ ...codeRequest, scope: 'photos', prompt: 'consent' }),
    )
    assert.match(asked.text, /<b>See<\/b> your photos <small class="beside">\d+ items<\/small>/)
  })

  test('no number where none are kept here, since they may be in an API elsewhere', async () => {
    const { text } = await ask({ scope: 'photos' })
    assert.match(text, /<span><b>See<\/b> your photos<\/span>/)
  })

  test('why it needs what it requires, in its own words', async () => {
    const [client_id] = await registered({
      scope: 'photos',
      required_scope: 'photos:read',
      required_scope_reason: 'To <b>show</b> them in the shop',
    })
    const page = await ask({ client_id })
    assert.match(page.text, /<q>To &lt;b&gt;show&lt;\/b&gt; them in the shop<\/q>/)
    const { status, body } = await operator('POST', 'clients', {
      client_name: 'Shop',
      required_scope_reason: 'x'.repeat(301),
    })
    assert.equal(status, 400)
    assert.match(body.detail, /required_scope_reason/)
  })

  test('the first letter of its name, where no picture is kept', async () => {
    const [client_id] = await registered({ logo_uri: 'https://shop.example/logo.png' })
    const page = await ask({ client_id })
    assert.match(page.text, /<span class="tile [a-z]+" aria-hidden="true">S<\/span>/)
    assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self';/)
  })

  test('a picture has an address whose host can be looked up', async () => {
    for (const logo_uri of ['https://x;sandbox/l.png', "https://x,'self'/l.png"]) {
      const refused = await operator('POST', 'clients', { client_name: 'Shop', logo_uri })
      assert.equal(refused.status, 400)
      assert.match(refused.body.detail, /logo_uri/)
    }
  })

  test('no scope is everything that the client may have, all ticked', async () => {
    const { offered, ticked, fixed } = boxesOf(await ask())
    assert.deepEqual([offered.toSorted(), ticked, fixed], [everything.toSorted(), offered, []])
  })

  test('a scope is what it names', async () => {
    const { offered } = boxesOf(await ask({ scope: 'photos, contacts:read' }))
    assert.deepEqual(offered, ['photos:read', 'photos:write', 'contacts:read'])
  })

  test('UI-18: deny is a button like allow, beside it', async () => {
    const { text } = await ask()
    const buttons = [
      ...text.matchAll(
        /<button class="(?:solid|primary)" type="submit" name="decision" value="(\w+)">/g,
      ),
    ]
    assert.deepEqual(
      buttons.map(([, value]) => value),
      ['deny', 'allow'],
    )
  })

  test('of a stranger has a neutral tile and the host of the redirect URI, and so have the other pages', async () => {
    const redirect_uri = 'https://phish.example/back'
    const { body } = await started.ask('/register', {
      json: { client_name: 'Photo Printer', redirect_uris: [redirect_uri], scope: 'photos' },
    })
    const neutral = /<span class="tile unknown[^"]*" aria-hidden="true">\?<\/span>/
    const page = await ask({ client_id: body.client_id, redirect_uri })
    assert.match(page.text, neutral)
    assert.match(
      page.text,
      /<p class="host"><b><code>phish\.example<\/code><\/b> <span class="tag warn">Not checked</,
    )
    await allow(page)
    assert.match((await browser.go('/account')).text, neutral)
    const access = await openAccess(browser)
    assert.match(access.text, neutral)
    const [form] = accessFormsOn(access)
    assert.ok(form)
    await browser.submitForm(access, form, { action: 'end' })
    assert.match((await browser.go('/account/ended')).text, neutral)
    const operated = await newConsoleVisitor(started)
    for (const path of ['', `/${body.client_id}`]) {
      assert.match((await operated.browser.go(`/admin/clients${path}`)).text, neutral, path)
    }
    const checked = await operated.browser.go('/admin/clients/photo-printer')
    assert.doesNotMatch(checked.text, neutral)
  })

  test('of a stranger whose name looks like an application of the operator', async () => {
    const register = async (client_name: string) => {
      const redirect_uris = ['https://phish.example/back']
      const made = await started.ask('/register', {
        json: { client_name, redirect_uris, scope: 'photos' },
      })
      assert.equal(made.status, 201, made.text)
      return ask({ client_id: made.body.client_id, redirect_uri: 'https://phish.example/back' })
    }
    const warning = /its name looks like <bdi class="name">Photo Printer<\/bdi>/
    // Greek and Cyrillic letters, mathematical ones, other blanks and case, and the same name.
    for (const name of ['Ρhоtо Ρrіntеr', '𝐏𝐡𝐨𝐭𝐨 Printer', 'PHOTO\u2003printer', 'Photo Printer']) {
      assert.match((await register(name)).text, warning, name)
    }
    assert.match((await register('GaIlery')).text, /looks like <bdi class="name">Gallery</)
    for (const name of ['Photo Painter', 'Photos']) {
      assert.doesNotMatch((await register(name)).text, /looks like/, name)
    }
    assert.doesNotMatch((await ask()).text, /looks like/)
  })

  test('UI-14: of an application that registered itself, that nobody has checked it', async () => {
    const made = await started.ask('/register', {
      json: {
        client_name: 'Bank of Wonderland',
        redirect_uris: ['https://phish.example/back'],
        logo_uri: 'https://phish.example/logo.png',
        client_uri: 'https://phish.example/',
        scope: 'photos',
      },
    })
    const page = await ask({
      client_id: made.body.client_id,
      redirect_uri: 'https://phish.example/back',
    })
    assert.match(
      page.text,
      /<strong>Nobody has checked this application\.<\/strong> It registered itself/,
    )
    assert.match(page.text, /you go back to <strong><code>phish\.example<\/code>/)
    // UI-17: what strangers serve is never loaded, and UI-15: their address is not to be clicked.
    assert.equal(page.text.includes('logo.png'), false)
    assert.equal(/href="[^"]*phish/.test(page.text), false)
  })
})

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

const unescaped = (text: string): string =>
  text.replace(/&[a-z0-9#]+;/g, (entity) => entities[entity] ?? entity)

describe('UI-05: names are text', () => {
  const polyglots = [
    '"><svg onload=alert(1)>',
    "'-alert(1)-'",
    '</title><script>alert(1)</script>',
    '{{7*7}}$\u007b7*7}<%= 7*7 %>',
    '<img src=x onerror=alert(1)>',
  ]
  for (const name of polyglots) {
    test(name, async () => {
      const [client_id] = await registered({ client_name: name })
      const pages = [
        await new Browser(started).go(authorizePath({ ...codeRequest, client_id, state: name })),
        await ask({ client_id, state: name }),
      ]
      await allow(pages[1] as Page)
      pages.push(await readAccount(browser))
      for (const { status, text } of pages) {
        assert.equal(status, 200)
        assert.doesNotMatch(
          text,
          /<svg onload|<script(?! (?:type="module" )?src="\/assets\/[a-z-]+\.js"><\/script>)|<img|onerror=alert\(1\)>/,
        )
        const shown = [...text.matchAll(/<bdi class="name">([^<]+)<\/bdi>/g)].map(([, of = '']) =>
          unescaped(of),
        )
        assert.ok(shown.includes(name), shown.join(', '))
      }
    })
  }
})

describe('what is decided', () => {
  test('all of it', async () => {
    const tokens = await redeem(await allow(await ask()))
    assert.deepEqual(tokens.scope.split(' '), everything.toSorted())
  })

  test('less than was asked: the answer says so, and the rest is refused', async () => {
    const page = await ask({ scope: 'photos contacts' })
    const tokens = await redeem(await allow(page, { permission: ['photos:read', 'contacts:read'] }))
    assert.equal(tokens.scope, 'contacts:read photos:read')
    assert.equal(await used(tokens.access_token), 200)
    assert.equal(await used(tokens.access_token, '/api/calendar'), 403)
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const again = (await started.post('/token', form, photoPrinter)).body
    assert.equal(again.scope, 'contacts:read photos:read')
    const more = { ...form, refresh_token: again.refresh_token, scope: 'photos:write' }
    assert.equal((await started.post('/token', more, photoPrinter)).body.error, 'invalid_scope')
  })

  test('what is unticked is not granted, reading beside writing neither', async () => {
    const page = await ask({ scope: 'photos contacts:write' })
    const tokens = await redeem(
      await allow(page, { permission: ['photos:write', 'contacts:write'] }),
    )
    assert.equal(tokens.scope, 'contacts:write photos:write')
    assert.equal(await used(tokens.access_token), 403)
    assert.deepEqual(boxesOf(await openAccess(browser)).offered, ['photos:write', 'contacts:write'])
  })

  test('nothing ticked is a denial, and so is deny with everything ticked', async () => {
    for (const changes of [{ permission: [] }, { decision: 'deny' }]) {
      const page = await browser.submit(await ask(), { decision: 'allow', ...changes })
      assert.deepEqual(answerOf(page), {
        error: 'access_denied',
        error_description: 'the resource owner denied access',
        state: 'xyz',
        iss: started.issuer,
      })
    }
    assert.match((await browser.go('/account')).text, /No application has access to your account/)
  })

  const taken: readonly [string, Form][] = [
    ['for good', { duration: 'forever' }],
    ['for a day', { duration: 'day' }],
    ['for the visit', { duration: 'session' }],
  ]
  for (const [what, changes] of taken) {
    test(`all unticked and allowed takes back what was asked of what was allowed ${what}`, async () => {
      const tokens = await redeem(await allow(await ask({ scope: 'photos contacts' }), changes))
      const page = await ask({ scope: 'photos', prompt: 'consent' })
      const answer = await allow(page, { permission: [] })
      assert.equal(answerOf(answer).error, 'access_denied')
      assert.equal(await used(tokens.access_token), 403)
      assert.equal(await used(tokens.access_token, '/api/contacts'), 200)
      assert.ok(isConsent(await ask({ scope: 'photos:read' })))
    })
  }

  test('a denial takes nothing back, whatever is ticked', async () => {
    const tokens = await redeem(await allow(await ask({ scope: 'photos contacts' })))
    for (const permission of [[], ['photos:read']]) {
      const page = await ask({ scope: 'photos', prompt: 'consent' })
      const answer = await browser.submit(page, { decision: 'deny', permission })
      assert.equal(answerOf(answer).error, 'access_denied')
      assert.equal(await used(tokens.access_token), 200)
    }
  })

  test('a denial is for this once', async () => {
    await browser.submit(await ask(), { decision: 'deny' })
    assert.equal(isConsent(await ask()), true)
  })

  test('the form is answered with 303 to us, and that with 302 to the client', async () => {
    const [form] = formsOf((await ask()).text)
    const first = await browser.ask('/consent', { ...form?.fields, decision: 'allow' })
    assert.equal(first.status, 303)
    const onward = first.headers.get('location') ?? ''
    assert.match(onward, /^\/authorize\?journey=[A-Za-z0-9_-]+$/)
    const second = await browser.ask(onward)
    assert.equal(second.status, 302)
    assert.match(
      second.headers.get('location') ?? '',
      /^http:\/\/127\.0\.0\.1:6750\/callback\?code=lk_ac_/,
    )
  })

  const forged: readonly [string, Form][] = [
    ['more than was asked', { permission: ['photos:read', 'contacts:read'] }],
    ['what there is not', { permission: ['photos:read', 'clients:write'] }],
    ['another duration', { duration: 'century' }],
    ['another decision', { decision: 'perhaps' }],
  ]
  for (const [what, changes] of forged) {
    test(`a form that says ${what} is refused, and approves nothing`, async () => {
      const page = await allow(await ask({ scope: 'photos:read' }), changes)
      assert.equal(page.status, 400)
      assert.match(page.text, /does not fit what the application asked for/)
      assert.match((await browser.go('/account')).text, /No application has access to your account/)
    })
  }

  test('UI-09: a GET decides nothing', async () => {
    const page = await ask()
    const answer = await browser.ask(`${page.url}&decision=allow&permission=photos:read`)
    assert.equal(answer.status, 200)
    assert.match((await browser.go('/account')).text, /No application has access to your account/)
  })

  test('a form whose journey was changed is refused', async () => {
    const page = await ask()
    const [journey = ''] = formsOf(page.text)[0]?.fields.journey ?? []
    const bent = (journey.startsWith('A') ? 'B' : 'A') + journey.slice(1)
    const answer = await allow(page, { journey: bent })
    assert.equal(answer.status, 400)
    assert.match((await browser.go('/account')).text, /No application has access to your account/)
  })

  test('allowed once more from the back button, the code that was used is not given again', async () => {
    const page = await ask()
    const tokens = await redeem(await allow(page))
    const again = await allow(page)
    assert.equal(again.status, 400)
    assert.match(again.text, /This request was answered already/)
    assert.equal(await used(tokens.access_token), 200)
  })

  test('the form of a request that was answered writes nothing down, and is not shown again', async () => {
    const page = await ask({ scope: 'photos' })
    const tokens = await redeem(await allow(page))
    const account = await openAccess(browser)
    const form = formsOf(account.text).find(({ fields }) => 'authorization' in fields)
    assert.ok(form)
    await browser.submitForm(account, form, { action: 'end' })
    for (const again of [await allow(page), await browser.go(page.url)]) {
      assert.equal(again.status, 400)
      assert.match(again.text, /This request was answered already/)
    }
    assert.match((await browser.go('/account')).text, /No application has access to your account/)
    assert.equal(await used(tokens.access_token), 401)
  })
})

test('one request answered by two owners earns each of them one family', async () => {
  const page = await ask()
  const first = await redeem(await allow(page))
  const again = async (username: string, password: string): Promise<Page> => {
    await browser.logIn(await browser.go('/login?switch=1'), username, password)
    return browser.go(page.url)
  }
  const other = { username: `person-${++names}`, password: 'correct horse battery' }
  await operator('POST', 'owners', other)
  const second = await redeem(await allow(await again(other.username, other.password)))
  for (const username of [`person-${names - 1}`, other.username]) {
    const late = await again(username, other.password)
    assert.match(late.text, /This request was answered already/)
  }
  const told = [first, second].map(({ access_token }) => familyIn(access_token))
  // The time and the 68 bits of the request.
  assert.equal(new Set(told.map((id) => id.slice(0, 10) + id.slice(13))).size, 1)
  assert.equal(new Set(told).size, 2)
  for (const { access_token } of [first, second]) assert.equal(await used(access_token), 200)
  await assertPlaced(started, first.access_token, second.access_token)
})

describe('what the client cannot work without', () => {
  test('cannot be unticked; a form that does so all the same is refused', async () => {
    const client = await registered({ scope: 'photos contacts', required_scope: 'photos:read' })
    const page = await ask({ client_id: client[0] })
    assert.deepEqual(boxesOf(page).fixed, ['photos:read'])
    // The disabled box is not sent; the hidden field beside it is.
    assert.deepEqual(formsOf(page.text)[0]?.fields.permission?.toSorted(), [
      'contacts:read',
      'contacts:write',
      'photos:read',
      'photos:write',
    ])
    const refused = await allow(page, { permission: ['contacts:read'] })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /cannot work without one of the permissions/)
    const tokens = await redeem(await allow(page, { permission: ['photos:read'] }), client)
    assert.equal(tokens.scope, 'photos:read')
  })

  test('counts only where it is asked for, and can be denied as a whole', async () => {
    const client = await registered({ scope: 'photos contacts', required_scope: 'photos:read' })
    const page = await ask({ client_id: client[0], scope: 'contacts' })
    assert.deepEqual(boxesOf(page).fixed, [])
    const denied = await browser.submit(await ask({ client_id: client[0] }), { decision: 'deny' })
    assert.equal(answerOf(denied).error, 'access_denied')
  })
})

describe('for how long', () => {
  const day = 24 * 3600
  const rows: readonly [string, number][] = [
    ['day', day],
    ['month', 30 * day],
  ]
  for (const [duration, seconds] of rows) {
    test(`a ${duration}, to the second; no token outlives it`, async () => {
      const tokens = await redeem(await allow(await ask(), { duration }))
      await started.advance(seconds - 60)
      const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
      const last = (await started.post('/token', form, photoPrinter)).body
      assert.equal(last.expires_in, 60)
      assert.equal(await used(last.access_token), 200)
      await started.advance(59)
      assert.equal(await used(last.access_token), 200)
      await started.advance(1)
      assert.equal(await used(last.access_token), 401)
      const over = await started.post(
        '/token',
        { ...form, refresh_token: last.refresh_token },
        photoPrinter,
      )
      assert.equal(over.body.error, 'invalid_grant')
    })
  }

  test('for good: a year later a client that kept refreshing still has it', async () => {
    let { refresh_token } = await redeem(await allow(await ask()))
    for (let days = 0; days < 365; days += 29) {
      await started.advance(29 * day)
      const form = { grant_type: 'refresh_token', refresh_token }
      const { status, body } = await started.post('/token', form, photoPrinter)
      assert.equal(status, 200)
      refresh_token = body.refresh_token
    }
  })

  test('what is over is asked for again', async () => {
    await allow(await ask(), { duration: 'day' })
    // The login lasts half a day, so a new one comes first.
    await started.advance(day)
    const page = await ask()
    const consent = await browser.logIn(page, `person-${names}`, 'correct horse battery')
    assert.equal(isConsent(consent), true)
    assert.equal(consent.text.includes('allowed before'), false)
  })
})

describe('what is remembered', () => {
  test('a confidential client is answered at once for what it has', async () => {
    await allow(await ask({ scope: 'photos contacts:read' }))
    for (const scope of ['photos contacts:read', 'photos:read', 'contacts:read photos:write']) {
      const page = await ask({ scope })
      assert.equal(isConsent(page), false)
      const tokens = await redeem(page)
      const expected = scope
        .replace(/photos(?!:)/, 'photos:read photos:write')
        .split(' ')
        .sort()
      assert.equal(tokens.scope, expected.join(' '))
    }
  })

  test('and asked again for what is new, the page telling what it had', async () => {
    await allow(await ask({ scope: 'photos:read' }))
    const page = await ask({ scope: 'photos' })
    assert.equal(isConsent(page), true)
    assert.match(page.text, /<\/bdi> also wants to change your photos<\/h1>/)
    assert.match(page.text, /It may already see your photos\. That stays, whatever you choose\./)
    // Earlier permissions travel with the form and are not decided again.
    assert.deepEqual(boxesOf(page).offered, ['photos:write'])
    assert.match(page.text, /<input type="hidden" name="settled" value="photos:read">/)
    const tokens = await redeem(await allow(page))
    assert.equal(tokens.scope, 'photos:read photos:write')
    assert.equal(isConsent(await ask({ scope: 'photos' })), false)
  })

  test('and for what was unticked, for that was not allowed', async () => {
    await allow(await ask({ scope: 'photos' }), { permission: ['photos:read'] })
    assert.equal(isConsent(await ask({ scope: 'photos' })), true)
    assert.equal(isConsent(await ask({ scope: 'photos:read' })), false)
  })

  test('unticking takes away what was allowed for longer, and does not come back', async () => {
    const lasting = await redeem(await allow(await ask({ scope: 'photos contacts:read' })))
    const page = await ask({ scope: 'photos contacts:read', prompt: 'consent' })
    const changes = { permission: ['photos:read'], duration: 'day' }
    const brief = await redeem(await allow(page, changes))
    assert.equal(brief.scope, 'photos:read')
    assert.equal(await used(lasting.access_token, '/api/contacts'), 403)
    assert.ok(isConsent(await ask({ scope: 'contacts:read' })))
  })

  test('unticking what it has takes it away, from tokens that it holds too', async () => {
    const tokens = await redeem(await allow(await ask({ scope: 'photos contacts' })))
    assert.equal(await used(tokens.access_token, '/api/contacts'), 200)
    const page = await ask({ scope: 'photos contacts', prompt: 'consent' })
    await allow(page, { permission: ['photos:read', 'photos:write'] })
    assert.equal(await used(tokens.access_token, '/api/contacts'), 403)
    assert.equal(await used(tokens.access_token), 200)
  })

  test('prompt=consent asks all the same, prompt=none never', async () => {
    const none = answerOf(await ask({ prompt: 'none' }))
    assert.equal(none.error, 'consent_required')
    await allow(await ask())
    assert.equal(isConsent(await ask({ prompt: 'consent' })), true)
    assert.ok(answerOf(await ask({ prompt: 'none' })).code)
  })

  test('nobody else is answered by it, nor is another client', async () => {
    await allow(await ask())
    const [client_id] = await registered({})
    assert.equal(isConsent(await ask({ client_id })), true)
    const other = new Browser(started)
    const page = await other.go(authorizePath(codeRequest))
    assert.equal(isConsent(await other.logIn(page, 'bob', 'builder')), true)
  })

  const shorter: readonly [string, (page: Page) => Promise<Page>, RegExp][] = [
    [
      'for a day',
      (page) => allow(page, { duration: 'day' }),
      /Already allowed: until <span data-as="day"><time /,
    ],
    [
      'for the visit',
      (page) => allow(page, { duration: 'session' }),
      /Already allowed: until you log out/,
    ],
    [
      'until a day that was chosen on the account page',
      async (page) => {
        await allow(page, { duration: 'day' })
        const account = await openAccess(browser)
        const form = formsOf(account.text).find(({ fields }) => 'authorization' in fields)
        assert.ok(form)
        return browser.submitForm(account, form, { action: 'until', until: 'month' })
      },
      /Already allowed: until <span data-as="day"><time /,
    ],
  ]
  for (const [what, before, tag] of shorter) {
    test(`what was allowed ${what} is not prolonged unseen: it can be unticked`, async () => {
      await before(await ask({ scope: 'photos' }))
      const page = await ask({ scope: 'photos contacts:read' })
      const asked = ['contacts:read', 'photos:read', 'photos:write']
      assert.deepEqual(boxesOf(page), { offered: asked, ticked: asked, fixed: [] })
      assert.match(page.text, tag)
      assert.match(page.text, /Asked again/)
      const tokens = await redeem(await allow(page, { permission: ['contacts:read'] }))
      assert.equal(tokens.scope, 'contacts:read')
      assert.ok(isConsent(await ask({ scope: 'photos:read' })))
    })
  }

  test('what is not asked keeps its old end, however often something else is asked', async () => {
    const day = 24 * 3600
    const tokens = await redeem(
      await allow(await ask({ scope: 'photos:read contacts:read' }), { duration: 'day' }),
    )
    await started.advance(day - 3600)
    const consent = await browser.logIn(
      await ask({ scope: 'contacts:read', prompt: 'consent' }),
      `person-${names}`,
      'correct horse battery',
    )
    assert.match(consent.text, /Already allowed: until <span data-as="day"><time /)
    const again = await redeem(await allow(consent, { duration: 'day' }))
    assert.equal(await used(again.access_token, '/api/contacts'), 200)
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const last = (await started.post('/token', form, photoPrinter)).body
    assert.deepEqual([last.scope, last.expires_in], ['contacts:read photos:read', 3600])
    const cards = accessFormsOn(await readAccount(browser))
    assert.deepEqual(
      cards.map(({ fields }) => fields.permission),
      [['contacts:read'], ['photos:read', 'contacts:read']],
    )
    await started.advance(3600)
    assert.equal(await used(last.access_token), 401)
    assert.equal(await used(again.access_token, '/api/contacts'), 401)
    const more = { ...form, refresh_token: again.refresh_token }
    const { body } = await started.post('/token', more, photoPrinter)
    assert.equal(await used(body.access_token, '/api/contacts'), 200)
    assert.ok(isConsent(await ask({ scope: 'photos:read' })))
  })

  test('beside what is new, what stands for good is settled and what ends is not', async () => {
    await allow(await ask({ scope: 'photos:read' }))
    await allow(await ask({ scope: 'calendar:read' }), { duration: 'day' })
    const page = await ask({ scope: 'photos:read calendar:read contacts:read' })
    assert.deepEqual(boxesOf(page).offered, ['contacts:read', 'calendar:read'])
    assert.match(page.text, /It may already see your photos\./)
  })

  describe('what goes along, and was taken back while the page was open', () => {
    const change = async (changes: Form): Promise<void> => {
      const account = await openAccess(browser)
      const form = formsOf(account.text).find(({ fields }) => 'authorization' in fields)
      assert.ok(form)
      await browser.submitForm(account, form, changes)
    }

    /** The text of an alert, which a screen reader tells of at once. */
    const alertIn = ({ text }: Page): string | null =>
      /<p [^>]*role="alert"[^>]*>(.*?)<\/p>/.exec(text)?.[1]?.replace(/<[^>]+>/g, '') ?? null

    /** That nothing was approved, and the page that says so and asks anew. */
    const asksAnew = (page: Page): void => {
      assert.equal(page.status, 409)
      assert.match(
        alertIn(page) ?? '',
        /Nothing has been allowed yet.*The access of Photo Printer changed/,
      )
      assert.deepEqual(boxesOf(page).fixed, [])
    }

    test('does not come back: the page says so, and asks anew', async () => {
      await allow(await ask({ scope: 'photos:read' }))
      const page = await ask({ scope: 'photos:read contacts:read' })
      assert.deepEqual([boxesOf(page).offered, alertIn(page)], [['contacts:read'], null])
      await change({ action: 'end' })
      const anew = await allow(page)
      asksAnew(anew)
      assert.match((await browser.go('/account')).text, /No application has access to your account/)
      const tokens = await redeem(await allow(anew, { permission: ['contacts:read'] }))
      assert.equal(tokens.scope, 'contacts:read')
    })

    test('is no matter where all of it is denied', async () => {
      await allow(await ask({ scope: 'contacts:read' }))
      const page = await ask({ scope: 'contacts:read calendar:read' })
      await change({ action: 'end' })
      const answer = await browser.submit(page, { decision: 'deny' })
      assert.equal(answerOf(answer).error, 'access_denied')
    })

    test('is decided anew where it ends by itself now', async () => {
      await allow(await ask({ scope: 'photos:read' }))
      const page = await ask({ scope: 'photos:read contacts:read' })
      await change({ action: 'until', until: 'day' })
      const anew = await allow(page)
      asksAnew(anew)
      const beyond = await allow(anew, { settled: ['calendar:read'] })
      assert.equal(beyond.status, 400)
    })

    test('is not settled only because the form says so', async () => {
      const forged = await ask({ scope: 'photos:read contacts:read' })
      asksAnew(await allow(forged, { settled: ['photos:read'], permission: [] }))
    })

    test('is told of in the language of the request', async () => {
      await allow(await ask({ scope: 'photos:read' }))
      const page = await ask({ scope: 'photos:read contacts:read', ui_locales: 'zh' })
      await change({ action: 'end' })
      assert.match(alertIn(await allow(page)) ?? '', /请重新决定/)
    })
  })

  test('what stands still goes along, though nothing is new any more', async () => {
    await allow(await ask({ scope: 'photos:read' }))
    const asked = { scope: 'photos:read contacts:read' }
    const [page, other] = [await ask(asked), await ask(asked)]
    await allow(other)
    assert.equal((await redeem(await allow(page))).scope, 'contacts:read photos:read')
  })

  test('what was allowed for the visit is remembered for the visit', async () => {
    await allow(await ask(), { duration: 'session' })
    assert.equal(isConsent(await ask()), false)
    await browser.submit(await browser.go('/logout'))
    const consent = await browser.logIn(await ask(), `person-${names}`, 'correct horse battery')
    assert.equal(isConsent(consent), true)
  })
})

describe('UI-13: a public client on a device proves nothing by its name', () => {
  const gallery = {
    client_id: 'gallery',
    redirect_uri: 'http://127.0.0.1:6750/gallery',
    code_challenge: hashText('v'.repeat(43)),
    code_challenge_method: 'S256',
  }

  test('so its owner is asked every time', async () => {
    for (let i = 0; i < 3; i++) {
      const page = await ask(gallery)
      assert.equal(isConsent(page), true)
      assert.ok(answerOf(await allow(page)).code)
    }
    assert.match((await ask(gallery)).text, /Already allowed/)
  })

  test('and an answer without a question is refused', async () => {
    await allow(await ask(gallery))
    assert.equal(answerOf(await ask({ ...gallery, prompt: 'none' })).error, 'interaction_required')
  })
})
