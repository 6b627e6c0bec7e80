/** LG-11, LG-13: links of mails in the hands of scanners, of thieves, and of people who click twice. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { type Operator, operatorOf } from '../flows/operator.ts'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { houseApp } from '../support/demo-clients.ts'
import { newName, newPerson, newVisitor } from '../support/people.ts'
import { startBefore } from '../support/start.ts'

const service = startBefore()
let operator: Operator
// Time passes in some tests, and its token with it.
beforeEach(async () => {
  operator = await operatorOf(service)
})

const linkFor = async (id: string, purpose: string): Promise<string> =>
  (await operator('POST', `owners/${id}/links`, { purpose })).body.link

const passwordOf = async (username: string, given: string): Promise<boolean> => {
  const form = { grant_type: 'password', username, password: given }
  return (await service.post('/token', form, houseApp)).status === 200
}

const isDead = (page: Page): void => {
  assert.equal(page.status, 410)
  assert.match(page.text, /This link does not work/)
  assert.deepEqual(formsOf(page.text), [])
}

const open = async (link: string): Promise<Page> => new Browser(service).go(link)

describe('LG-13: a link works once', () => {
  test('programs that look at mail do not use it up', async () => {
    const { id } = await newPerson(service)
    const link = await linkFor(id, 'reset')
    for (let i = 0; i < 5; i++) assert.equal((await open(link)).status, 200)
    assert.equal((await service.ask(link, { method: 'HEAD' })).status, 200)
    const browser = new Browser(service)
    const page = await browser.go(link)
    assert.equal((await browser.submit(page, { password: 'the first password' })).status, 200)
    isDead(await open(link))
    isDead(await browser.submit(page, { password: 'the second password' }))
  })

  test('also where it is used many times at once', async () => {
    const { id, username } = await newPerson(service)
    const link = await linkFor(id, 'reset')
    const browsers = Array.from({ length: 8 }, () => new Browser(service))
    const pages = await Promise.all(browsers.map((browser) => browser.go(link)))
    const chosen = pages.map((_, i) => `chosen password ${i}`)
    const answers = await Promise.all(
      browsers.map((browser, i) =>
        browser.submit(pages[i] as Page, { password: chosen[i] as string }),
      ),
    )
    const won = answers.findIndex(({ status }) => status === 200)
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map((_, i) => (i === won ? 200 : 410)),
    )
    assert.equal(await passwordOf(username, chosen[won] as string), true)
  })
})

describe('LG-13: a link is worth nothing', () => {
  test('after its time', async () => {
    const { id } = await newPerson(service)
    const link = await linkFor(id, 'reset')
    const browser = new Browser(service)
    const page = await browser.go(link)
    service.pass(24 * 3600)
    isDead(await open(link))
    isDead(await browser.submit(page, { password: 'much too late now' }))
  })

  test('after a newer password or another address, whoever changed it', async () => {
    const { id } = await newPerson(service)
    const [first, second, third] = [
      await linkFor(id, 'reset'),
      await linkFor(id, 'reset'),
      await linkFor(id, 'reset'),
    ]
    await operator('PATCH', `owners/${id}`, { name: 'New Name' })
    assert.equal((await open(third)).status, 200)
    await operator('PATCH', `owners/${id}`, { email: 'new@example.com' })
    isDead(await open(first))
    const later = await linkFor(id, 'reset')
    await operator('POST', `owners/${id}/set-password`, { password: 'set by the operator' })
    for (const link of [second, later]) isDead(await open(link))
  })

  test('at the page of another purpose, of another owner, or changed', async () => {
    const username = newName()
    const person = { username, password: null, email: 'x@example.com' }
    const { body } = await operator('POST', 'owners', person)
    for (const purpose of ['reset', 'invite', 'verify']) {
      const link = await linkFor(body.id, purpose)
      for (const other of ['reset', 'invite', 'verify', 'signup']) {
        if (other === purpose) continue
        const page = await open(link.replace(`/${purpose}?`, `/${other}?`))
        assert.ok([410, 404].includes(page.status), `${purpose} at ${other}: ${page.status}`)
      }
      const last = link.endsWith('A') ? 'B' : 'A'
      for (const changed of [`${link.slice(0, -1)}${last}`, `${link}A`, link.slice(0, -1)]) {
        isDead(await open(changed))
      }
    }
    for (const junk of ['', 'lk_ln_', 'x'.repeat(10_000)]) isDead(await open(`/reset?link=${junk}`))
    isDead(await open('/reset'))
  })

  test('for an owner who is disabled or deleted', async () => {
    const { id } = await newPerson(service)
    const link = await linkFor(id, 'reset')
    await operator('PATCH', `owners/${id}`, { disabled: true })
    isDead(await open(link))
    await operator('PATCH', `owners/${id}`, { disabled: false })
    assert.equal((await open(link)).status, 200)
    await operator('DELETE', `owners/${id}`)
    isDead(await open(link))
  })
})

test('LG-11: the host of a request never builds a link', async () => {
  const { id } = await newPerson(service)
  const { status, body } = await service.ask('/token', {
    form: { grant_type: 'client_credentials' },
    headers: { authorization: `Basic ${btoa('latchkey-admin:latchkey-admin-secret')}` },
  })
  assert.equal(status, 200)
  const answer = await service.ask(`/admin/api/owners/${id}/links`, {
    json: { purpose: 'reset' },
    headers: {
      authorization: `Bearer ${body.access_token}`,
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example;proto=https',
    },
  })
  assert.ok(answer.body.link.startsWith(`${service.issuer}/reset?`), answer.text)
})

test('LG-02: a form with a link is accepted from its own browser alone', async () => {
  const { id } = await newVisitor(service)
  const link = await linkFor(id, 'reset')
  const page = await open(link)
  const answer = await new Browser(service).submit(page, { password: 'set by another site' })
  assert.equal(answer.status, 403)
  assert.equal((await open(link)).status, 200)
})

test('a link reaches no log', () => {
  assert.doesNotMatch(JSON.stringify(service.notices), /lk_ln_/)
})
