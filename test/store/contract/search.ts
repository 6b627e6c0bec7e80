/** The store contract for searches: by the beginning of a text, page by page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../src/model/event.ts'
import { type ClientId, type EventId, getFirstId, type OwnerId } from '../../../src/model/ids.ts'
import type { Owner } from '../../../src/model/owner.ts'
import type { EventFilter, EventOrder } from '../../../src/store/contract/event.ts'
import type { OwnerSearch } from '../../../src/store/contract/owner.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, trace } from '../moments.ts'
import { sampleClient, sampleEvent, sampleOwner } from '../sample.ts'

export const searchContract = (store: () => Store): void => {
  /** All that a search finds, in pages of two. */
  const pagesOf = async <Row>(
    list: (after: string | null) => Promise<{ rows: readonly Row[]; next: string | null }>,
  ): Promise<readonly Row[]> => {
    const found: Row[] = []
    let after: string | null = null
    do {
      const page = await list(after)
      assert.ok(page.rows.length === 2 || page.next === null)
      found.push(...page.rows)
      after = page.next
    } while (after !== null)
    return found
  }

  test('owners are found by the beginning of username, address or name', async () => {
    const word = next('Zoë').toLowerCase()
    const made = []
    for (const [i, end] of ['b', 'A', 'c', '', 'a'].entries()) {
      const owner = sampleOwner({
        username: `${word}${end}${i}`,
        email: `${word}${end}@example.com`,
        emailVerified: false,
        name: `${word}${end}`,
        disabled: i === 2,
      })
      await store().createOwner(owner, trace())
      made.push(owner)
    }
    await store().createOwner(sampleOwner({ username: `x${word}` }), trace())
    const find = (by: OwnerSearch['by'], prefix: string) =>
      pagesOf((after) => store().listOwnersBy({ by, prefix }, after, 2))
    const [b, upper, c, none, a] = made
    assert.deepEqual(await find('username', word.toUpperCase()), [none, upper, a, b, c])
    assert.deepEqual(await find('username', `${word}a`), [upper, a])
    // The name of two is the same but for its case, so the ids decide.
    assert.deepEqual(await find('name', word), [none, upper, a, b, c])
    assert.deepEqual(await find('email', `${word}A@`), [upper, a])
    assert.deepEqual(await find('email', `${word}z`), [])
  })

  test('owners are found by their role, and the others have none', async () => {
    const role = next('role')
      .toLowerCase()
      .replaceAll(/[^a-z]/g, '')
    const given = [[role], [role, `${role}_x`], [`${role}x`], [`${role}_x`], []]
    const made: Owner[] = []
    for (const roles of given) {
      const owner = sampleOwner({ roles })
      await store().createOwner(owner, trace())
      made.push(owner)
    }
    const [one, both, , other, none] = made
    const find = (wanted: string | null) =>
      pagesOf((after) => store().listOwnersWithRole(wanted, after, 2))
    assert.deepEqual(await find(role), [one, both])
    assert.deepEqual(await find(`${role}_x`), [both, other])
    const all = await find(null)
    const found = made.filter(({ id }) => all.some((owner) => owner.id === id))
    assert.deepEqual(found, made.slice(0, 4))
    const changed = await store().changeOwner(none?.id as OwnerId, { roles: [role] }, trace())
    assert.deepEqual(changed, { ...none, roles: [role] })
    assert.deepEqual(await find(role), [one, both, changed])
  })

  test('clients are found by the beginning of the name or the client_id', async () => {
    const word = next('Shop')
    const [two, one] = [
      sampleClient({ name: `${word} Two` }),
      sampleClient({ name: `${word} one` }),
    ]
    for (const client of [two, one, sampleClient({ name: `My ${word}` })]) {
      await store().createClient(client, trace())
    }
    const found = await pagesOf((after) =>
      store().listClientsBy({ by: 'name', prefix: word.toLowerCase() }, after, 2),
    )
    assert.deepEqual(
      found.map(({ id }) => id),
      [one.id, two.id],
    )
    const named = await pagesOf((after) =>
      store().listClientsBy({ by: 'client_id', prefix: two.id.slice(0, -1) }, after, 2),
    )
    assert.deepEqual(
      named.map(({ id }) => id),
      [two.id],
    )
  })
}

type Found = Awaited<ReturnType<Store['listEvents']>>

