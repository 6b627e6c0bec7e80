/** Addresses that an OpenID provider puts together from two places, so that they look verified. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operatorOf } from '../flows/operator.ts'
import { Browser } from '../support/browser.ts'
import { type Liar, type Lies, openLiar } from '../support/liar.ts'
import { newName } from '../support/people.ts'
import { type Started, start } from '../support/start.ts'
import { formTo, leave, upstreamsOf } from '../support/upstream.ts'

const victim = 'victim@example.com'

let liar: Liar
let service: Started
before(async () => {
  liar = await openLiar(() => service.now(), { trust_email: true })
  service = await start({ signUp: 'open', upstreams: upstreamsOf([liar.upstream]) })
})
after(async () => {
  await service.close()
  await liar.close()
})

const newcomer = async (subject: string, lies: Lies) => {
  Object.assign(liar, { subject, lies })
  const browser = new Browser(service)
  const url = await leave(browser, await browser.go('/login'), 'liar')
  const met = await browser.go(liar.approve(url))
  const { action, fields } = formTo(met, '/login/with/liar/new')
  await browser.go(action, fields)
  const { store } = service.server()
  const owner = await store.findUpstreamOwner({ upstream: 'liar', issuer: liar.issuer, subject })
  assert.ok(owner)
  const { email, emailVerified, name, claims } = owner
  return { email, emailVerified, name, picture: claims.picture ?? '' }
}

test('an address that another owner confirmed makes no second account, and the page says so', async () => {
  const email = 'Settled@example.com'
  const operator = await operatorOf(service)
  const members = { username: newName(), password: null, email, email_verified: true }
  assert.equal((await operator('POST', 'owners', members)).status, 201)
  const idToken = { email: email.toLowerCase(), email_verified: true }
  Object.assign(liar, { subject: 'settled', lies: { idToken } })
  const browser = new Browser(service)
  const met = await browser.go(
    liar.approve(await leave(browser, await browser.go('/login'), 'liar')),
  )
  const { action, fields } = formTo(met, '/login/with/liar/new')
  const refused = await browser.go(action, fields)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /Another account here has confirmed your email address/)
  assert.ok(!browser.cookies.has('latchkey_session'))
})

const nobody = { email: '', emailVerified: false, name: '', picture: '' }

test('an address of userinfo is not verified by a word of the ID token', async () => {
  const userinfo = { email: victim, email_verified: false }
  assert.deepEqual(await newcomer('a', { idToken: { email_verified: true }, userinfo }), nobody)
  const silent = { email: victim }
  const said = await newcomer('b', { idToken: { email_verified: true }, userinfo: silent })
  assert.deepEqual(said, nobody)
})

test('an address of the ID token is not verified by a word of userinfo', async () => {
  const userinfo = { email_verified: true }
  assert.deepEqual(await newcomer('c', { idToken: { email: victim }, userinfo }), nobody)
})

test('an address, its verification, name and picture come from one place', async () => {
  const picture = (name: string) => `https://pictures.example/${name}.png`
  const told = { email: 'one@example.com', email_verified: true, picture: picture('one') }
  const other = { name: 'Two', email: 'two@example.com', picture: picture('two') }
  const first = await newcomer('d', { idToken: told, userinfo: other })
  const one = { email: 'one@example.com', emailVerified: true, picture: picture('one') }
  assert.deepEqual(first, { ...one, name: '' })
  const idToken = { name: 'One', picture: picture('one') }
  const userinfo = { ...other, email_verified: true }
  const second = await newcomer('e', { idToken, userinfo })
  const two = { email: 'two@example.com', emailVerified: true, picture: picture('two') }
  assert.deepEqual(second, { ...two, name: 'Two' })
})
