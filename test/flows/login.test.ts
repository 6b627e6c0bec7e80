/** The login page: accepted and refused logins, and the way on from there. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { type Started, start, startBefore } from '../support/start.ts'
import { type Operator, operatorOf } from './operator.ts'

const started = startBefore()

// Then nobody has to wait for what the test before got wrong.
beforeEach(() => started.advance(3600))

/** With a new token each time: the clock moves a lot here. */
const operator: Operator = async (...asked) => (await operatorOf(started))(...asked)

const wrong =
  'The username, email address or password is wrong, or there were too many tries. Wait a little, or use a passkey.'

let names = 0
const newOwner = async (password: string, username = `person-${++names}`): Promise<string> => {
  const { status, text } = await operator('POST', 'owners', { username, password })
  assert.equal(status, 201, text)
  return username
}

const open = async (path = '/login'): Promise<{ browser: Browser; page: Page }> => {
  const browser = new Browser(started)
  return { browser, page: await browser.go(path) }
}

/** Whether a name and a password get somebody in. */
const getsIn = async (username: string, password: string): Promise<boolean> => {
  const { browser, page } = await open()
  await browser.logIn(page, username, password)
  return browser.cookies.has('latchkey_session')
}

const alertOf = ({ text }: Page): string | undefined => /role="alert"[^>]*>([^<]*)/.exec(text)?.[1]

describe('the way through', () => {
  test('says of an application that registered itself that nobody has checked it', async () => {
    const stranger = { client_name: 'Bank of Wonderland', redirect_uris: [callback] }
    const made = await started.ask('/register', { json: stranger })
    const shown = async (client_id: string) =>
      (await open(authorizePath({ ...codeRequest, client_id, scope: 'photos' }))).page.text
    const { client_id: known } = codeRequest
    assert.match(
      await shown(made.body.client_id),
      /Nobody has checked this application\.<\/strong> It registered/,
    )
    assert.doesNotMatch(await shown(known ?? ''), /Nobody has checked/)
  })

  test('leads to the account page where nothing waits', async () => {
    const { browser, page } = await open()
    const [form] = formsOf(page.text)
    assert.deepEqual(Object.keys(form?.fields ?? {}), ['csrf', 'journey', 'username', 'password'])
    const answer = await browser.ask('/login', {
      ...form?.fields,
      username: 'alice',
      password: 'wonderland',
    })
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/account'])
    assert.match((await browser.go('/account')).text, /Alice Liddell/)
    assert.equal((await browser.ask('/login')).headers.get('location'), '/account')
  })

  test('leads back to the request that waits, which says who asks', async () => {
    const { browser, page } = await open(authorizePath(codeRequest))
    assert.match(page.text, /to continue to <bdi class="name">Photo Printer<\/bdi><\/span>/)
    const consent = await browser.logIn(page, 'alice', 'wonderland')
    assert.match(consent.url, /\/consent\?journey=/)
  })

  test('UI-10: is 303 after the password, and never sends it on', async () => {
    const { browser, page } = await open(authorizePath(codeRequest))
    const [form] = formsOf(page.text)
    const answer = await browser.ask('/login', {
      ...form?.fields,
      username: 'alice',
      password: 'wonderland',
    })
    assert.equal(answer.status, 303)
    assert.match(answer.headers.get('location') ?? '', /^\/authorize\?journey=[A-Za-z0-9_-]+$/)
    assert.equal(answer.text, '')
  })

  test('takes two tabs: the one left open logs in after the other did', async () => {
    const { browser, page } = await open(authorizePath(codeRequest))
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    const consent = await browser.logIn(page, 'bob', 'builder')
    assert.match(consent.text, /Bob Mason/)
  })
})

