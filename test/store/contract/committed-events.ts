/** The store contract for readers of events: each event comes once, in the order of the writing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../src/model/event.ts'
import { type ClientId, getFirstId, type OwnerId } from '../../../src/model/ids.ts'
import type { EventFilter } from '../../../src/store/contract/event.ts'
import { examinedPerRow } from '../../../src/store/sql/filter.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, raceRounds, together, trace } from '../moments.ts'
import { settleFamily } from '../settle.ts'
import { eventAt } from './webhooks.ts'

export const committedEventContract = (store: () => Store): void => {
  const about = (ownerId: OwnerId, more: Partial<Event> = {}): Event => ({
    ...eventAt(2_400_000_000),
    ownerId,
    ...more,
  })
  const pageFrom = async (after: string | null, of: EventFilter = {}, limit = 100) => {
    const page = await store().listCommittedEvents(of, after, limit)
    if (page === 'unknown_position') assert.fail(page)
    return page
  }
  const position = async (): Promise<string> => (await pageFrom(null)).next

  test('events come as they were written, however old their ids are', async () => {
    const owner = next('owner') as OwnerId
    const [of, begin] = [{ ownerId: owner }, await position()]
    const events = [2_400_000_500, 2_400_000_000, 2_400_000_900].map((at) => ({
      ...eventAt(at),
      ownerId: owner,
    }))
    for (const event of events) await store().appendEvent(event)
    const all = await pageFrom(begin, of)
    assert.deepEqual(all.rows, events)
    assert.deepEqual((await pageFrom(all.next, of)).rows, [])
    const late = { ...eventAt(1_000_000_000), ownerId: owner }
    await store().appendEvent(late)
    assert.deepEqual((await pageFrom(all.next, of)).rows, [late])
  })

  test('what a step tells of an authorization comes to readers, too', async () => {
    const { owner, familyId } = await settleFamily(store())
    const begin = await position()
    assert.equal(await store().endFamily(familyId, trace()), true)
    const { rows } = await pageFrom(begin, { ownerId: owner.id })
    assert.deepEqual(
      rows.map(({ type }) => type),
      ['family.revoked'],
    )
  })

  test('in pages of any size, each event comes once', async () => {
    const owner = next('owner') as OwnerId
    const begin = await position()
    const events = Array.from({ length: 25 }, () => about(owner))
    await together(25, (i) => store().appendEvent(events[i] ?? assert.fail()))
    const ids: string[] = []
    let after = begin
    for (let pages = 0; pages < 40; pages++) {
      const page = await pageFrom(after, { ownerId: owner }, 3)
      ids.push(...page.rows.map(({ id }) => id))
      after = page.next
    }
    assert.deepEqual(ids.toSorted(), events.map(({ id }) => id).toSorted())
  })

  test('the filters of the other lists hold here', async () => {
    const [ownerId, clientId] = [next('owner') as OwnerId, next('client') as ClientId]
    const begin = await position()
    const event = about(ownerId, {
      clientId,
      actor: { type: 'owner', ownerId, network: '127.0.0.*' },
    })
    await store().appendEvent(event)
    const { type, at } = event
    for (const [of, found] of [
      [{ ownerId, clientId, type, since: at, until: at + 1 }, [event]],
      [{ ownerId, actor: { type: 'owner', id: null } }, [event]],
      [{ ownerId, actor: { type: 'client', id: null } }, []],
      [{ ownerId, until: at }, []],
      [{ ownerId, type: 'client.changed' }, []],
    ] as const) {
      assert.deepEqual((await pageFrom(begin, of)).rows, found)
    }
  })

  test('a page with a filter examines so many events only, and says how far it came', async () => {
    const owner = next('owner') as OwnerId
    const begin = await position()
    const others = examinedPerRow
    await together(others, () => store().appendEvent(about(next('other') as OwnerId)))
    const event = about(owner)
    await store().appendEvent(event)
    const first = await pageFrom(begin, { ownerId: owner }, 1)
    assert.deepEqual(first.rows, [])
    const second = await pageFrom(first.next, { ownerId: owner }, 1)
    assert.deepEqual(second.rows, [event])
  })

  test('of nodes that seal a segment at once, one does', async () => {
    const until = getFirstId(2_400_000_000_000)
    const seals = Array.from({ length: raceRounds }, (_, i) => ({
      ...{ number: 7, until, late: i, statement: `statement ${i}`, entries: '[]', position: '' },
    }))
    const added = await together(raceRounds, (i) => store().addSeal(seals[i] ?? assert.fail()))
    const index = added.indexOf(true)
    assert.equal(added.filter(Boolean).length, 1)
    assert.deepEqual(await store().listSeals(6, 2), [seals[index]])
    assert.deepEqual(await store().listSeals(0, 2, 'late'), index === 0 ? [] : [seals[index]])
    assert.deepEqual(await store().findSealOf(until), seals[index])
    assert.equal(await store().findSealOf(`${until}0`), null)
    const { entries: _, ...last } = seals[index] ?? assert.fail()
    assert.deepEqual(await store().findLastSeal(), last)
  })

  test('a position that the database has not reached is unknown', async () => {
    for (const after of ['999999999999999', 'first', '']) {
      assert.equal(await store().listCommittedEvents({}, after, 10), 'unknown_position')
      const late = await store().listLateEvents(after, '~', 10)
      assert.deepEqual([late.rows, (await position()) === late.position], [[], true])
    }
  })
}
