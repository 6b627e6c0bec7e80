/** Owners delete their accounts: everything ends at once, and for some time it can be undone. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { OwnerId } from '../../src/model/ids.ts'
import { answerOf, Browser, formsOf, type Page } from '../support/browser.ts'
import { houseApp } from '../support/demo-clients.ts'
import { isInside } from '../support/factors.ts'
import { newVisitor, password, type Visitor } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { type Form, startBefore } from '../support/start.ts'
import { redeem, use } from '../support/tokens.ts'

const started = startBefore()
let owner: Visitor

beforeEach(async () => {
  owner = await newVisitor(started)
})

/** Null once the account is gone. */
const stored = () => started.server().store.findOwner(owner.id as OwnerId)

const deletionAt = async () => (await stored())?.deletionAt

const remove = async (changes: Form = {}, browser = owner.browser): Promise<Page> => {
  const page = await browser.go('/account/delete')
  const form = formsOf(page.text).find(({ action }) => action === '/account/delete')
  assert.ok(form, page.text)
  return browser.submitForm(page, form, { username: owner.username, ...changes })
}

const logIn = async (
  browser = new Browser(started),
): Promise<{ browser: Browser; page: Page }> => ({
  browser,
  page: await browser.logIn(await browser.go('/login?switch=1'), owner.username, password),
})

const decide = (browser: Browser, page: Page, action: string) => browser.submit(page, { action })

describe('deleting', () => {
  test('ends all logins and all access at once, and says until when it can be undone', async () => {
    const phone = (await logIn()).browser
    const page = await owner.browser.go(authorizePath({ ...codeRequest, prompt: 'consent' }))
    const { code = '' } = answerOf(
      await owner.browser.submit(page, { decision: 'allow', duration: 'forever' }),
    )
    const { access_token } = (await redeem(started, code)).body
    assert.equal(await use(started, access_token), 200)
    const asked = await owner.browser.go('/account/delete')
    const end = started.now() + 14 * 86_400
    assert.ok(asked.text.includes(`datetime="${new Date(end * 1000).toISOString().slice(0, 19)}Z"`))
    const answer = await remove()
    assert.match(answer.text, /Your account will be deleted\. Log in to undo it\./)
    assert.equal(await use(started, access_token), 401)
    assert.deepEqual([await isInside(owner.browser), await isInside(phone)], [false, false])
    assert.equal(await deletionAt(), end)
  })

  test('shows its times in the zone of the reader: its pages may load the script for that', async () => {
    const asked = await owner.browser.go('/account/delete')
    await remove()
    const left = (await logIn(owner.browser)).page
    for (const { text, headers } of [asked, left]) {
      assert.match(text, /<script type="module" src="\/assets\/account\.js">/)
      assert.match(text, /data-zone=/)
      assert.match(headers.get('content-security-policy') ?? '', /script-src 'self'/)
    }
  })

  test('needs the username, and a recent proof for the page and for its form', async () => {
    const wrong = await remove({ username: 'alice' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /That is not your username\. Nothing was deleted\./)
    const page = await owner.browser.go('/account/delete')
    started.pass(3600)
    const [form] = formsOf(page.text).filter(({ action }) => action === '/account/delete')
    assert.ok(form)
    for (const changes of [null, { ...form.fields, username: owner.username }]) {
      const answer = await owner.browser.ask('/account/delete', changes ?? undefined)
      assert.deepEqual(
        [answer.status, answer.headers.get('location')],
        [303, '/account/confirm?next=delete'],
      )
    }
    assert.equal(await deletionAt(), null)
    const asked = await owner.browser.go('/account/delete')
    const confirm = formsOf(asked.text).find(({ fields }) => 'password' in fields)
    assert.ok(confirm)
    const back = await owner.browser.submitForm(asked, confirm, { password })
    assert.match(back.text, /Delete your account\?/)
  })

  test('CSRF: another site, or a form without the token of this login, deletes nothing', async () => {
    const { username } = owner
    const attempts = [
      await owner.browser.ask('/account/delete', { username }),
      await owner.browser.ask('/account/delete', { username, csrf: 'x' }),
      await owner.browser.ask('/account/delete', { username }, { 'sec-fetch-site': 'cross-site' }),
    ]
    assert.deepEqual(
      attempts.map(({ status }) => status),
      [403, 403, 403],
    )
    assert.equal(await deletionAt(), null)
  })
})

describe('until the end', () => {
  test('a login leads to the one page that offers to undo it, wherever it was going', async () => {
    await remove()
    const { browser, page } = await logIn()
    assert.match(page.text, /<h1>Keep your account\?<\/h1>/)
    for (const path of ['/account', '/account/security', '/account/events', '/login']) {
      assert.equal((await browser.ask(path)).headers.get('location'), '/account/deletion', path)
    }
    const asked = await browser.go(authorizePath(codeRequest))
    assert.match(asked.text, /<h1>Keep your account\?<\/h1>/)
  })

  test('the password grant gets nothing', async () => {
    const { username } = owner
    const form = { grant_type: 'password', username, password, scope: 'photos:read' }
    assert.equal((await started.post('/token', form, houseApp)).status, 200)
    await remove()
    const { status, body } = await started.post('/token', form, houseApp)
    assert.deepEqual([status, body.error], [400, 'invalid_grant'])
  })

  test('undoing it keeps the account, and applications ask anew', async () => {
    await remove()
    const { browser, page } = await logIn()
    const kept = await decide(browser, page, 'keep')
    assert.equal(kept.status, 200)
    assert.equal(await isInside(browser), true)
    assert.equal(await deletionAt(), null)
    await started.advance(15 * 86_400)
    assert.notEqual(await stored(), null)
  })

  test('letting it be ends the login', async () => {
    await remove()
    const { browser, page } = await logIn()
    await decide(browser, page, 'leave')
    assert.equal((await browser.ask('/account')).headers.get('location'), '/login')
  })

  test('somebody else may log in instead', async () => {
    await remove()
    const { browser } = await logIn()
    assert.match((await browser.go('/login')).url, /\/account\/deletion$/)
    assert.match((await browser.go('/login?switch=1')).url, /\/login\?switch=1$/)
  })

  test('nobody else undoes it, and not by CSRF', async () => {
    await remove()
    const { browser } = await logIn()
    const stranger = await newVisitor(started)
    await stranger.browser.ask('/account/deletion', { action: 'keep' })
    assert.equal(
      (await browser.ask('/account/deletion', { action: 'keep', csrf: 'x' })).status,
      403,
    )
    assert.notEqual(await deletionAt(), null)
  })
})

test('after the time housekeeping deletes the owner, once, as the operator would', async () => {
  await remove()
  await started.advance(14 * 86_400 - 1)
  assert.notEqual(await stored(), null)
  await started.advance(60)
  assert.equal(await stored(), null)
  const { page } = await logIn()
  assert.equal(page.status, 403)
  const of = { ownerId: owner.id as OwnerId }
  const { rows } = await started.server().store.listEvents(of, null, 100)
  const types = rows.map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'owner.deleted').length, 1)
  assert.ok(types.includes('owner.deletion_requested'))
})
