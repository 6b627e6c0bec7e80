/** Groups, roles, names and links by an OpenID provider: a real second Latchkey. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { maySignUp } from '../../src/rooms/login/by-upstream.ts'
import type { Upstream } from '../../src/upstreams/index.ts'
import { Browser, formsOf } from '../support/browser.ts'
import { codeAt, setUpCodes, submitWith } from '../support/factors.ts'
import { newName, newVisitor, password } from '../support/people.ts'
import { reach } from '../support/reach.ts'
import { start } from '../support/start.ts'
import { atProvider, formTo, leave, openPair, type Pair, upstreamsOf } from '../support/upstream.ts'
import { type Operator, operatorOf } from './operator.ts'

let pair: Pair
let here: Operator
let there: Operator

const groups = {
  claim: 'groups',
  map: { dev: 'Engineering', ops: ['Engineering', 'Operations'] },
  roles: { ops: 'auditor', root: 'operator' },
}

before(async () => {
  const change = {
    scope: 'openid profile email groups',
    trust_email: true,
    username: 'keep',
    link: 'verified_email',
    groups,
  }
  pair = await openPair(change, { signUp: 'open' })
  here = await operatorOf(pair.service)
  there = await operatorOf(reach(pair.provider.issuer))
  for (const name of ['dev', 'ops', 'root', 'Engineering', '__proto__', 'constructor']) {
    assert.equal((await there('POST', 'groups', { name })).status, 201)
  }
})
after(() => pair.close())

interface Someone {
  readonly id: string
  readonly username: string
}

const addThere = async (more: object = {}): Promise<Someone> => {
  const username = newName()
  const { body, text } = await there('POST', 'owners', { username, password, ...more })
  assert.ok(body.id, text)
  return { id: body.id, username }
}
const setThere = async ({ id }: Someone, names: readonly string[]) =>
  assert.equal((await there('PUT', `owners/${id}/groups`, { groups: names })).status, 200)

const enter = async ({ username }: Someone, browser = new Browser(pair.service)) => {
  const url = await leave(browser, await browser.go('/login'))
  return {
    browser,
    page: await browser.go(await atProvider(pair.provider, url, [username, password])),
  }
}
const join = async (someone: Someone) => {
  const { browser, page } = await enter(someone)
  const { action, fields } = formTo(page, '/login/with/other/new')
  return { browser, page: await browser.go(action, fields) }
}
const find = async (username: string) => {
  const { body } = await here('GET', `owners?search=${username}`)
  return body.items.find((one: Someone) => one.username === username)
}
const namesOf = async (id: string) =>
  (await here('GET', `owners/${id}/groups`)).body.groups.map(({ name }: { name: string }) => name)

describe('what an upstream says of groups and roles', () => {
  test('becomes what the operator mapped, at the first login and at each one', async () => {
    const someone = await addThere()
    await setThere(someone, ['ops', 'Engineering'])
    const { browser } = await join(someone)
    assert.match(
      (await browser.go('/account/events')).text,
      /Your groups came from .*The other one/,
    )
    const { id, roles } = await find(someone.username)
    assert.deepEqual([await namesOf(id), roles], [['Engineering', 'Operations'], ['auditor']])
    assert.equal((await here('POST', 'groups', { name: `by hand of ${id}` })).status, 201)
    await here('PUT', `owners/${id}/groups`, { groups: [`by hand of ${id}`, 'Engineering'] })
    await setThere(someone, [])
    await enter(someone)
    assert.equal((await here('GET', 'groups/Engineering')).body.mapped_by, 'other')
    for (const [method, body] of [
      ['PATCH', { name: 'Developers' }],
      ['DELETE', undefined],
    ] as const) {
      const refused = await here(method, 'groups/Engineering', body)
      assert.equal(refused.status, 422)
      assert.match(refused.text, /"other\\?"/)
    }
    // The hand-given ones stay, and what the directory took away is gone, with the role.
    assert.deepEqual(await namesOf(id), ['Engineering', `by hand of ${id}`])
    assert.deepEqual((await find(someone.username)).roles, [])
    const { body } = await here('GET', `events?owner=${id}&limit=50`)
    const told = body.items
      .filter(({ type }: { type: string }) => /groups_changed|owner.changed/.test(type))
      .map(({ details }: { details: object }) => JSON.stringify(details))
    const by = { upstream: 'other' }
    const expected = [
      { ...by, groupsAdded: 'Engineering Operations' },
      { ...by, changed: 'roles', rolesBefore: '', roles: 'auditor' },
      { groupsAdded: `by hand of ${id}` },
      { ...by, groupsRemoved: 'Operations' },
      { ...by, changed: 'roles', rolesBefore: 'auditor', roles: '' },
    ]
    const sorted = (texts: readonly string[]) =>
      texts.map((text) => JSON.stringify(Object.entries(JSON.parse(text)).sort())).toSorted()
    assert.deepEqual(sorted(told), sorted(expected.map((one) => JSON.stringify(one))))
  })

  test('attack: values that the operator did not map give nothing', async () => {
    const someone = await addThere()
    await setThere(someone, ['Engineering', '__proto__', 'constructor'])
    await join(someone)
    const { id, roles } = await find(someone.username)
    assert.deepEqual([await namesOf(id), roles], [[], []])
  })

  test('attack: an account that is unlinked keeps nothing of the upstream', async () => {
    const someone = await addThere()
    await setThere(someone, ['ops', 'root'])
    await join(someone)
    const { id, roles } = await find(someone.username)
    assert.deepEqual(roles, ['auditor', 'operator'])
    await here('POST', `owners/${id}/set-password`, { password })
    const own = new Browser(pair.service)
    await own.logIn(await own.go('/login'), someone.username, password)
    const { action, fields } = formTo(await own.go('/account/security'), '/account/upstreams')
    await own.go(action, fields)
    assert.deepEqual([await namesOf(id), (await find(someone.username)).roles], [[], []])
  })

  test('attack: a role of the console by an upstream, and one factor', async () => {
    const someone = await addThere()
    await setThere(someone, ['root'])
    const { browser } = await join(someone)
    const { roles } = await find(someone.username)
    assert.deepEqual(roles, ['operator'])
    assert.equal((await browser.go('/admin')).status, 403)
  })
})

describe('roles of the console', () => {
  test('attack: an address that changed hands, and a link by a program', async () => {
    const email = `${newName()}@example.net`
    const [boss, chief] = [await addThere({ email, email_verified: true }), await addThere()]
    const before = { username: newName(), password, email, email_verified: true }
    const [owner, other] = [
      (await here('POST', 'owners', before)).body,
      (await here('POST', 'owners', { username: newName(), password })).body,
    ]
    const program = await operatorOf(pair.service, 'owners:read owners:write')
    const link = { upstream: 'other', subject: chief.id }
    assert.equal((await program('POST', `owners/${other.id}/upstreams`, link)).status, 201)
    for (const [someone, { id, username }] of [
      [boss, owner],
      [chief, other],
    ] as const) {
      await setThere(someone, ['dev', 'root'])
      const { page } = await enter(someone)
      assert.ok(page.text.includes(username))
      assert.deepEqual([await namesOf(id), (await find(username)).roles], [['Engineering'], []])
    }
  })

  test('attack: rights before the second factor', async () => {
    const someone = await addThere()
    const { browser } = await join(someone)
    const { id } = await find(someone.username)
    const secret = await setUpCodes(browser, pair.service.now())
    await setThere(someone, ['dev', 'root'])
    const half = await enter(someone)
    assert.match(half.page.url, /\/login\/second/)
    const rights = async () => [await namesOf(id), (await find(someone.username)).roles]
    assert.deepEqual(await rights(), [[], []])
    pair.service.pass(30)
    const code = codeAt(secret, pair.service.now())
    const page = await submitWith(half.browser, half.page, 'code', { code })
    assert.equal(page.url, `${pair.service.issuer}/account`)
    assert.deepEqual(await rights(), [['Engineering'], ['operator']])
    // Logins from before the role end, and this one goes on.
    assert.equal((await half.browser.go('/admin')).status, 200)
    assert.match((await browser.go('/account')).url, /\/login/)
  })
})

describe('names and links', () => {
  test('a kept username stays, unless somebody has it', async () => {
    const first = await addThere()
    await join(first)
    assert.ok(await find(first.username))
    const second = await addThere()
    await here('POST', 'owners', { username: second.username, password })
    await join(second)
    const { body } = await here('GET', `owners?search=${second.username}`)
    const names = body.items.map(({ username }: Someone) => username)
    assert.equal(names.length, 2)
    assert.match(names.join(' '), new RegExp(`${second.username}-\\d{6}`))
    // Without its umlaut the name would be the one of another person.
    const plain = newName()
    const third = (await there('POST', 'owners', { username: `ö${plain}`, password })).body
    await join(third)
    assert.equal(await find(plain), undefined)
  })

  test('an address that both sides have proven leads to its owner', async () => {
    const email = `${newName()}@example.net`
    const someone = await addThere({ email, email_verified: true })
    const mine = { username: newName(), password, email, email_verified: true }
    const owner = (await here('POST', 'owners', mine)).body
    const { page } = await enter(someone)
    assert.equal(page.url, `${pair.service.issuer}/account`)
    assert.ok(page.text.includes(mine.username))
    const { body } = await here('GET', `events?owner=${owner.id}&type=upstream.linked`)
    const details = { upstream: 'other', label: email, by: 'address' }
    assert.deepEqual(
      body.items.map((one: { details: object }) => one.details),
      [details],
    )
  })

  test('attack: an address registered before its person, and an unproven one there', async () => {
    for (const [verifiedHere, verifiedThere, roles] of [
      [false, true, []],
      [true, false, []],
      [true, true, ['operator']],
    ] as const) {
      const email = `${newName()}@example.net`
      const someone = await addThere({ email, email_verified: verifiedThere })
      const mine = { username: newName(), password, email, email_verified: verifiedHere, roles }
      const made = await here('POST', 'owners', mine)
      assert.equal(made.status, 201, made.text)
      const { page } = await enter(someone)
      assert.match(page.text, /You are new here/)
      const { body } = await here('GET', `events?owner=${made.body.id}&type=upstream.linked`)
      assert.deepEqual(body.items, [])
    }
  })

  test('an operator links an account, once', async () => {
    const someone = await addThere()
    const mine = { username: newName(), password }
    const owner = (await here('POST', 'owners', mine)).body
    const link = { upstream: 'other', subject: someone.id }
    const made = await here('POST', `owners/${owner.id}/upstreams`, link)
    assert.deepEqual([made.status, made.body.subject], [201, someone.id])
    assert.equal((await here('POST', `owners/${owner.id}/upstreams`, link)).status, 409)
    for (const subject of ['a\u0000b', 'a\u202eb', 'a b']) {
      const wrong = await here('POST', `owners/${owner.id}/upstreams`, { ...link, subject })
      assert.equal(wrong.status, 400, wrong.text)
    }
    for (const name of ['..', 'pay\u3164roll', 'pay\u034froll', 'a\u2800b']) {
      assert.equal((await here('POST', 'groups', { name })).status, 400)
    }
    const unknown = { ...link, upstream: 'nowhere' }
    assert.equal((await here('POST', `owners/${owner.id}/upstreams`, unknown)).status, 422)
    const { page } = await enter(someone)
    assert.ok(page.text.includes(mine.username))
  })
})

const common = { id: 'a', title: 'A', type: 'oidc', issuer: 'https://a.example', client_id: 'x' }

test('where operators link accounts, nobody else does, and nobody makes or unlinks one', async () => {
  const upstreams = upstreamsOf([{ ...common, link: 'operator', sign_up: true }])
  const [settings] = upstreams
  assert.ok(settings)
  const open = { settings: { signUp: 'open' } } as Parameters<typeof maySignUp>[1]
  assert.equal(maySignUp({ settings } as Upstream, open), false)
  const service = await start({ upstreams })
  try {
    const { browser, id } = await newVisitor(service)
    const operator = await operatorOf(service)
    const isOffered = async () =>
      formsOf((await browser.go('/account/security')).text).some(({ action }) =>
        action.startsWith('/account/upstreams'),
      )
    assert.equal(await isOffered(), false)
    const link = { upstream: 'a', subject: '7' }
    assert.equal((await operator('POST', `owners/${id}/upstreams`, link)).status, 201)
    assert.equal(await isOffered(), false)
    const security = await browser.go('/account/security')
    const { csrf = '' } = formsOf(security.text).find(({ fields }) => fields.csrf)?.fields ?? {}
    for (const action of ['link', 'unlink']) {
      const page = await browser.go('/account/upstreams', { csrf, action, upstream: 'a' })
      assert.match(page.text, /Nothing changed/)
    }
    assert.match(security.text, /<b><bdi class="name">A</)
  } finally {
    await service.close()
  }
})

test('settings that cannot work are refused', () => {
  for (const wrong of [
    { link: 'verified_email' },
    { link: 'anybody' },
    { username: 'own' },
    { groups: 'groups' },
    { groups: { map: {} } },
    { groups: { claim: 'g', map: { a: 'x\ny' } } },
    { groups: { claim: 'g', map: { a: 7 } } },
    { groups: { claim: 'g', roles: { a: 'Not A Role' } } },
    { groups: { claim: 'g', else: {} } },
    { groups: { attribute: 'memberOf', map: {} } },
  ]) {
    assert.throws(() => upstreamsOf([{ ...common, ...wrong }]), JSON.stringify(wrong))
  }
  const [upstream] = upstreamsOf([{ ...common, groups }])
  assert.equal(upstream?.groups?.from, 'groups')
})
