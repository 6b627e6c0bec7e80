/** After a deletion nothing tells of the person: not the events, not what webhooks still send. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawRandom } from '../../src/crypto/digest.ts'
import { createId, type EventId, type OwnerId } from '../../src/model/ids.ts'
import { forgettingLimits } from '../../src/store/records/owner/forgetting.ts'
import { Browser } from '../support/browser.ts'
import {
  addPasskey,
  firstStep,
  named,
  newDevice,
  setUpCodes,
  submitWith,
} from '../support/factors.ts'
import { newName, newVisitor, password } from '../support/people.ts'
import { start, startBefore } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const service = startBefore(() => start(named))

const store = () => service.server().store

/** Somebody with a passkey of a telling name, whose password somebody tried to guess. */
const newPersonality = async () => {
  const visitor = await newVisitor(service)
  await addPasskey(visitor.browser, newDevice(service), 'Keyring of Ada')
  const stranger = new Browser(service)
  await stranger.logIn(await stranger.go('/login'), visitor.username, 'wrong password')
  return visitor
}

const toldOf = async (id: string): Promise<string> => {
  const operator = await operatorOf(service)
  const { text } = await operator('GET', `events?owner=${encodeURIComponent(id)}&limit=100`)
  return text
}

const personal = (username: string) => [username, 'Keyring of Ada', '127.0.0']

test('the deletion strips names, networks and addresses of its events', async () => {
  const { id, username, operator } = await newPersonality()
  const told = await toldOf(id)
  for (const fact of personal(username)) assert.ok(told.includes(fact), fact)
  await store().queueWebhookEvents('late', null, service.now() - 3600)
  assert.equal((await operator('DELETE', `owners/${id}`)).status, 204)

  const left = await toldOf(id)
  const { items } = JSON.parse(left)
  const types = items.map(({ type }: { type: string }) => type)
  for (const type of ['owner.created', 'factor.added', 'login.failed', 'owner.deleted']) {
    assert.ok(types.includes(type), type)
  }
  const own = items.filter(({ type }: { type: string }) => type !== 'owner.deleted')
  const ofOthers = own.filter(({ actor }: { actor: object | null }) => actor === null)
  assert.ok(ofOthers.length >= 3)
  for (const { details } of items) assert.deepEqual(details, {})
  for (const fact of personal(username).slice(0, 2)) assert.ok(!left.includes(fact), fact)
  assert.ok(!JSON.stringify(ofOthers).includes('127.0.0'))

  const at = service.now()
  const sent = await store().claimWebhookDeliveries('late', 1000, at + 60, at)
  const ofPerson = sent.filter(({ event }) => event.ownerId === id)
  assert.ok(ofPerson.length >= 4)
  for (const { event } of ofPerson) assert.deepEqual(event.details, {})
})

test('housekeeping strips the rest of somebody with many events', async () => {
  const { id, operator } = await newVisitor(service)
  const ownerId = id as OwnerId
  const count = forgettingLimits.eventsAtOnce + 20
  for (let i = 0; i < count; i++) {
    await store().appendEvent({
      id: createId(service.now() * 1000, drawRandom(10)) as EventId,
      at: service.now(),
      type: 'factor.removed',
      clientId: null,
      ownerId,
      authorizationId: null,
      requestId: null,
      actor: null,
      details: { name: 'Keyring of Ada' },
    })
  }
  await operator('DELETE', `owners/${id}`)
  const withDetails = async (): Promise<number> => {
    let found = 0
    for (let after: string | null = null; ; ) {
      const page = await store().listEvents({ ownerId }, after, 500)
      found += page.rows.filter(({ details }) => Object.keys(details).length > 0).length
      if (page.next === null) return found
      after = page.next
    }
  }
  assert.ok((await withDetails()) > 0)
  await service.advance(3600)
  assert.equal(await withDetails(), 0)
})

test('a subject made again sees nothing of the former person', async () => {
  const operator = await operatorOf(service)
  const sub = `sub-${newName()}`
  const person = { username: newName(), sub, password }
  await operator('POST', 'owners', person)
  const former = new Browser(service)
  await former.logIn(await former.go('/login'), person.username, password)
  await operator('DELETE', `owners/${sub}`)
  // Ids of one millisecond have no order.
  await service.advance(1)
  const username = newName()
  await operator('POST', 'owners', { username, sub, password })
  const browser = new Browser(service)
  await browser.logIn(await browser.go('/login'), username, password)
  const { text } = await browser.go('/account/events')
  assert.equal(text.match(/new browser logged in/g)?.length, 1, text)
  assert.ok(!text.includes('was deleted'))
})

test('refused requests of the owner go along', async () => {
  const { id, browser, operator } = await newVisitor(service)
  assert.equal((await browser.ask('/account/delete', { csrf: 'wrong' })).status, 403)
  await service.advance(60)
  const kept = async (): Promise<number> => {
    const { rows } = await store().listRefusals({}, null, 100, 0)
    return rows.filter(({ ownerId }) => ownerId === id).length
  }
  assert.equal(await kept(), 1)
  await operator('DELETE', `owners/${id}`)
  assert.equal(await kept(), 0)
})

test('a failed try keeps its whole address for seven days', async () => {
  const { id, username } = await newVisitor(service)
  const stranger = new Browser(service)
  await stranger.logIn(await stranger.go('/login'), username, 'wrong password')
  await service.advance(7 * 86_400 - 60)
  assert.match(await toldOf(id), /"address":"127\.0\.0\.1"/)
  await service.advance(3600)
  const told = await toldOf(id)
  assert.match(told, /"address":"127\.0\.0\.\*"/)
  assert.ok(!told.includes('127.0.0.1'))
})

test('a failed second step keeps its whole address for as long', async () => {
  const { id, username, browser } = await newVisitor(service)
  await setUpCodes(browser, service.now())
  const stranger = await firstStep(service, username, password)
  await submitWith(stranger.browser, stranger.page, 'code', { code: '000000' })
  const addressOf = async () => {
    const { rows } = await store().listEvents({ ownerId: id as OwnerId }, null, 20)
    return rows.find(({ type }) => type === 'login.second_factor_failed')?.details.address
  }
  assert.equal(await addressOf(), '127.0.0.1')
  await service.advance(7 * 86_400 + 3600)
  assert.equal(await addressOf(), '127.0.0.*')
})

test('the page says what stays', async () => {
  const { browser } = await newVisitor(service)
  const { text } = await browser.go('/account/delete')
  assert.match(text, /A record of events stays for 400 days\./)
  assert.ok(!text.includes('everything stored'))
})