describe('what is wrong is said in one sentence', () => {
  test('the name stays, the password does not', async () => {
    const { browser, page } = await open()
    const again = await browser.logIn(page, 'alice"<b>', 'secret-typo')
    assert.equal(again.status, 403)
    assert.equal(alertOf(again), wrong)
    assert.deepEqual(formsOf(again.text)[0]?.fields.username, ['alice"<b>'])
    assert.deepEqual(formsOf(again.text)[0]?.fields.password, [''])
    assert.equal(again.text.includes('secret-typo'), false)
    assert.equal(browser.cookies.has('latchkey_session'), false)
  })

  test('nothing typed is wrong as well', async () => {
    for (const [username, password] of [
      ['', ''],
      ['alice', ''],
      ['', 'wonderland'],
    ] as const) {
      const { browser, page } = await open()
      const again = await browser.logIn(page, username, password)
      assert.deepEqual([again.status, alertOf(again)], [403, wrong])
    }
  })

  test('A-21: a request that waits in another browser is not taken over', async () => {
    const { page } = await open(authorizePath(codeRequest))
    const { browser: other } = await open()
    const stolen = await other.go(page.url)
    assert.equal(stolen.status, 400)
    assert.match(stolen.text, /It belongs to another browser, was changed, or cookies are off/)
  })

  test('one that was open for too long is refused before the password is tried', async () => {
    const { browser, page } = await open(authorizePath(codeRequest))
    await started.advance(15 * 60)
    const late = await browser.logIn(page, 'alice', 'wonderland')
    assert.equal(late.status, 400)
    assert.match(late.text, /This page was open for too long/)
    assert.equal(browser.cookies.has('latchkey_session'), false)
    const events = await operator('GET', 'events?limit=1')
    assert.notEqual(events.body.items[0].type, 'login.succeeded')
  })
})

describe('LG-06: one person has one name', () => {
  test('however it is typed', async () => {
    for (const username of ['ALICE', 'Alice', 'ａｌｉｃｅ', ' alice ']) {
      assert.equal(await getsIn(username, 'wonderland'), true)
    }
    assert.equal(await getsIn('al ice', 'wonderland'), false)
  })

  test('and no second person gets a name that is the same', async () => {
    for (const username of ['ALICE', 'ａlice']) {
      const { status, body } = await operator('POST', 'owners', {
        username,
        password: 'correct horse battery',
      })
      assert.deepEqual([status, body.title], [409, 'conflict'])
    }
  })
})

describe('LG-06: a confirmed email address is a name, too', () => {
  const password = 'correct horse battery'
  const made = async (members: object): Promise<string> => {
    const username = `addressed-${++names}`
    const { status, text, body } = await operator('POST', 'owners', {
      username,
      password,
      ...members,
    })
    assert.equal(status, 201, text)
    return body.id
  }

  test('however it is typed, with the password of its account', async () => {
    for (const email of ['Alice@Example.com', 'alice＠example.com', 'alice@example.com ']) {
      assert.equal(await getsIn(email, 'wonderland'), true)
    }
    assert.equal(await getsIn('alice@example.com', 'builder'), false)
    assert.equal(await getsIn('bob@example.com', 'wonderland'), false)
  })

  test('not before it is confirmed, nor of an account that is disabled', async () => {
    const email = 'dinah@example.com'
    const id = await made({ email })
    assert.equal(await getsIn(email, password), false)
    await operator('PATCH', `owners/${id}`, { email_verified: true })
    assert.equal(await getsIn(email, password), true)
    await operator('PATCH', `owners/${id}`, { disabled: true })
    assert.equal(await getsIn(email, password), false)
  })

  test('of the account that confirmed it, beside others that have it', async () => {
    const email = 'family@example.com'
    await made({ email, email_verified: true })
    const id = await made({ email })
    assert.equal(await getsIn(email, password), true)
    assert.equal(await getsIn(`addressed-${names}`, password), true)
    const shouted = { email: email.toUpperCase(), email_verified: true }
    const another = await operator('POST', 'owners', { username: 'rival', password, ...shouted })
    const confirmed = await operator('PATCH', `owners/${id}`, shouted)
    for (const { status, body } of [another, confirmed]) {
      assert.equal(status, 409)
      assert.match(body.detail, /another owner has confirmed this email address/)
    }
  })

  test('a username goes first, so an address takes no name from another account', async () => {
    const email = 'hatter@example.com'
    await newOwner(password, email)
    const other = 'another horse, another battery'
    await made({ email, email_verified: true, password: other })
    assert.equal(await getsIn(email, password), true)
    assert.equal(await getsIn(email, other), false)
    const { body } = await operator('GET', `owners?search=${email}`)
    await operator('PATCH', `owners/${body.items[0].id}`, { disabled: true })
    assert.equal(await getsIn(email, other), false)
  })
})

