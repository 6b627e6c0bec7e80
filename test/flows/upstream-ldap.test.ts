/** Logins by a directory: a real slapd. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import type { OwnerId } from '../../src/model/ids.ts'
import { makeServiceTrace } from '../../src/store/trace.ts'
import { answerOf, Browser, type Page } from '../support/browser.ts'
import { codeAt, setUpCodes } from '../support/factors.ts'
import { authorizePath, codeRequest, walk } from '../support/printing.ts'
import { base, openSlapd, type Slapd, skipDirectory } from '../support/slapd.ts'
import { type Started, start } from '../support/start.ts'
import { redeem, refresh, use } from '../support/tokens.ts'
import { formTo, leave, upstreamsOf } from '../support/upstream.ts'

let slapd: Slapd
let service: Started

const isInside = ({ cookies }: Browser): boolean => cookies.has('latchkey_session')

/** Presses the button of the login page, and comes to the form of the directory. */
const formOf = async (browser: Browser, path = '/login'): Promise<Page> =>
  browser.go(await leave(browser, await browser.go(path), 'company'))

const tryWith = async (
  username: string,
  password: string,
  browser = new Browser(service),
  path = '/login',
): Promise<Page> => {
  const page = await formOf(browser, path)
  return browser.submitForm(page, formTo(page, '/login/with/company'), { username, password })
}

/** Somebody of the directory makes an account here. */
const join = async (uid: string, browser = new Browser(service)): Promise<Browser> => {
  const met = await tryWith(uid, `${uid}-password`, browser)
  await browser.submitForm(met, formTo(met, '/login/with/company/new'))
  assert.ok(isInside(browser))
  return browser
}

const wrong = /The username, email address or password is wrong/

