/** Who prepared an account keeps a link into it. After a new password its owner is pointed at that. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operatorOf } from '../flows/operator.ts'
import { Browser } from '../support/browser.ts'
import { type Liar, openLiar } from '../support/liar.ts'
import { newPerson, password } from '../support/people.ts'
import { type Started, start } from '../support/start.ts'
import { formTo, upstreamsOf } from '../support/upstream.ts'

let liar: Liar
let service: Started
before(async () => {
  liar = await openLiar(() => service.now())
  service = await start({ upstreams: upstreamsOf([liar.upstream]) })
})
after(async () => {
  await service.close()
  await liar.close()
})

const link = async (browser: Browser, subject: string): Promise<void> => {
  Object.assign(liar, { subject, lies: {} })
  const form = formTo(await browser.go('/account/security'), '/account/upstreams')
  const answer = await browser.ask(form.action, form.fields)
  const { text } = await browser.go(liar.approve(answer.headers.get('location') ?? ''))
  assert.match(text, /The account is linked/)
  assert.doesNotMatch(text, /Linked before your present password/)
}

const chosen = 'another good password'

test('a reset leads to the links from before, and not to later ones', async () => {
  const { id, username } = await newPerson(service)
  const thief = new Browser(service)
  await thief.logIn(await thief.go('/login'), username, password)
  await link(thief, 'thief')
  await service.advance(5)
  const operator = await operatorOf(service)
  const made = await operator('POST', `owners/${id}/links`, { purpose: 'reset' })
  const browser = new Browser(service)
  const page = await browser.go(made.body.link)
  const told = await browser.submit(page, { password: chosen })
  const inside = await browser.logIn(told, username, chosen)
  assert.equal(new URL(inside.url).pathname, '/account/security')
  assert.match(inside.text, /Check this[\s\S]*Linked before your present password/)
  const unlinked = await browser.submitForm(inside, formTo(inside, '/account/upstreams'))
  assert.match(unlinked.text, /no longer logs you in here/)
  await service.advance(5)
  await link(browser, 'own')
})

test('a new password of the owner, or of the operator, points at them, too', async () => {
  const { username } = await newPerson(service)
  const browser = new Browser(service)
  await browser.logIn(await browser.go('/login'), username, password)
  await link(browser, 'mine')
  await service.advance(5)
  const page = await browser.go('/account/password')
  const form = formTo(page, '/account/password')
  const changed = await browser.submitForm(page, form, {
    password,
    new_password: chosen,
    new_password_again: chosen,
  })
  assert.equal(new URL(changed.url).pathname, '/account/security')
  assert.match(changed.text, /Linked before your present password/)
  const { id, username: other } = await newPerson(service)
  const prepared = new Browser(service)
  await prepared.logIn(await prepared.go('/login'), other, password)
  await link(prepared, 'prepared')
  await service.advance(5)
  const operator = await operatorOf(service)
  const { body } = await operator('POST', `owners/${id}/set-password`, { password: chosen })
  const [told] = body.upstreams_of_former_password
  assert.deepEqual(told, { upstream: 'liar', label: '', created_at: service.now() - 5 })
})
