/** The store contract for webhooks: each event is queued once, and taken by one node at a time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../src/model/event.ts'
import { type EventId, getFirstId } from '../../../src/model/ids.ts'
import type { WebhookDelivery } from '../../../src/store/contract/queue.ts'
import { webhookLimits } from '../../../src/store/records/webhook.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, together } from '../moments.ts'

/** Later than all other events of the contract. */
let clock = 3_000_000_000
const newTime = (): number => {
  clock += 10_000
  return clock
}

/** An event as of a moment. */
export const eventAt = (at: number, type: Event['type'] = 'login.succeeded'): Event => ({
  id: `${getFirstId(at * 1000)}${next('').slice(0, 8)}00000000` as EventId,
  at,
  type,
  clientId: null,
  ownerId: null,
  authorizationId: null,
  requestId: null,
  actor: { type: 'service' },
  details: { method: 'password' },
})

export const webhookContract = (store: () => Store): void => {
  const append = async (...events: readonly Event[]): Promise<void> => {
    for (const event of events) await store().appendEvent(event)
  }
  const claim = (webhook: string, at: number, most = 10) =>
    store().claimWebhookDeliveries(webhook, most, at + 60, at)
  const idsOf = (deliveries: readonly WebhookDelivery[]) => deliveries.map(({ event }) => event.id)
  const finish = ({ webhook, event, tries }: WebhookDelivery) =>
    store().finishWebhookDelivery({ webhook, tries, eventId: event.id })

  test('a webhook begins with the events after its first call, and gets each once', async () => {
    const at = newTime()
    const hook = next('hook')
    await append(eventAt(at - 1))
    assert.equal(await store().queueWebhookEvents(hook, null, at), 0)
    const [first, second] = [eventAt(at + 1), eventAt(at + 2, 'client.changed')]
    await append(first, second)
    assert.equal(await store().queueWebhookEvents(hook, null, at + 3), 2)
    assert.equal(await store().queueWebhookEvents(hook, null, at + 4), 0)
    const due = await claim(hook, at + 4)
    assert.deepEqual(due, [
      { webhook: hook, event: first, tries: 1, queuedAt: at + 3 },
      { webhook: hook, event: second, tries: 1, queuedAt: at + 3 },
    ])
    for (const one of due) assert.equal(await finish(one), true)
    for (const later of [at + 4, at + 100, at + 9000]) {
      assert.equal(await store().queueWebhookEvents(hook, null, later), 0)
      assert.deepEqual(await claim(hook, later + 100), [])
    }
  })

  test('an event of a slow step is queued as well, in the place of its time', async () => {
    const at = newTime()
    const hook = next('hook')
    await store().queueWebhookEvents(hook, null, at)
    const [early, late] = [eventAt(at + 1), eventAt(at + 50)]
    await append(late)
    assert.equal(await store().queueWebhookEvents(hook, null, at + 60), 1)
    await append(early)
    assert.equal(await store().queueWebhookEvents(hook, null, at + 110), 1)
    assert.deepEqual(idsOf(await claim(hook, at + 110)), [early.id, late.id])
  })

  test('an event is queued however late it is committed, and once', async () => {
    const at = newTime()
    const hook = next('hook')
    await store().queueWebhookEvents(hook, null, at)
    await append(eventAt(at + 1))
    assert.equal(await store().queueWebhookEvents(hook, null, at + 5000), 1)
    const late = eventAt(at + 2)
    await append(late)
    assert.equal(await store().queueWebhookEvents(hook, null, at + 5001), 1)
    const due = await claim(hook, at + 5001)
    assert.equal(due.at(-1)?.event.id, late.id)
    for (const one of due) await finish(one)
    assert.equal(await store().queueWebhookEvents(hook, null, at + 9000), 0)
  })

  test('a webhook gets the types that it asked for', async () => {
    const at = newTime()
    const hook = next('hook')
    await store().queueWebhookEvents(hook, ['client.changed'], at)
    const wanted = eventAt(at + 1, 'client.changed')
    await append(eventAt(at + 1), wanted, eventAt(at + 1, 'login.failed'))
    await store().queueWebhookEvents(hook, ['client.changed', 'client.deleted'], at + 2)
    assert.deepEqual(idsOf(await claim(hook, at + 2)), [wanted.id])
  })

  test('of many nodes at once each event is queued once, and claimed by one', async () => {
    const at = newTime()
    const hook = next('hook')
    await store().queueWebhookEvents(hook, null, at)
    const events = Array.from({ length: 20 }, () => eventAt(at + 1))
    await append(...events)
    const queued = await together(6, () => store().queueWebhookEvents(hook, null, at + 2))
    assert.equal(
      queued.reduce((sum, one) => sum + one, 0),
      20,
    )
    const claimed = (await together(6, () => claim(hook, at + 2, 5))).flat()
    const rest = await claim(hook, at + 2, 20)
    assert.deepEqual(idsOf([...claimed, ...rest]).toSorted(), events.map(({ id }) => id).toSorted())
  })

  test('a claim ends after its time, and then the earlier one counts no more', async () => {
    const at = newTime()
    const hook = next('hook')
    await store().queueWebhookEvents(hook, null, at)
    await append(eventAt(at + 1))
    await store().queueWebhookEvents(hook, null, at + 2)
    const [first = assert.fail()] = await claim(hook, at + 2)
    assert.deepEqual(await claim(hook, at + 61), [])
    const [second = assert.fail()] = await claim(hook, at + 62)
    assert.equal(second.tries, 2)
    assert.equal(await finish(first), false)
    const { event, tries } = second
    const claimed = { webhook: hook, tries, eventId: event.id }
    assert.equal(await store().postponeWebhookDelivery(claimed, at + 500), true)
    assert.deepEqual(await claim(hook, at + 499), [])
    const waiting = (await store().listWebhookQueues()).find(({ webhook }) => webhook === hook)
    assert.deepEqual(waiting, { webhook: hook, waiting: 1, oldestAt: at + 2 })
    const [third = assert.fail()] = await claim(hook, at + 500)
    assert.equal(await finish(third), true)
    assert.equal(await finish(third), false)
  })

  test('events go in pieces, and none is left out', async () => {
    const at = newTime()
    const hook = next('hook')
    await store().queueWebhookEvents(hook, null, at)
    const { queuedTogether } = webhookLimits
    await append(...Array.from({ length: queuedTogether + 3 }, () => eventAt(at + 1)))
    assert.equal(await store().queueWebhookEvents(hook, null, at + 2), queuedTogether)
    assert.equal(await store().queueWebhookEvents(hook, null, at + 1000), 3)
    assert.equal(await store().queueWebhookEvents(hook, null, at + 1000), 0)
  })
}