describe('LG-12: every character of a password counts', () => {
  test('none is cut off: 256 bytes, of which the last differs', async () => {
    const password = 'p'.repeat(255)
    const username = await newOwner(`${password}1`)
    assert.equal(await getsIn(username, `${password}2`), false)
    assert.equal(await getsIn(username, password), false)
    assert.equal(await getsIn(username, `${password}1x`), false)
    assert.equal(await getsIn(username, `${password}1`), true)
  })

  test('73 characters are not 72 (the trap of bcrypt)', async () => {
    const password = 'seventy-two '.repeat(6)
    const username = await newOwner(`${password}3`)
    assert.equal(await getsIn(username, password), false)
    assert.equal(await getsIn(username, `${password}3`), true)
  })

  test('NUL ends nothing: it is refused', async () => {
    const username = await newOwner('a password')
    const { browser, page } = await open()
    const refused = await browser.logIn(page, username, 'a password\0x')
    assert.equal(refused.status, 400)
    assert.equal(browser.cookies.has('latchkey_session'), false)
  })

  test('blanks at the ends are part of it', async () => {
    const username = await newOwner(' spaced out ')
    assert.equal(await getsIn(username, 'spaced out'), false)
    assert.equal(await getsIn(username, ' spaced out '), true)
  })

  test('one letter has one meaning, however the keyboard puts it together (NFC)', async () => {
    const username = await newOwner('cafe\u0301-au-lait')
    assert.equal(await getsIn(username, 'caf\u00e9-au-lait'), true)
    assert.equal(await getsIn(username, 'cafe-au-lait'), false)
  })

  test('upper and lower case differ', async () => {
    assert.equal(await getsIn('alice', 'Wonderland'), false)
    assert.equal(await getsIn('alice', 'wonderland'), true)
  })

  test('ten megabytes are not read', async () => {
    const { browser, page } = await open()
    const [form] = formsOf(page.text)
    const answer = await browser.ask('/login', { ...form?.fields, password: 'x'.repeat(10 << 20) })
    assert.deepEqual([answer.status, answer.headers.get('connection')], [413, 'close'])
  })

  test('a new one of more than 256 bytes, or fewer than eight characters, is not taken', async () => {
    for (const password of ['x'.repeat(257), 'é'.repeat(129), 'seven77']) {
      const { status, body } = await operator('POST', 'owners', {
        username: 'nobody-yet',
        password,
      })
      assert.equal(status, 400)
      assert.equal(
        body.detail,
        'password has to be text of at least 8 characters and at most 256 bytes',
      )
    }
  })
})

describe('LG-05: nobody inherits a name', () => {
  test('a new person with the name of a deleted one is somebody else', async () => {
    const password = 'correct horse battery'
    const username = await newOwner(password)
    const login = { grant_type: 'password', username, password, scope: 'profile' }
    const client = ['house-app', 'house-app-secret'] as const
    const before = (await started.post('/token', login, client)).body
    const userinfo = async (token: string) =>
      started.ask('/userinfo', { headers: { authorization: `Bearer ${token}` } })
    const first = (await userinfo(before.access_token)).body
    const { browser, page } = await open()
    await browser.logIn(page, username, password)
    await operator('DELETE', `owners/${first.sub}`)
    await newOwner(password, username)
    const next = (await started.post('/token', login, client)).body
    const second = (await userinfo(next.access_token)).body
    assert.equal(second.preferred_username, username)
    assert.notEqual(second.sub, first.sub)
    assert.equal((await userinfo(before.access_token)).status, 401)
    const form = { grant_type: 'refresh_token', refresh_token: before.refresh_token }
    assert.equal((await started.post('/token', form, client)).body.error, 'invalid_grant')
    assert.equal((await browser.ask('/account')).headers.get('location'), '/login')
  })
})

