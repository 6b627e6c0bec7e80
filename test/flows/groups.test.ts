/** Groups of owners: the admin API, the claim, and applications that are for some groups only. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { exportPage, importBatch } from '../../src/cli/people/batch.ts'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import type { GroupId, OwnerId } from '../../src/model/ids.ts'
import { makeServiceTrace } from '../../src/store/trace.ts'
import {
  openRequests,
  pollBackchannel,
  requestForms,
  tryBackchannel,
} from '../support/backchannel.ts'
import { answerOf, type Browser, formsOf, type Page } from '../support/browser.ts'
import { helper, photoPrinter } from '../support/demo-clients.ts'
import { arrive, askForDevice, poll } from '../support/devices.ts'
import { exchange } from '../support/exchange.ts'
import { idTokenClaims } from '../support/openid.ts'
import { newVisitor, password, type Visitor } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import type { Form } from '../support/start.ts'
import { introspect, redeem, refresh, use } from '../support/tokens.ts'
import { bearer, problem, startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

const expectStatus = async (wanted: number, ...asked: Parameters<typeof operator>) => {
  const { status, body, text } = await operator(...asked)
  assert.equal(status, wanted, text)
  return body
}
const make = (name: string) => expectStatus(201, 'POST', 'groups', { name })
const setGroups = (id: string, groups: readonly string[]) =>
  expectStatus(200, 'PUT', `owners/${id}/groups`, { groups })
const limit = (change: object, client: string = photoPrinter[0]) =>
  expectStatus(200, 'PATCH', `clients/${client}`, change)

const request = { ...codeRequest, scope: 'openid groups photos:read', prompt: 'consent' }
const ask = (browser: Browser, change: Form = {}): Promise<Page> =>
  browser.go(authorizePath({ ...request, ...change }))
const pathOf = ({ url }: Page) => new URL(url).pathname
const tokensOf = async ({ browser }: Visitor, change: Form = {}) => {
  const page = await browser.submit(await ask(browser, change), { decision: 'allow' })
  return (await redeem(service, answerOf(page).code ?? '')).body
}
const toldGroups = async (token: string) =>
  (await service.ask('/userinfo', bearer(token))).body.groups

describe('the admin API', () => {
  test('makes, lists, renames and deletes groups, and says who is in them', async () => {
    const made = await make('Einkauf 采购')
    const { id, created_at: createdAt } = made
    const group = { id, name: 'Einkauf 采购', created_at: createdAt, changed_at: createdAt }
    assert.deepEqual(made, { ...group, members: 0, revision: 0, mapped_by: null })
    const found = await expectStatus(200, 'GET', 'groups?search=Eink')
    assert.deepEqual(found, { items: [made], next: null })
    const byName = `groups/${encodeURIComponent('Einkauf 采购')}`
    const changed = await expectStatus(200, 'POST', `${byName}/members`, { add: ['alice', 'bob'] })
    assert.deepEqual([changed.members, changed.revision], [2, 1])
    const first = await expectStatus(200, 'GET', `${byName}/members?limit=1`)
    const rest = await expectStatus(200, 'GET', `${byName}/members?after=${first.next}`)
    const members = [...first.items, ...rest.items]
    const alice = members.find(({ username }) => username === 'alice')
    const given = { by_operator: true, upstreams: [] }
    assert.deepEqual(alice, { id: alice.id, username: 'alice', name: 'Alice Liddell', ...given })
    assert.equal(members.length, 2)
    await expectStatus(200, 'POST', `${byName}/members`, { remove: ['alice'] })
    assert.equal((await expectStatus(200, 'PATCH', byName, { name: 'Purchasing' })).id, id)
    const of = await expectStatus(200, 'GET', `owners/${alice.id}/groups`)
    assert.deepEqual(of, { groups: [] })
    await expectStatus(204, 'DELETE', 'groups/Purchasing')
    await expectStatus(404, 'GET', `groups/${id}`)
  })

  test('refuses what it cannot do, and says what was expected', async () => {
    const { id } = await make('Taken')
    const expected = 'name has to be text of 1 to 100 visible characters, and no id'
    const wrong = ['', ' ', 'x'.repeat(101), 'a\nb', 'a\u202eb', 'a\u0000', id, 7, ['a']]
    for (const name of wrong) {
      const { status, body } = await operator('POST', 'groups', { name })
      assert.deepEqual([name, status, body], [name, 400, problem('invalid_request', 400, expected)])
    }
    await expectStatus(409, 'POST', 'groups', { name: ' Taken ' })
    await expectStatus(404, 'POST', 'groups/Taken/members', { add: ['alice', 'nobody'] })
    await expectStatus(400, 'POST', 'groups/Taken/members', { add: ['bob'], remove: ['bob'] })
    const many = Array.from({ length: 1001 }, () => 'alice')
    await expectStatus(400, 'POST', 'groups/Taken/members', { add: many })
    const { items } = await expectStatus(200, 'GET', 'owners?search=alice')
    await expectStatus(422, 'PUT', `owners/${items[0].id}/groups`, { groups: ['No such group'] })
    assert.equal((await expectStatus(200, 'GET', 'groups/Taken')).members, 0)
  })
})

describe('the claim', () => {
  test('the owner sees the groups, and an application is told those that it may be told', async () => {
    const person = await newVisitor(service)
    for (const name of ['wiki editors', 'wiki readers', 'payroll']) await make(name)
    await setGroups(person.id, ['wiki editors', 'wiki readers', 'payroll'])
    await limit({ told_groups: ['wiki editors', 'wiki readers', 'elsewhere'] })
    const page = await ask(person.browser)
    assert.match(page.text, /<span>Groups<\/span> <bdi>wiki editors, wiki readers<\/bdi>/)
    assert.doesNotMatch(page.text, /payroll/)
    const profile = await person.browser.go('/account/profile')
    assert.match(profile.text, />payroll<\/bdi> · <bdi[^>]*>wiki editors</)
    const offer = await person.browser.go('/account/download')
    const form = formsOf(offer.text).find(({ action }) => action === '/account/download')
    const download = await person.browser.submitForm(offer, form ?? assert.fail(offer.text))
    assert.deepEqual(JSON.parse(download.text).groups, [
      { name: 'payroll', by_operator: true, upstreams: [] },
      { name: 'wiki editors', by_operator: true, upstreams: [] },
      { name: 'wiki readers', by_operator: true, upstreams: [] },
    ])
    const claims = JSON.stringify({ id_token: { groups: null } })
    const { access_token, id_token } = await tokensOf(person, { claims })
    const told = ['wiki editors', 'wiki readers']
    assert.deepEqual(await toldGroups(access_token), told)
    assert.deepEqual((await idTokenClaims(service, id_token, photoPrinter[0])).groups, told)
    await expectStatus(200, 'PATCH', 'groups/wiki%20editors', { name: 'wiki authors' })
    assert.deepEqual(await toldGroups(access_token), ['wiki authors', 'wiki readers'])
    await limit({ told_groups: null })
    await setGroups(person.id, ['payroll'])
    assert.deepEqual(await toldGroups(access_token), ['payroll'])
    await setGroups(person.id, [])
    assert.deepEqual(await toldGroups(access_token), [])
    const without = await tokensOf(person, { scope: 'openid profile photos:read' })
    assert.equal(await toldGroups(without.access_token), undefined)
  })

  test('discovery lists word and claim, and no client sets its own groups', async () => {
    const { body } = await service.ask('/.well-known/openid-configuration')
    assert.ok(body.scopes_supported.includes('groups'))
    assert.ok(body.claims_supported.includes('groups'))
    const json = { client_name: 'Own', redirect_uris: ['https://own.example/cb'] }
    const lists = { allowed_groups: ['payroll'], told_groups: ['payroll'] }
    const own = await service.ask('/register', { method: 'POST', json: { ...json, ...lists } })
    assert.equal(own.status, 201, own.text)
    assert.deepEqual([own.body.allowed_groups, own.body.told_groups], [undefined, undefined])
    const stored = await expectStatus(200, 'GET', `clients/${own.body.client_id}`)
    assert.deepEqual([stored.allowed_groups, stored.told_groups], [undefined, undefined])
    const expected =
      'allowed_groups has to be a list of 1 to 100 names of groups, or null: only owners in one of them may use it'
    for (const list of [[], ['a\nb'], 'payroll', Array.from({ length: 101 }, (_, i) => `g${i}`)]) {
      const { status, body: said } = await operator('PATCH', `clients/${photoPrinter[0]}`, {
        allowed_groups: list,
      })
      assert.deepEqual([status, said.detail], [400, expected])
    }
  })
})

describe('an application for some groups only', () => {
  test('others get a page, and the application hears access_denied', async () => {
    const person = await newVisitor(service)
    await make('printers')
    await limit({ allowed_groups: ['printers'] })
    const page = await ask(person.browser)
    assert.deepEqual([pathOf(page), page.status], ['/not-allowed', 403])
    assert.match(page.text, /Photo Printer<\/bdi> is not for this account/)
    const silent = answerOf(await person.browser.ask(authorizePath({ ...request, prompt: 'none' })))
    assert.deepEqual([silent.error, silent.code], ['access_denied', undefined])
    const wrong = await person.browser.submit(page, { decision: 'allow' })
    assert.equal(wrong.status, 400)
    const back = answerOf(await person.browser.submit(page, { decision: 'back' }))
    assert.deepEqual(
      [back.error, back.error_description],
      ['access_denied', 'the client is only for groups that the resource owner is not in'],
    )
    const refused = await service.post(
      '/token',
      {
        grant_type: 'password',
        username: person.username,
        password,
        scope: 'photos:read',
      },
      photoPrinter,
    )
    assert.notEqual(refused.status, 200)
    await setGroups(person.id, ['printers'])
    assert.equal((await tokensOf(person)).token_type, 'Bearer')
  })

  test('attack: the consent form of an owner who left the group meanwhile', async () => {
    const person = await newVisitor(service)
    await setGroups(person.id, ['printers'])
    const consent = await ask(person.browser)
    assert.equal(pathOf(consent), '/consent')
    await setGroups(person.id, [])
    const page = await person.browser.submit(consent, { decision: 'allow' })
    assert.equal(pathOf(page), '/not-allowed')
    const { items } = await expectStatus(200, 'GET', `authorizations?owner=${person.id}`)
    assert.deepEqual(items, [])
  })

  test('attack: old tokens of an owner who left the group', async () => {
    const person = await newVisitor(service)
    await setGroups(person.id, ['printers'])
    const first = await tokensOf(person)
    const code = answerOf(
      await person.browser.submit(await ask(person.browser), { decision: 'allow' }),
    ).code
    // Read often enough to be remembered.
    for (let i = 0; i < 3; i++) assert.equal(await use(service, first.access_token), 200)
    await setGroups(person.id, [])
    assert.equal(await use(service, first.access_token), 401)
    assert.deepEqual(await introspect(service, first.access_token), { active: false })
    assert.equal((await service.ask('/userinfo', bearer(first.access_token))).status, 401)
    assert.equal((await refresh(service, first.refresh_token)).body.error, 'invalid_grant')
    assert.equal((await redeem(service, code ?? '')).body.error, 'invalid_grant')
    assert.notEqual((await exchange(service, first.access_token)).status, 200)
    // Nothing was used up: back in the group, the same refresh token goes on.
    await setGroups(person.id, ['printers'])
    const next = await refresh(service, first.refresh_token)
    assert.equal(next.status, 200, next.text)
    // The end of the group is the end for all of its members.
    for (let i = 0; i < 3; i++) assert.equal(await use(service, next.body.access_token), 200)
    await expectStatus(204, 'DELETE', 'groups/printers')
    assert.equal(await use(service, next.body.access_token), 401)
    assert.equal((await refresh(service, next.body.refresh_token)).body.error, 'invalid_grant')
    await limit({ allowed_groups: null })
    assert.equal(await use(service, next.body.access_token), 200)
  })

  test('attack: an exchanger, a device and a request elsewhere, for an owner outside', async () => {
    const person = await newVisitor(service)
    await make('inner circle')
    const { access_token } = await tokensOf(person)
    await limit({ may_act: [helper[0]] })
    await limit({ allowed_groups: ['inner circle'] }, helper[0])
    assert.equal((await exchange(service, access_token)).body.error, 'invalid_request')
    await limit({ allowed_groups: null }, helper[0])
    assert.equal((await exchange(service, access_token)).status, 200)

    await limit({ allowed_groups: ['inner circle'] }, 'tv-player')
    const codes = await askForDevice(service)
    const { browser, page } = await arrive(service, codes, [person.username, password])
    const refused = await browser.submit(page, { decision: 'continue' })
    assert.equal(pathOf(refused), '/not-allowed')
    await browser.submit(refused, { decision: 'back' })
    assert.equal((await poll(service, codes)).body.error, 'access_denied')
    await limit({ allowed_groups: null }, 'tv-player')

    const form = { login_hint: person.username }
    const asked = (await tryBackchannel(service, form)).body
    const opened = await openRequests(service, [person.username, password])
    const [waiting] = requestForms(opened.page)
    assert.ok(waiting)
    await limit({ allowed_groups: ['inner circle'] }, 'cash-desk')
    assert.deepEqual(requestForms(await opened.browser.go('/account/requests')), [])
    await opened.browser.submitForm(opened.page, waiting, { decision: 'allow' })
    assert.equal((await pollBackchannel(service, asked)).body.error, 'authorization_pending')
    await limit({ allowed_groups: null }, 'cash-desk')
  })
})

test('an export tells the groups that operators gave, and an import takes known ones', async () => {
  const { store, operated } = service.server()
  const makeTrace = () => makeServiceTrace(service.now(), { clock: Date.now, random })
  const parts = { ...operated, trace: makeTrace }
  const owner = await store.findOwnerByName('bob')
  assert.ok(owner)
  const mapped = { upstream: 'company', names: ['mapped'], ids: ['mapped-id' as GroupId] }
  await store.setOwnerGroups(owner.id, mapped, makeTrace())
  await make('exported')
  await setGroups(owner.id, ['exported'])
  const { lines } = JSON.parse(await exportPage({}, parts))
  const told = lines.map((line: string) => JSON.parse(line))
  const bob = told.find(({ username }: { username: string }) => username === 'bob')
  assert.deepEqual(bob.groups, ['exported'])
  assert.deepEqual(told.find(({ sub }: { sub: string }) => sub !== bob.sub)?.groups, [])

  const members = { ...bob, sub: 'elsewhere', username: 'carla', email: 'carla@example.com' }
  const take = async (groups: readonly string[], dryRun: boolean) => {
    const entries = [{ line: 1, members: { ...members, groups } }]
    return JSON.parse(await importBatch({ entries, dryRun }, parts))
  }
  const reason = 'groups names a group that there is not: create it first'
  for (const dryRun of [true, false]) {
    const refused = [{ line: 1, is: 'refused', reason }]
    assert.deepEqual(await take(['exported', 'gone'], dryRun), refused)
  }
  for (const dryRun of [true, false]) {
    assert.deepEqual(await take(bob.groups, dryRun), [{ line: 1, is: 'created' }])
  }
  // Groups are for new people alone.
  for (const dryRun of [true, false]) {
    assert.deepEqual(await take(['gone'], dryRun), [{ line: 1, is: 'existing' }])
  }
  const groups = await store.listGroupsOf('elsewhere' as OwnerId)
  assert.deepEqual(
    groups.map(({ name }) => name),
    ['exported'],
  )
})
