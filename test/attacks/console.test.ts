/** Attacks on the console: forms without a right to them, stolen cookies, stale proofs. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { consoleLimits } from '../../src/rooms/console/limits.ts'
import { Browser } from '../support/browser.ts'
import { act, giveRoles, newConsoleVisitor } from '../support/console.ts'
import { newPerson, newVisitor, type Person, password, type Visitor } from '../support/people.ts'
import { startBefore } from '../support/start.ts'

const service = startBefore()
let victim: Person
let path: string

beforeEach(async () => {
  victim = await newPerson(service)
  path = `/admin/owners/${victim.id}`
})

const isDisabled = async (): Promise<boolean> =>
  (await victim.operator('GET', `owners/${victim.id}`)).body.disabled

/** The CSRF token of a login, from a page of the account. */
const csrfOf = async (browser: Browser): Promise<string> => {
  const { text } = await browser.go('/account')
  return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
}

const disable = async ({ browser }: Visitor, headers = {}) =>
  browser.ask(path, { csrf: await csrfOf(browser), action: 'disable' }, headers)

describe('a form of the console', () => {
  test('is nothing for an owner without the role', async () => {
    assert.equal((await disable(await newVisitor(service))).status, 404)
    assert.equal(await isDisabled(), false)
  })

  test('is refused to an auditor, whatever the form', async () => {
    const auditor = await newConsoleVisitor(service, ['auditor'])
    for (const to of [path, '/admin/owners', '/admin/authorizations']) {
      const form = { csrf: await csrfOf(auditor.browser), action: 'disable' }
      const page = await auditor.browser.ask(to, form)
      assert.equal(page.status, 403, to)
      assert.match(page.text, /This needs the role operator, and yours is auditor\./)
    }
    assert.equal(await isDisabled(), false)
  })

  test('is refused to a login of one factor, as of a stolen password', async () => {
    const operator = await newConsoleVisitor(service)
    const thief = await newVisitor(service)
    await giveRoles(thief, ['operator'])
    // The role has ended the login.
    assert.equal((await disable(thief)).status, 303)
    await thief.browser.logIn(await thief.browser.go('/login'), thief.username, password)
    assert.equal((await disable(thief)).status, 403)
    assert.equal(await isDisabled(), false)
    // A browser without the second step is not logged in at all.
    const stranger = new Browser(service)
    const page = await stranger.logIn(await stranger.go('/login'), operator.username, password)
    assert.match(page.url, /\/login\/second/)
    assert.equal((await stranger.ask('/admin')).status, 303)
  })

  test('needs its CSRF token, and comes from no other site', async () => {
    const operator = await newConsoleVisitor(service)
    const forged = await operator.browser.ask(path, { csrf: 'wrong', action: 'disable' })
    assert.equal(forged.status, 403)
    const bare = await operator.browser.ask(path, { action: 'disable' })
    assert.equal(bare.status, 403)
    const foreign = await disable(operator, { 'sec-fetch-site': 'cross-site' })
    assert.equal(foreign.status, 403)
    assert.equal(await isDisabled(), false)
  })

  test('does nothing with a stale proof, and with a new one only when sent again', async () => {
    const operator = await newConsoleVisitor(service)
    service.pass(consoleLimits.confirmationSeconds)
    const asked = await disable(operator)
    assert.equal(asked.status, 303)
    const next = encodeURIComponent(`admin/owners/${victim.id}`)
    assert.equal(asked.headers.get('location'), `/account/confirm?next=${next}`)
    const page = await operator.browser.go(asked.headers.get('location') ?? '')
    assert.match(page.text, /Your password alone does not confirm it/)
    assert.doesNotMatch(page.text, /name="password"/)
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? []
    const weak = await operator.browser.ask('/account/confirm', { csrf, password, next: '' })
    assert.equal(weak.status, 403)
    await disable(operator)
    assert.equal(await isDisabled(), false)
    const confirmed = await operator.logInAgain(page)
    assert.equal(new URL(confirmed.url).pathname, path)
    assert.equal(await isDisabled(), false)
    await act(operator.browser, path, { action: 'disable' })
    assert.equal(await isDisabled(), true)
  })

  test('of a proof counts for five minutes, and not a second longer', async () => {
    const operator = await newConsoleVisitor(service)
    service.pass(consoleLimits.confirmationSeconds - 1)
    assert.match((await disable(operator)).headers.get('location') ?? '', /^\/admin\/owners\//)
    assert.equal(await isDisabled(), true)
  })

  test('is refused once the role is taken away, or its bearer disabled', async () => {
    const demoted = await newConsoleVisitor(service)
    const token = await csrfOf(demoted.browser)
    await giveRoles(demoted, ['auditor'])
    const form = { csrf: token, action: 'disable' }
    assert.equal((await demoted.browser.ask(path, form)).status, 403)
    await giveRoles(demoted, [])
    assert.equal((await demoted.browser.ask(path, form)).status, 404)
    await giveRoles(demoted, ['operator'])
    await demoted.operator('PATCH', `owners/${demoted.id}`, { disabled: true })
    assert.match(
      (await demoted.browser.ask(path, form)).headers.get('location') ?? '',
      /^\/login\?next=admin/,
    )
    assert.equal(await isDisabled(), false)
  })
})

describe('the way back from a login', () => {
  test('leads to a page of the console or the account, and nowhere else', async () => {
    const { username } = await newVisitor(service)
    for (const [next, lands] of [
      ['admin/../../evil', '/account'],
      ['admin//evil.example', '/account'],
      ['admin/api/owners', '/account'],
      ['administrator', '/account'],
      ['admin/%2e%2e/logout', '/account'],
      ['admin/owners', '/admin/owners'],
    ] as const) {
      const browser = new Browser(service)
      const page = await browser.go(`/login?next=${encodeURIComponent(next)}`)
      const inside = await browser.logIn(page, username, password)
      assert.equal(new URL(inside.url).pathname, lands, next)
    }
  })
})

describe('a link from before', () => {
  const linkOf = async (): Promise<string> => {
    const answer = await victim.operator('POST', `owners/${victim.id}/links`, { purpose: 'reset' })
    return answer.body.link
  }

  test('does not open the account of somebody who became an operator', async () => {
    const link = await linkOf()
    const before = await new Browser(service).go(link)
    assert.equal(before.status, 200)
    await giveRoles(victim, ['operator'])
    assert.equal((await new Browser(service).go(link)).status, 410)
    assert.equal((await new Browser(service).go(await linkOf())).status, 200)
  })
})
