/** Session fixation (RFC 6819 section 4.4.1.10): a login is a new session, and the old one is dead. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drawRandom, hashText, makeSecret } from '../../src/crypto/digest.ts'
import { createId, type EventId, type SessionHandle, type SessionId } from '../../src/model/ids.ts'
import { operatorOf } from '../flows/operator.ts'
import { answerOf, Browser, formsOf } from '../support/browser.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'

const started = startBefore()

const enter = async (username: string, password: string, browser = new Browser(started)) => {
  await browser.logIn(await browser.go('/login?switch=1'), username, password)
  return browser
}

/** Who a browser with this session cookie alone is taken for; null = nobody. */
const whoIs = async (cookie: string): Promise<string | null> => {
  const browser = new Browser(started)
  browser.cookies.set('latchkey_session', cookie)
  const page = await browser.ask('/account')
  return /You are logged in as <strong><bdi class="name">([^<]*)/.exec(page.text)?.[1] ?? null
}

const sessionOf = ({ cookies }: Browser): string => cookies.get('latchkey_session') ?? ''

describe('LG-01: the session id changes at login', () => {
  test('a cookie that was planted before is worth nothing after', async () => {
    for (const planted of ['A'.repeat(43), 'x', '', 'A'.repeat(5000)]) {
      const victim = new Browser(started)
      victim.cookies.set('latchkey_session', planted)
      await enter('alice', 'wonderland', victim)
      assert.notEqual(sessionOf(victim), planted)
      assert.equal(await whoIs(planted), null)
      assert.equal(await whoIs(sessionOf(victim)), 'Alice Liddell')
    }
  })

  test('nor is a session of the attacker’s own that the victim logs in over', async () => {
    const attacker = await enter('bob', 'builder')
    const planted = sessionOf(attacker)
    const victim = new Browser(started)
    victim.cookies.set('latchkey_session', planted)
    await enter('alice', 'wonderland', victim)
    assert.notEqual(sessionOf(victim), planted)
    assert.equal(await whoIs(planted), null)
  })

  test('logging in again begins anew, and ends the earlier session', async () => {
    const browser = await enter('alice', 'wonderland')
    const earlier = sessionOf(browser)
    await enter('alice', 'wonderland', browser)
    assert.notEqual(sessionOf(browser), earlier)
    assert.equal(await whoIs(earlier), null)
    assert.equal(await whoIs(sessionOf(browser)), 'Alice Liddell')
  })

  test('a cookie is worth nothing with other digits, and one without digits was of an earlier version', async () => {
    const cookie = sessionOf(await enter('alice', 'wonderland'))
    assert.match(cookie, /^[0-9a-f]{3}\./)
    const other = cookie.startsWith('0') ? '1' : '0'
    for (const bent of [cookie.slice(4), other + cookie.slice(1)]) {
      assert.equal(await whoIs(bent), null)
    }
    const { store } = started.server()
    const id = `${cookie.slice(0, 4)}${hashText(cookie)}` as SessionId
    const { session, owner } = (await store.findSession(id, started.now())) ?? assert.fail()
    const earlier = makeSecret('', drawRandom)
    const unplaced = hashText(earlier) as string as SessionId
    const handle = createId(0, drawRandom(10)) as SessionHandle
    const { passwordHash } = owner
    const trace = { at: started.now(), eventId: handle as string as EventId, requestId: null }
    const actor = { type: 'owner', ownerId: owner.id, network: '' } as const
    await store.startSession({ ...session, id: unplaced, handle }, { passwordHash }, null, {
      ...trace,
      actor,
    })
    assert.equal(await whoIs(earlier), 'Alice Liddell')
    assert.equal(await whoIs(cookie.slice(0, 4) + earlier), null)
  })

  test('a wrong password neither begins nor ends a session', async () => {
    const browser = await enter('alice', 'wonderland')
    const cookie = sessionOf(browser)
    const page = await browser.logIn(await browser.go('/login?switch=1'), 'bob', 'wrong')
    assert.equal(page.status, 403)
    assert.deepEqual(page.headers.getSetCookie(), [])
    assert.equal(sessionOf(browser), cookie)
    assert.equal(await whoIs(cookie), 'Alice Liddell')
    await enter('alice', 'wonderland')
  })

  test('another browser of the same person keeps its own', async () => {
    const [desk, phone] = [await enter('alice', 'wonderland'), await enter('alice', 'wonderland')]
    assert.notEqual(sessionOf(desk), sessionOf(phone))
    await desk.submit(await desk.go('/logout'))
    assert.equal(await whoIs(sessionOf(phone)), 'Alice Liddell')
  })
})

