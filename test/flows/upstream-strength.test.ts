/** A login by an upstream counts as the operator trusts it: its strength, its time, its address. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { OwnerId } from '../../src/model/ids.ts'
import { Browser, type Page } from '../support/browser.ts'
import { type CodeProvider, openCodeProvider } from '../support/code-provider.ts'
import { isInside, setUpCodes } from '../support/factors.ts'
import { type Started, start } from '../support/start.ts'
import { formTo, leave, upstreamsOf } from '../support/upstream.ts'

let provider: CodeProvider
before(async () => {
  provider = await openCodeProvider()
})
after(() => provider.close())

const withService = async (
  change: Readonly<Record<string, unknown>>,
  work: (service: Started) => Promise<void>,
): Promise<void> => {
  const service = await start({
    signUp: 'open',
    upstreams: upstreamsOf([{ ...provider.upstream, ...change }]),
  })
  try {
    await work(service)
  } finally {
    await service.close()
  }
}

const comeBack = async (browser: Browser, subject: string, claims: object): Promise<Page> => {
  const url = await leave(browser, await browser.go('/login?switch=1'))
  return browser.go(provider.logIn(url, subject, claims))
}

/** Somebody new, as the upstream tells of the person. */
const newcomer = async (service: Started, subject: string, claims: object): Promise<Browser> => {
  const browser = new Browser(service)
  const page = await comeBack(browser, subject, claims)
  assert.match(page.text, /You are new here/)
  const { action, fields } = formTo(page, '/login/with/other/new')
  await browser.go(action, fields)
  assert.equal(await isInside(browser), true)
  return browser
}

const ownerOf = async (service: Started, subject: string) => {
  const account = { upstream: 'other', issuer: String(provider.upstream.issuer), subject }
  const owner = await service.server().store.findUpstreamOwner(account)
  return owner ?? assert.fail('no owner')
}

const latestSession = async (service: Started, ownerId: OwnerId) => {
  const { rows } = await service.server().store.listSessions(ownerId, null, 1, service.now())
  return rows[0] ?? assert.fail('no session')
}

const strong = { acr: 'phr', amr: ['pwd', 'otp', 'mfa'] }

describe('an upstream whose acr is trusted', () => {
  test('counts for two factors where it says so, as old as the login there', () =>
    withService({ trust_acr: true }, async (service) => {
      const newAt = service.now() - 7200
      const own = await newcomer(service, 'ada', { ...strong, auth_time: newAt })
      const owner = await ownerOf(service, 'ada')
      const first = await latestSession(service, owner.id)
      assert.deepEqual([first.startedAt, first.confirmedAt], [newAt, newAt])
      assert.ok(first.methods.includes('mfa'))

      const again = await comeBack(own, 'ada', { ...strong, auth_time: service.now() })
      assert.equal(again.status, 200)
      await setUpCodes(own, service.now())
      await service.advance(60)
      const browser = new Browser(service)
      const loginAt = service.now() - 90
      await comeBack(browser, 'ada', { ...strong, auth_time: loginAt })
      assert.equal(await isInside(browser), true)
      assert.equal((await latestSession(service, owner.id)).startedAt, loginAt)
    }))

  test('leaves the second step where it says nothing of two factors', () =>
    withService({ trust_acr: true }, async (service) => {
      const own = await newcomer(service, 'bea', {})
      await setUpCodes(own, service.now())
      const browser = new Browser(service)
      assert.match((await comeBack(browser, 'bea', { acr: '1' })).url, /\/login\/second/)
      assert.equal(await isInside(browser), false)
    }))
})

test('whoever is logged in is asked anew there', () =>
  withService({}, async (service) => {
    const asked = async (browser: Browser) =>
      new URL(await leave(browser, await browser.go('/login?switch=1'))).searchParams.get('prompt')
    assert.equal(await asked(new Browser(service)), null)
    assert.equal(await asked(await newcomer(service, 'fay', {})), 'login')
  }))

test('an upstream whose acr is not trusted counts for one factor, made now', () =>
  withService({}, async (service) => {
    const own = await newcomer(service, 'cleo', { ...strong, auth_time: service.now() - 7200 })
    const owner = await ownerOf(service, 'cleo')
    const session = await latestSession(service, owner.id)
    assert.deepEqual([session.startedAt, session.methods], [service.now(), []])
    await setUpCodes(own, service.now())
    const browser = new Browser(service)
    assert.match((await comeBack(browser, 'cleo', strong)).url, /\/login\/second/)
  }))

test('an address is believed of a trusted upstream alone', async () => {
  for (const trust_email of [true, false]) {
    await withService({ trust_email }, async (service) => {
      await newcomer(service, 'dora', {})
      assert.equal((await ownerOf(service, 'dora')).emailVerified, trust_email)
    })
  }
})

test('nobody new gets in once sign-up is off, also by a page from before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-off-'))
  const store = `sqlite:${join(folder, 'latchkey.db')}`
  const account = { upstream: 'other', issuer: String(provider.upstream.issuer), subject: 'eve' }
  const upstreams = upstreamsOf([provider.upstream])
  const open = await start({ store, signUp: 'open', upstreams })
  const before = new Browser(open)
  const form = formTo(await comeBack(before, 'eve', {}), '/login/with/other/new')
  await open.close()
  const closed = await start({ store, signUp: 'off', upstreams })
  const browser = new Browser(closed)
  for (const [name, value] of before.cookies) browser.cookies.set(name, value)
  assert.equal((await browser.go(form.action, form.fields)).status, 403)
  assert.doesNotMatch((await comeBack(browser, 'eve', {})).text, /login\/with\/other\/new/)
  assert.equal(await closed.server().store.findUpstreamOwner(account), null)
  await closed.close()
  await rm(folder, { recursive: true })
})

test('mix-up: a confirmation of one upstream is none of another', async () => {
  const upstreams = upstreamsOf([provider.upstream, { ...provider.upstream, id: 'another' }])
  const service = await start({ signUp: 'open', upstreams })
  const browser = await newcomer(service, 'gus', {})
  await service.advance(3600)
  const { action, fields } = formTo(await browser.go('/account/delete'), '/account/confirm')
  assert.deepEqual(fields.upstream, ['other'])
  const asked = await browser.ask(action, fields)
  const at = { auth_time: service.now() }
  const back = provider.logIn(asked.headers.get('location') ?? '', 'gus', at)
  assert.equal((await browser.go(back.replace('/with/other/', '/with/another/'))).status, 403)
  assert.match((await browser.go('/account/delete')).url, /\/account\/confirm/)
  await service.close()
})