describe('a login by a directory', { skip: skipDirectory }, () => {
  before(async () => {
    slapd = await openSlapd()
    for (const uid of ['anna', 'ben', 'carl', 'dora', 'erik', 'fred', 'gina', 'hugo']) {
      await slapd.add(uid, { mail: `${uid}@example.net` })
    }
    await slapd.add('twin', { mail: 'twins@example.net' })
    await slapd.add('twin2', { mail: 'twins@example.net', userPassword: 'twin-password' })
    const groups = { attribute: 'employeeType', map: { engineer: 'Engineering' } }
    const upstream = { ...slapd.upstream, trust_email: true, groups }
    service = await start({ signUp: 'open', upstreams: upstreamsOf([upstream]) })
  })
  after(async () => {
    await service?.close()
    await slapd?.close()
  })

  test('takes name and password in a form of its own, and makes an owner', async () => {
    const browser = new Browser(service)
    const page = await formOf(browser)
    assert.match(page.text, /<h1>Log in with The company<\/h1>/)
    assert.match(page.text, /Password at The company/)
    const met = await tryWith('anna', 'anna-password', browser)
    assert.match(met.text, /You are new here[\s\S]*anna@example\.net/)
    await browser.submitForm(met, formTo(met, '/login/with/company/new'))
    const { rows } = await service.server().store.listOwners(null, 100)
    const owner = rows.find(({ email }) => email === 'anna@example.net')
    assert.match(owner?.username ?? '', /^anna-\d{6}$/)
    assert.deepEqual([owner?.name, owner?.emailVerified], ['anna of the company', true])
  })

  test('an attribute gives groups, and takes them away at the next login', async () => {
    const { store } = service.server()
    const change = (employeeType: string) =>
      slapd.change(async (client) => {
        const { Attribute, Change } = await import('ldapts')
        const modification = new Attribute({ type: 'employeeType', values: [employeeType] })
        await client.modify(
          `uid=ida,ou=people,${base}`,
          new Change({ operation: 'replace', modification }),
        )
      })
    await slapd.add('ida', { mail: 'ida@example.net', employeeType: 'engineer' })
    await join('ida')
    const { rows } = await store.listOwnersBy({ search: 'ida' }, null, 1)
    const [owner] = rows
    assert.ok(owner)
    const namesOf = async () => (await store.listGroupsOf(owner.id)).map(({ name }) => name)
    assert.deepEqual(await namesOf(), ['Engineering'])
    await change('ENGINEER')
    await tryWith('ida', 'ida-password')
    assert.deepEqual(await namesOf(), [])
  })

  test('knows the owner again, by the name or the address, and tells of a password', async () => {
    await join('ben')
    for (const name of ['ben', 'BEN', ' ben ', 'ben@example.net']) {
      const page = await tryWith(name, 'ben-password')
      assert.match(page.text, /ben of the company/, name)
    }
    const { rows } = await service.server().store.listEvents({}, null, 20)
    const login = rows.find(({ type }) => type === 'login.succeeded')
    const { upstream, methods, context } = login?.details ?? {}
    assert.deepEqual([upstream, String(methods), context], ['company', 'pwd', '1'])
  })

  test('counts as a new login where an application asks for one', async () => {
    const browser = await join('carl')
    const path = authorizePath({ ...codeRequest, scope: 'openid', prompt: 'login' })
    await service.advance(120)
    const page = await tryWith('carl', 'carl-password', browser, path)
    assert.match(page.url, /\/consent/)
    const { rows } = await service.server().store.listEvents({}, null, 20)
    assert.equal(rows.find(({ type }) => type === 'login.succeeded')?.at, service.now())
  })

  test('a wrong password, an unknown name and a name of two people get the same answer', async () => {
    const page = await tryWith('anna', 'wrong')
    assert.equal(page.status, 403)
    assert.match(page.text, wrong)
    const same = (text: string): string =>
      text.replaceAll(/value="[^"]*"/g, '').replaceAll(/journey=[^"]*/g, '')
    for (const [name, password] of [
      ['nobody', 'wrong'],
      ['twins@example.net', 'twin-password'],
      ['anna', 'ben-password'],
    ] as const) {
      const other = await tryWith(name, password)
      assert.deepEqual([other.status, same(other.text)], [page.status, same(page.text)], name)
    }
  })

  test('an empty password is wrong, though the directory would take it', async () => {
    await slapd.change((client) => client.bind(`uid=anna,ou=people,${base}`, ''))
    const browser = new Browser(service)
    assert.match((await tryWith('anna', '', browser)).text, wrong)
    assert.equal(isInside(browser), false)
  })

  test('a name cannot change the filter', async () => {
    const names = [
      '*',
      'an*',
      '*)(uid=*',
      'anna)(uid=anna',
      'anna))(|(uid=*',
      'an\\6ea',
      'x)(|(uid=anna)',
    ]
    for (const name of [...names, 'anna\0', 'an\u200bna']) {
      const browser = new Browser(service)
      const page = await tryWith(name, 'anna-password', browser)
      assert.ok(page.status === 403 || page.status === 400, name)
      assert.equal(isInside(browser), false)
      await service.advance(3600)
    }
  })

  test('somebody who left the company is not let in', async () => {
    await join('dora')
    await slapd.change((client) =>
      client.modifyDN(`uid=dora,ou=people,${base}`, `uid=dora,ou=former,${base}`),
    )
    assert.match((await tryWith('dora', 'dora-password')).text, wrong)
    await slapd.add('gone', { employeeType: 'gone' })
    assert.match((await tryWith('gone', 'gone-password')).text, wrong)
  })

  test('an entry with another name is the same person, and another one with the old name is not', async () => {
    await join('erik')
    await slapd.change((client) =>
      client.modifyDN(`uid=erik,ou=people,${base}`, `uid=renamed,ou=people,${base}`),
    )
    const page = await tryWith('renamed', 'erik-password')
    assert.match(page.text, /erik of the company/)
    await slapd.add('erik', { cn: 'another erik' })
    assert.match((await tryWith('erik', 'erik-password')).text, /You are new here/)
  })

  test('wrong tries make a name wait, and only strangers', async () => {
    const known = await join('fred')
    for (let n = 0; n < 6; n++) await tryWith('fred', 'wrong')
    const page = await tryWith('fred', 'fred-password')
    assert.equal(page.status, 429)
    assert.match(page.text, /too many wrong tries/)
    assert.ok(Number(page.headers.get('retry-after')) > 0)
    // A name of the directory is not the name of an owner here.
    const alice = new Browser(service)
    await alice.logIn(await alice.go('/login'), 'alice', 'wonderland')
    assert.ok(isInside(alice))
    // A browser that another owner has used is one of a stranger.
    await alice.submit(await alice.go('/logout'))
    assert.equal((await tryWith('fred', 'fred-password', alice)).status, 429)
    await known.submit(await known.go('/logout'))
    assert.match((await tryWith('fred', 'fred-password', known)).text, /fred of the company/)
    await service.advance(3600)
    const failed = (await service.server().store.listEvents({}, null, 20)).rows.find(
      ({ type }) => type === 'login.failed',
    )
    assert.deepEqual(failed?.details, { address: '127.0.0.1', upstream: 'company' })
  })

  test('marks on letters make no further name to try', async () => {
    const names = ['otto', 'Otto', 'ötto', 'ottó', 'o\u0301tto', 'otto\u0301\u0302']
    for (const name of names) await tryWith(name, 'wrong')
    assert.equal((await tryWith('ottô', 'wrong')).status, 429)
    await service.advance(3600)
  })

  test('a second factor is still asked for', async () => {
    const browser = await join('gina')
    const secret = await setUpCodes(browser, service.now())
    await service.advance(60)
    const other = new Browser(service)
    const second = await tryWith('gina', 'gina-password', other)
    assert.match(second.url, /\/login\/second/)
    assert.equal(isInside(other), false)
    const inside = await other.submit(second, { code: codeAt(secret, service.now()) })
    assert.match(inside.text, /gina of the company/)
  })

  test('an owner links an account with its password, and unlinks it', async () => {
    const browser = new Browser(service)
    await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
    const page = await browser.go('/account/security')
    const form = await browser.submitForm(page, formTo(page, '/account/upstreams'))
    assert.match(form.text, /<h1>Link The company/)
    const asked = formTo(form, '/account/upstreams')
    const hugo = { username: 'hugo', password: 'hugo-password' }
    const refused = await browser.submitForm(form, asked, { ...hugo, password: 'wrong' })
    assert.match(refused.text, wrong)
    assert.match((await browser.submitForm(form, asked, hugo)).text, /The account is linked/)
    assert.match((await tryWith('hugo', 'hugo-password')).text, /Alice Liddell/)
    const linked = await browser.go('/account/security')
    assert.match(linked.text, /hugo@example\.net/)
    await browser.submitForm(linked, formTo(linked, '/account/upstreams'))
    assert.match((await tryWith('hugo', 'hugo-password')).text, /You are new here/)
  })

  test('whoever leaves the directory is disabled, and enabled again when back', async (t) => {
    const upstream = { ...slapd.upstream, trust_email: true, disable_owners: true }
    const checked = await start({ signUp: 'open', upstreams: upstreamsOf([upstream]) })
    t.after(() => checked.close())
    const { store } = checked.server()
    const owners = new Map<string, OwnerId>()
    const browsers = new Map<string, Browser>()
    for (const uid of ['lena', 'mark', 'nora', 'otis']) {
      await slapd.add(uid, { mail: `${uid}@example.net` })
      browsers.set(uid, await join(uid, new Browser(checked)))
      const [owner] = (await store.listOwnersBy({ search: uid }, null, 1)).rows
      assert.ok(owner)
      owners.set(uid, owner.id)
    }
    const ownerOf = (uid: string) => owners.get(uid) as OwnerId
    const listDisabled = async () => {
      const all = await store.listOwnersBy({ state: 'disabled' }, null, 9)
      return all.rows.map(({ username }) => username.replace(/-.*/, '')).sort()
    }
    const lena = browsers.get('lena')
    assert.ok(lena)
    const askCode = async () => answerOf(await walk(checked, codeRequest, {}, lena)).code ?? ''
    const { body } = await redeem(checked, await askCode())
    const code = await askCode()
    await checked.advance(900)
    assert.deepEqual(await listDisabled(), [])

    const dnOf = (uid: string) => `uid=${uid},ou=people,${base}`
    const { Attribute, Change } = await import('ldapts')
    const setType = (uid: string, type: string) => {
      const modification = new Attribute({ type: 'employeeType', values: [type] })
      const change = new Change({ operation: 'replace', modification })
      return slapd.change((client) => client.modify(dnOf(uid), change))
    }
    await slapd.change((client) => client.modifyDN(dnOf('lena'), `uid=lena,ou=former,${base}`))
    await setType('mark', 'gone')
    await checked.advance(900)
    assert.deepEqual(await listDisabled(), ['lena', 'mark'])
    assert.equal(await store.findDisabler(ownerOf('mark')), 'company')
    assert.match((await lena.go('/account')).url, /\/login/)
    assert.equal(await use(checked, body.access_token), 401)
    for (const dead of [redeem(checked, code), refresh(checked, body.refresh_token)]) {
      assert.equal((await dead).body.error, 'invalid_grant')
    }
    const [event] = (await store.listEvents({ ownerId: ownerOf('mark') }, null, 1)).rows
    assert.deepEqual([event?.type, event?.actor?.type], ['owner.changed', 'service'])
    assert.equal(event?.details.upstream, 'company')

    // An operator decides about nora, and the directory no more.
    await store.changeOwner(
      ownerOf('nora'),
      { disabled: true },
      makeServiceTrace(checked.now(), { clock: Date.now, random }),
    )
    await setType('mark', 'staff')
    await checked.advance(900)
    assert.deepEqual(await listDisabled(), ['lena', 'nora'])
    const back = new Browser(checked)
    await tryWith('mark', 'mark-password', back)
    const { text } = await back.go('/account/events')
    assert.match(text, /Your account was enabled, because The company has you again\./)
    assert.match(text, /Your account was disabled, because The company no longer has you/)

    // Two more within a day would be more than half.
    for (const uid of ['mark', 'otis']) await setType(uid, 'gone')
    await checked.advance(900)
    assert.deepEqual(await listDisabled(), ['lena', 'nora'])
    const listMissing = async () =>
      (await store.listDirectoryChecks(0)).map(({ missing, checkedAt }) => [missing, checkedAt])
    assert.deepEqual(await listMissing(), [[2, checked.now()]])
    const told = checked.notices.findLast(({ message }) => message.includes('too many people'))
    assert.deepEqual([told?.missing, told?.people, told?.most], [2, 3, 1])
    await setType('otis', 'staff')
    await checked.advance(86_400)
    assert.deepEqual(await listDisabled(), ['lena', 'mark', 'nora'])
    assert.deepEqual(await listMissing(), [[0, checked.now()]])
  })

  test('neither the store nor the log ever sees a password', async () => {
    assert.ok(!JSON.stringify(service.notices).includes('-password'))
    const { rows } = await service.server().store.listEvents({}, null, 100)
    assert.ok(!JSON.stringify(rows).includes('-password'))
  })
})