describe('LG-11: the host that was asked for builds no link', () => {
  test('redirects and links are paths, the issuer is the configured one', async () => {
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const path = authorizePath({ ...codeRequest, prompt: 'none' })
    const page = await started.ask(`http://localhost:1${path}`, { headers: forged })
    assert.equal(answerOf(page).iss, started.issuer)
    const login = await started.ask(`http://localhost:1${authorizePath(codeRequest)}`)
    assert.match(login.headers.get('location') ?? '', /^\/login\?journey=/)
    const home = await started.ask('http://localhost:1/', { headers: forged })
    for (const name of ['evil.example', 'localhost:1']) {
      assert.equal(home.text.includes(name), false)
    }
  })
})

describe('a session', () => {
  test('lasts as long as the settings say, however it is used', async () => {
    const { browser, page } = await open()
    await browser.logIn(page, 'alice', 'wonderland')
    for (let hour = 0; hour < 11; hour++) {
      await started.advance(3600)
      assert.equal((await browser.ask('/account')).status, 200)
    }
    await started.advance(3600)
    assert.equal((await browser.ask('/account')).headers.get('location'), '/login')
  })

  test('survives a restart', async () => {
    const { browser, page } = await open()
    await browser.logIn(page, 'alice', 'wonderland')
    await started.restart()
    assert.equal((await browser.ask('/account')).status, 200)
  })

  test('ST-03: its cookie, the browser’s and each CSRF token are 256 bits, all different', async () => {
    const seen = new Set<string>()
    for (let i = 0; i < 20; i++) {
      const { browser, page } = await open()
      const [csrf = ''] = formsOf(page.text)[0]?.fields.csrf ?? []
      for (const text of [csrf, ...browser.cookies.values()]) {
        assert.match(text, /^[A-Za-z0-9_-]{43}$/)
        seen.add(text)
      }
    }
    assert.equal(seen.size, 40)
  })
})

describe('LG-16, LG-17: a first start', () => {
  test('two fresh installations share no secret, and the file that holds it is the owner’s alone', async () => {
    const { readFile, stat } = await import('node:fs/promises')
    const other = await start()
    try {
      const secretOf = ({ folder }: Started) => readFile(`${folder}/latchkey.db.key`, 'utf8')
      const [ours, theirs] = [await secretOf(started), await secretOf(other)]
      assert.match(ours, /^[A-Za-z0-9_-]{43}\n$/)
      assert.match(theirs, /^[A-Za-z0-9_-]{43}\n$/)
      assert.notEqual(ours, theirs)
      // ST-05
      assert.equal((await stat(`${started.folder}/latchkey.db.key`)).mode & 0o777, 0o600)
      const form = { grant_type: 'client_credentials' }
      const client = ['nightly-report', 'nightly-report-secret'] as const
      const { body } = await other.post('/token', form, client)
      const headers = { authorization: `Bearer ${body.access_token}` }
      assert.equal((await other.ask('/api/photos', { headers })).status, 200)
      assert.equal((await started.ask('/api/photos', { headers })).status, 401)
    } finally {
      await other.close()
    }
  })

  test('no page sets a service up, however empty it is', async () => {
    const empty = await start({ demo: false })
    try {
      for (const path of ['/setup', '/init', '/install', '/if/flow/initial-setup']) {
        for (const method of ['GET', 'POST']) {
          assert.equal((await empty.ask(path, { method })).status, 404)
        }
      }
      const { status, headers } = await empty.ask('/admin')
      assert.deepEqual([status, headers.get('location')], [303, '/login?next=admin'])
      assert.equal((await empty.ask('/admin', { method: 'POST' })).status, 405)
      const made = await empty.ask('/admin/api/owners', { json: { username: 'x', password: 'y' } })
      assert.equal(made.status, 401)
    } finally {
      await empty.close()
    }
  })
})