describe('LG-01: a change of what the session stands for', () => {
  test('a new password ends all sessions that began under the old one', async () => {
    const operator = await operatorOf(started)
    const password = 'correct horse battery'
    const { id } = (await operator('POST', 'owners', { username: 'carol', password })).body
    const browser = await enter('carol', password)
    assert.equal(await whoIs(sessionOf(browser)), 'carol')
    const changed = await operator('POST', `owners/${id}/set-password`, {
      password: 'new password',
    })
    assert.equal(changed.status, 200)
    assert.equal(await whoIs(sessionOf(browser)), null)
    await enter('carol', 'new password', browser)
    assert.equal(await whoIs(sessionOf(browser)), 'carol')
    await operator('PATCH', `owners/${id}`, { disabled: true })
    assert.equal(await whoIs(sessionOf(browser)), null)
  })
})

describe('LG-03: logging in as somebody else on the way', () => {
  const ask = { ...codeRequest, prompt: 'login' }

  test('decides for that other person, and inherits nothing', async () => {
    const browser = await enter('alice', 'wonderland')
    await browser.submit(await browser.go(authorizePath(codeRequest)), { decision: 'allow' })
    const before = sessionOf(browser)
    const consent = await browser.logIn(await browser.go(authorizePath(ask)), 'bob', 'builder')
    assert.match(consent.text, /Logged in as <\/span><b><bdi class="name">Bob Mason/)
    assert.equal(consent.text.includes('may already'), false)
    assert.equal(await whoIs(before), null)
    const denied = await browser.submit(consent, { decision: 'deny' })
    assert.equal(answerOf(denied).error, 'access_denied')
  })

  test('leaving the login page leaves everything as it was', async () => {
    const browser = await enter('alice', 'wonderland')
    const before = sessionOf(browser)
    const login = await browser.go(authorizePath(ask))
    assert.match(login.url, /\/login\?/)
    assert.equal(sessionOf(browser), before)
    assert.equal(await whoIs(before), 'Alice Liddell')
  })

  test('a consent page that was left open decides for nobody else', async () => {
    const browser = await enter('bob', 'builder')
    const consent = await browser.go(authorizePath(codeRequest))
    await enter('alice', 'wonderland', browser)
    const page = await browser.submit(consent, { decision: 'allow' })
    assert.equal(page.status, 403)
    assert.equal((await browser.go('/account')).text.includes('Photo Printer'), true)
    await enter('bob', 'builder', browser)
    assert.equal((await browser.go('/account')).text.includes('Photo Printer'), false)
  })

  test('a decision counts only in the login that took it', async () => {
    const operator = await operatorOf(started)
    const password = 'correct horse battery'
    for (const username of ['dave', 'erin'])
      await operator('POST', 'owners', { username, password })
    const browser = await enter('dave', password)
    const [form] = formsOf((await browser.go(authorizePath(codeRequest))).text)
    const decided = await browser.ask('/consent', { ...form?.fields, decision: 'allow' })
    const onward = decided.headers.get('location') ?? ''
    await enter('erin', password, browser)
    const page = await browser.go(onward)
    assert.match(page.url, /\/consent\?/)
    assert.match(page.text, /Logged in as <\/span><b><bdi class="name">erin/)
    await enter('dave', password, browser)
    assert.match((await browser.go('/account')).text, /Photo Printer/)
  })
})