export const eventSearchContract = (store: () => Store): void => {
  /** Appends an event that an id and a time agree on. */
  const append = async (at: number, about: Partial<Event>): Promise<Event> => {
    const id = `${getFirstId(at * 1000)}${next('').slice(0, 8)}00000000` as EventId
    const event = sampleEvent({ id, at, ...about })
    await store().appendEvent(event)
    return event
  }
  const found = async (of: EventFilter, ...more: [EventOrder?]): Promise<readonly Event[]> => {
    const rows: Event[] = []
    let after: string | null = null
    do {
      const page: Found = await store().listEvents(of, after, 2, ...more)
      rows.push(...page.rows)
      after = page.next
    } while (after !== null)
    return rows
  }

  test('events are found by type, owner, client, time and all of these', async () => {
    const [ownerId, clientId] = [next('owner') as OwnerId, next('client') as ClientId]
    const one = await append(2_000_000, { ownerId, type: 'login.succeeded' })
    const two = await append(2_000_010, { ownerId, clientId })
    const three = await append(2_000_020, { clientId, type: 'login.succeeded' })
    const four = await append(2_000_030, { ownerId, clientId, type: 'login.succeeded' })
    const window = { since: 2_000_000, until: 2_000_031 }
    assert.deepEqual(await found(window), [four, three, two, one])
    assert.deepEqual(await found(window, 'oldest first'), [one, two, three, four])
    assert.deepEqual(await found({ since: 2_000_010, until: 2_000_030 }), [three, two])
    assert.deepEqual(await found({ ownerId, since: 2_000_001 }), [four, two])
    const type = 'login.succeeded'
    assert.deepEqual(await found({ type, ...window }), [four, three, one])
    assert.deepEqual(await found({ ownerId, clientId, type }), [four])
    assert.deepEqual(await found({ clientId, type }, 'oldest first'), [three, four])
  })

  test('events are found by the request that caused them', async () => {
    const requestId = next('request')
    const one = await append(4_000_000, { requestId })
    await append(4_000_001, {})
    const two = await append(4_000_002, { requestId, type: 'login.succeeded' })
    const of = { requestId, since: 4_000_000, until: 4_000_060 }
    assert.deepEqual(await found(of, 'oldest first'), [one, two])
    assert.deepEqual(await found({ ...of, since: 4_000_001 }), [two])
    assert.deepEqual(await found({ ...of, requestId: next('request') }), [])
  })

  test('events are found by who acted', async () => {
    const network = '203.0.113.*'
    const [ownerId, clientId] = [next('owner') as OwnerId, next('client') as ClientId]
    const [operator, user] = [next('operator') as ClientId, next('user')]
    const window = { since: 3_000_000, until: 3_000_010 }
    const by = (actor: Event['actor']) => append(3_000_000, { ownerId, clientId, actor })
    const acts = {
      operator: await by({ type: 'operator', clientId: operator, tokenId: 'token', network }),
      cli: await by({ type: 'cli', user }),
      owner: await by({ type: 'owner', ownerId, network }),
      client: await by({ type: 'client', clientId, network }),
      anyone: await by({ type: 'anyone', network }),
      service: await by({ type: 'service' }),
    }
    const ids = {
      operator: `client:${operator}`,
      cli: user,
      owner: ownerId,
      client: clientId,
      anyone: null,
      service: null,
    }
    for (const type of ['operator', 'cli', 'owner', 'client', 'anyone', 'service'] as const) {
      assert.deepEqual(await found({ actor: { type, id: null }, ...window }), [acts[type]], type)
      const id = ids[type]
      assert.deepEqual(await found({ actor: { type, id }, ...window }), [acts[type]], type)
      if (id === null) continue
      assert.deepEqual(await found({ actor: { type, id: `${id}x` } }), [], type)
    }
    const actor = { type: 'operator', id: `client:${operator}` } as const
    assert.deepEqual(await found({ actor, ownerId, clientId, type: 'login.failed' }), [
      acts.operator,
    ])
    assert.deepEqual(await found({ actor, type: 'login.succeeded' }), [])
  })

  test('events of an owner are found by several types, and by the acts of operators', async () => {
    const [ownerId, clientId] = [next('owner') as OwnerId, next('client') as ClientId]
    const network = '203.0.113.*'
    const one = await append(5_000_000, { ownerId, type: 'factor.added' })
    const two = await append(5_000_010, { ownerId, actor: { type: 'cli', user: next('user') } })
    const three = await append(5_000_020, { ownerId, type: 'login.succeeded' })
    const actor = { type: 'operator', clientId, tokenId: 'token', network } as const
    const four = await append(5_000_030, { ownerId, type: 'factor.removed', actor })
    await append(5_000_040, { type: 'factor.removed', actor })
    const types = ['factor.added', 'factor.removed'] as const
    for (const own of [{}, { ownChanges: true } as const]) {
      assert.deepEqual(await found({ ownerId, ...own, types }), [four, one])
      assert.deepEqual(await found({ ownerId, ...own, byOperator: true }), [four, two])
      assert.deepEqual(await found({ ownerId, ...own }), [four, three, two, one])
    }
    assert.deepEqual(await found({ ownerId, types, byOperator: true }), [four])
  })

  test('a page examines a limited number of events, and the next one goes on', async () => {
    const clientId = next('client') as ClientId
    const rare = await append(4_000_000, { clientId, type: 'client.deleted' })
    for (let i = 1; i <= 150; i++) await append(4_000_000 + i, { clientId })
    const of = { clientId, type: 'client.deleted' } as const
    const page = await store().listEvents(of, null, 1)
    assert.deepEqual(page.rows, [])
    assert.ok(page.next !== null)
    assert.deepEqual(await store().listEvents(of, page.next, 1), { rows: [rare], next: null })
  })
}
