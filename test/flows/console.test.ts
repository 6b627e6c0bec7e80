/** The entry of the console: operators and auditors with two factors, and nobody else. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Browser, formsOf } from '../support/browser.ts'
import { giveRoles, newConsoleVisitor } from '../support/console.ts'
import { addPasskey, named, newDevice } from '../support/factors.ts'
import { newPerson, newVisitor, password } from '../support/people.ts'
import { start, startBefore } from '../support/start.ts'

const service = startBefore(() => start(named))

/** A refused page without its reference. */
const unreferenced = (text: string): string => text.replaceAll(/[0-9a-z]{26}/g, 'REFERENCE')

describe('/admin', () => {
  test('shows an operator and an auditor the overview', async () => {
    for (const role of ['operator', 'auditor']) {
      const { browser } = await newConsoleVisitor(service, [role])
      const page = await browser.ask('/admin')
      assert.equal(page.status, 200)
      assert.match(page.text, /<h1>All is well<\/h1>/)
      assert.match(page.text, new RegExp(`Role: ${role}`))
    }
  })

  test('leads somebody who is not logged in to the login, and back to the page', async () => {
    const person = await newPerson(service)
    await giveRoles(person, ['operator'])
    const browser = new Browser(service)
    const page = await browser.go('/admin')
    assert.equal(new URL(page.url).searchParams.get('next'), 'admin')
    const inside = await browser.logIn(page, person.username, password)
    assert.equal(new URL(inside.url).pathname, '/admin')
  })

  test('tells an owner without a role what it tells of a path that does not exist', async () => {
    const { browser } = await newVisitor(service)
    const headers = { accept: 'text/html' }
    const page = await browser.ask('/admin', undefined, headers)
    const nowhere = await browser.ask('/admin/nowhere', undefined, headers)
    assert.equal(page.status, 404)
    assert.equal(unreferenced(page.text), unreferenced(nowhere.text))
  })

  test('gives no entry for a role of another name', async () => {
    const visitor = await newVisitor(service)
    await giveRoles(visitor, ['operators', 'staff'])
    assert.equal((await visitor.browser.ask('/admin')).status, 404)
  })

  test('asks an operator who logged in with a password alone for a second factor', async () => {
    const visitor = await newVisitor(service)
    await giveRoles(visitor, ['operator'])
    const login = await visitor.browser.go('/login')
    await visitor.browser.logIn(login, visitor.username, password)
    const page = await visitor.browser.ask('/admin')
    assert.equal(page.status, 403)
    assert.match(page.text, /<h1>Log in with two factors<\/h1>/)
    assert.match(page.text, /href="\/account\/security">Set up a second factor</)
    const device = newDevice(service)
    await addPasskey(visitor.browser, device)
    const again = await visitor.browser.ask('/admin')
    assert.equal(again.status, 403)
    assert.match(again.text, /href="\/login\?next=admin&amp;switch=1">Log in again</)
  })

  test('takes a role away at once', async () => {
    const operator = await newConsoleVisitor(service)
    assert.equal((await operator.browser.ask('/admin')).status, 200)
    await giveRoles(operator, [])
    assert.equal((await operator.browser.ask('/admin')).status, 404)
  })

  test('logs a disabled operator out', async () => {
    const { id, operator, browser } = await newConsoleVisitor(service)
    await operator('PATCH', `owners/${id}`, { disabled: true })
    const page = await browser.ask('/admin')
    assert.equal(page.status, 303)
    assert.match(page.headers.get('location') ?? '', /^\/login\?next=admin$/)
  })

  test('offers the search field, the navigation and the way out', async () => {
    const { browser } = await newConsoleVisitor(service)
    const { text } = await browser.go('/admin')
    const actions = formsOf(text).map(({ action }) => action)
    assert.deepEqual(actions, ['/admin/find', '/logout'])
  })

  test('has no page with a script that its own policy stops', async () => {
    const { browser } = await newConsoleVisitor(service)
    const visited = new Map<string, readonly [hasScript: boolean, isAllowed: boolean]>()
    const paths = new Set(['/admin'])
    // A set gives what is added while it is read. One page of each form is enough.
    for (const path of paths) {
      const { status, text, headers } = await browser.ask(path)
      assert.equal(status, 200, path)
      const policy = headers.get('content-security-policy') ?? ''
      visited.set(path, [/<script /.test(text), policy.includes("script-src 'self'")])
      const links = [...text.matchAll(/href="(\/admin[\w/-]*)"/g)].map(([, link = '']) => link)
      for (const link of links) paths.add(link)
    }
    const stopped = [...visited].filter(([, [hasScript, isAllowed]]) => hasScript && !isAllowed)
    assert.deepEqual(stopped, [])
    for (const part of ['/admin/settings', '/admin/owners', '/admin/clients/photo-printer/edit']) {
      assert.ok(visited.has(part), part)
    }
  })
})
