/** The console: resources, log-in providers, keys and settings. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { resourceMembers } from '../../src/config/resources.ts'
import { limitNames } from '../../src/config/settable-limits.ts'
import { settingsTable } from '../../src/config/settings.ts'
import { resourceForm } from '../../src/rooms/console/service/resources.ts'
import { act, newConsoleVisitor } from '../support/console.ts'
import { submitWith } from '../support/factors.ts'
import type { Visitor } from '../support/people.ts'
import { obtainTokens } from '../support/printing.ts'
import { type Started, start } from '../support/start.ts'
import { use } from '../support/tokens.ts'
import { type Operator, operatorOf } from './operator.ts'

const secret = 'a-root-secret-of-more-than-32-characters'

let service: Started
let api: Operator
let olga: Visitor
let auditor: Visitor
before(async () => {
  const common = { title: { en: 'Work' }, trustEmail: false, signUp: false }
  const upstream = {
    ...common,
    type: 'oidc',
    id: 'work',
    issuer: 'https://login.work.invalid',
    clientId: 'latchkey',
    clientSecret: 'secret-of-the-provider',
    scope: 'openid',
    trustLogin: false,
  }
  service = await start({
    secret,
    upstreams: [upstream as never],
    origins: { sessionSeconds: 'environment' },
  })
  api = await operatorOf(service)
  olga = await newConsoleVisitor(service)
  auditor = await newConsoleVisitor(service, ['auditor'], 'Adam Audit')
})
after(() => service.close())

describe('settings', () => {
  test('are all there with their sources, and no secret', async () => {
    const { status, text } = await auditor.browser.go('/admin/settings')
    assert.equal(status, 200)
    for (const key of [
      ...Object.keys(settingsTable),
      ...limitNames.map((one) => `limits.${one}`),
    ]) {
      assert.ok(text.includes(`<code>${key}</code>`), key)
    }
    assert.match(text, /Environment[^\n]*LATCHKEY_SESSION_SECONDS/)
    assert.match(
      text,
      /LATCHKEY_SECRET<\/code><\/p><\/div><div class="end"><span class="quiet">Set</,
    )
    assert.doesNotMatch(text, new RegExp(`${secret}|secret-of-the-provider`))
  })
})

describe('keys', () => {
  test('are listed without what is secret', async () => {
    const { status, text } = await auditor.browser.go('/admin/keys')
    assert.equal(status, 200)
    assert.match(text, /HS256/)
    assert.doesNotMatch(text, /wrapped|New keys/)
  })

  test('are made anew, and older tokens stay', async () => {
    const { access_token: token } = await obtainTokens(service)
    const page = await act(olga.browser, '/admin/keys', { action: 'sealing' })
    assert.match(page.text, /There are new keys/)
    await service.advance(15)
    assert.equal(await use(service, token), 200)
  })

  test('for signing are made as well', async () => {
    const before = (await service.ask('/jwks')).body.keys.length
    await act(olga.browser, '/admin/keys', { action: 'signing' })
    await service.advance(15)
    assert.ok((await service.ask('/jwks')).body.keys.length > before)
  })
})

describe('a stolen signing key', () => {
  test('is withdrawn, and another signs in its place', async () => {
    const published = async (): Promise<readonly string[]> =>
      (await service.ask('/jwks')).body.keys.map(({ kid }: { kid: string }) => kid)
    await act(olga.browser, '/admin/keys', { action: 'signing' })
    await service.advance(15)
    const [key = ''] = await published()
    const shown = await olga.browser.go('/admin/keys')
    assert.match(shown.text, new RegExp(`Withdraw<span class="unseen"> ${key}<`))
    const page = await act(olga.browser, '/admin/keys', { action: 'withdraw', key })
    assert.match(page.text, /The key is withdrawn/)
    await service.advance(15)
    assert.ok(!(await published()).includes(key))
    const { items } = (await api('GET', 'events?type=keys.removed')).body
    assert.deepEqual([items[0].details.keyIds, items[0].actor.owner_id], [key, olga.id])
  })

  test('is told to be unknown once it is gone, and a key of tokens is refused', async () => {
    const { items } = (await api('GET', 'keys?use=sealing')).body
    const gone = await act(olga.browser, '/admin/keys', { action: 'withdraw', key: 'nothing' })
    assert.equal(gone.status, 404)
    const form = { action: 'withdraw', key: items[0].id }
    const refused = await act(olga.browser, '/admin/keys', form)
    assert.equal(refused.status, 409)
  })
})

describe('log-in providers', () => {
  test('are listed, and one that does not answer is told', async () => {
    const page = await auditor.browser.go('/admin/upstreams')
    assert.match(page.text, /https:\/\/login\.work\.invalid/)
    assert.doesNotMatch(page.text, /secret-of-the-provider|>Check</)
    const checked = await act(olga.browser, '/admin/upstreams', { id: 'work' })
    assert.match(checked.text, /does not work now/)
    assert.equal((await act(olga.browser, '/admin/upstreams', { id: 'x' })).status, 404)
  })
})

describe('resources', () => {
  const words = { title: 'Orders', read: 'See orders', write: 'Change orders' }

  test('have a field for every member of the admin API', () => {
    assert.deepEqual(
      resourceForm
        .members()
        .map(({ name }) => name)
        .toSorted(),
      ['name', ...Object.keys(resourceMembers)].toSorted(),
    )
  })

  test('are created, shown, changed and deleted', async () => {
    const { browser } = olga
    const form = { ...words, name: 'orders', actions: '{"refund":"Refund orders"}' }
    const created = await submitWith(browser, await browser.go('/admin/new-resource'), 'name', form)
    assert.match(created.text, /The resource is created/)
    assert.match(created.text, /orders:refund/)
    const edit = await browser.go('/admin/resources/orders/edit')
    await submitWith(browser, edit, 'title', { title: '{"en":"Orders","de":"Aufträge"}' })
    const { body } = await api('GET', 'resources/orders')
    assert.deepEqual(body.title, { en: 'Orders', de: 'Aufträge' })
    assert.deepEqual(body.actions, { refund: 'Refund orders' })
    const gone = await act(browser, '/admin/resources/orders', { action: 'delete' })
    assert.match(gone.text, /The resource is deleted/)
    assert.equal((await api('GET', 'resources/orders')).status, 404)
  })

  test('say why one is refused, and keep what was typed', async () => {
    const page = await olga.browser.go('/admin/new-resource')
    const form = { ...words, name: 'photos' }
    const refused = await submitWith(olga.browser, page, 'name', form)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /there is a resource with this name/)
    assert.match(refused.text, /value="See orders"/)
  })
})

describe('an auditor', () => {
  test('is refused every form', async () => {
    const { browser } = auditor
    const paths = ['keys', 'upstreams', 'new-resource', 'resources/photos', 'resources/photos/edit']
    for (const path of paths) {
      assert.equal(
        (await act(browser, `/admin/${path}`, { action: 'end', id: 'work' })).status,
        403,
      )
    }
    const page = await browser.go('/admin/resources/photos')
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.text, /Delete|>Change</)
  })
})

describe('the danger of a key', () => {
  test('a signing key is withdrawn by no auditor, and after a recent proof alone', async () => {
    const stale = await newConsoleVisitor(service, ['operator'], 'Stella Stale')
    const { items } = (await api('GET', 'keys?use=signing')).body
    const form = { action: 'withdraw', key: items[0].id }
    assert.equal((await act(auditor.browser, '/admin/keys', form)).status, 403)
    assert.doesNotMatch((await auditor.browser.go('/admin/keys')).text, /Withdraw/)
    service.pass(400)
    assert.match((await act(stale.browser, '/admin/keys', form)).url, /\/account\/confirm/)
    assert.deepEqual((await api('GET', 'keys?use=signing')).body.items[0].id, items[0].id)
  })

  test('all tokens end with a new key, after a recent proof alone', async () => {
    const { access_token: token } = await obtainTokens(service)
    service.pass(400)
    const asked = await act(olga.browser, '/admin/keys', { action: 'end' })
    assert.match(asked.url, /\/account\/confirm\?next=admin%2Fkeys/)
    assert.equal(await use(service, token), 200)
    const fresh = await newConsoleVisitor(service, ['operator'], 'Fred Fresh')
    await act(fresh.browser, '/admin/keys', { action: 'end' })
    await service.advance(15)
    assert.equal(await use(service, token), 401)
  })
})
