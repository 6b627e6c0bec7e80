/** The store contract for searches: by the beginning of a text, page by page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../src/model/client.ts'
import type { Event } from '../../../src/model/event.ts'
import { type ClientId, type EventId, getFirstId, type OwnerId } from '../../../src/model/ids.ts'
import type { Owner } from '../../../src/model/owner.ts'
import type { ClientFilter } from '../../../src/store/contract/client.ts'
import type { EventFilter, EventOrder } from '../../../src/store/contract/event.ts'
import type { OwnerFilter } from '../../../src/store/contract/owner.ts'
import type { Page } from '../../../src/store/contract/trace.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, trace } from '../moments.ts'
import { sampleClient, sampleEvent, sampleOwner, sampleSession } from '../sample.ts'

export const searchContract = (store: () => Store): void => {
  /** All that a filter finds, in pages of two. Pages that examine rows may be short. */
  const pagesOf = async <Row>(
    list: (after: string | null) => Promise<Page<Row>>,
  ): Promise<readonly Row[]> => {
    const found: Row[] = []
    let after: string | null = null
    do {
      const page = await list(after)
      found.push(...page.rows)
      after = page.next
    } while (after !== null)
    return found
  }
  const owners = (filter: OwnerFilter) => pagesOf((after) => store().listOwnersBy(filter, after, 2))
  const clients = (filter: ClientFilter) =>
    pagesOf((after) => store().listClientsBy(filter, after, 2))

  const word = () =>
    next('o')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')

  const addOwner = async (about: Partial<Owner>): Promise<Owner> => {
    const owner = sampleOwner({ email: '', ...about })
    assert.equal(await store().createOwner(owner, trace()), 'created')
    return owner
  }

  test('owners are found by words of name, username and address, in the order of usernames', async () => {
    const [own, user] = [word(), word()]
    const c = await addOwner({ username: `${user}.C`, name: `Ada ${own.toUpperCase()}\u00e9` })
    const b = await addOwner({ username: `${user}.b`, email: `x@${own}.example.org`, name: 'Ádá' })
    const a = await addOwner({ username: `${user}.a`, name: `${own} ${own}` })
    const x = await addOwner({ username: `x${own}`, name: '*' })
    assert.deepEqual(await owners({ search: own }), [a, b, c])
    assert.deepEqual(await owners({ search: `  ${own}É, ADA ` }), [c])
    assert.deepEqual(await owners({ search: `ad ${own}` }), [b, c])
    assert.deepEqual(await owners({ search: `@${own}.example` }), [b])
    assert.deepEqual(await owners({ search: `${user}.b` }), [b])
    assert.deepEqual(await owners({ search: `x${own}` }), [x])
    for (const search of ['', '*', ' ', '%', own.slice(1), `ada ${user} none`]) {
      assert.deepEqual(await owners({ search }), [], search)
    }
    assert.deepEqual(await owners({ search: `${own}_` }), [a, b, c])
  })

  test('words follow each change of an owner, and go with the owner', async () => {
    const [former, later] = [word(), word()]
    const { id } = await addOwner({ name: former, email: `${former}@example.com` })
    const find = async (search: string) => (await owners({ search })).map((one) => one.id)
    await store().changeOwner(id, { name: later }, trace())
    assert.deepEqual([await find(former), await find(later)], [[id], [id]])
    await store().changeOwner(id, { email: '' }, trace())
    assert.deepEqual([await find(former), await find(later)], [[], [id]])
    // The name that it has is written too, within the same second: no words may be of another one.
    const names = [word(), later, word()]
    await Promise.all(names.map((name) => store().changeOwner(id, { name }, trace())))
    const { name } = (await store().findOwner(id)) ?? assert.fail()
    for (const one of new Set(names)) assert.deepEqual(await find(one), one === name ? [id] : [])
    const [raced] = await Promise.all([
      store().changeOwner(id, { name: later }, trace()),
      store().deleteOwner(id, trace()),
    ])
    assert.ok(raced === null || (raced !== 'address_taken' && raced.name === later))
    for (const one of [later, ...names]) assert.deepEqual(await find(one), [])
    await addOwner({ name: later })
    assert.equal((await find(later)).length, 1)
  })

  test('whose username or address is the search comes first, once, on pages of any size', async () => {
    const [own, common] = [word(), word()]
    const address = `${own}@${common}.example`
    const others: Owner[] = []
    for (const i of [0, 1, 2]) {
      others.push(
        await addOwner({
          username: `a${own}${i}`,
          name: own,
          email: `${own}@${common}.example.org`,
          emailVerified: false,
        }),
      )
    }
    const named = await addOwner({ username: address.toUpperCase() })
    const mailed = [
      await addOwner({ email: address }),
      await addOwner({ email: address.toUpperCase(), emailVerified: false }),
    ]
    const byId = mailed.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const pageOf = (after: string | null, limit: number) =>
      store().listOwnersBy({ search: ` ${address} ` }, after, limit)
    for (const limit of [1, 2, 3, 50]) {
      const found = await pagesOf((after) => pageOf(after, limit))
      assert.deepEqual(found.slice(0, 3), [named, ...byId], `${limit}`)
      assert.deepEqual(
        found.slice(3).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        others.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      )
    }
    const first = await pageOf(null, 1)
    const second = await pageOf(first.next, 50)
    assert.deepEqual([...first.rows, ...second.rows].length, 6)
    assert.deepEqual(await owners({ search: address, role: own }), [])
    const client = sampleClient({ id: `z-${own}` as ClientId, name: 'Z' })
    const longer = sampleClient({ id: `z-${own}-0` as ClientId, name: `${own} ${own}` })
    for (const one of [longer, client]) await store().createClient(one, trace())
    assert.deepEqual(await clients({ search: client.id }), [client, longer])
  })

  test('a cursor of another list is told apart from the end', async () => {
    const own = word()
    await addOwner({ username: own })
    const foreign = { rows: [], next: null, isForeign: true }
    for (const after of [own, `other\n${own}\nid`, '@x\ny', '!', '!100', '@5\ny']) {
      assert.deepEqual(await store().listOwnersBy({ search: own }, after, 5), foreign, after)
    }
    assert.deepEqual(await store().listClientsBy({ usedSince: 5 }, own, 5), foreign)
  })

  test('owners are found by role, state and last login', async () => {
    const [role, own] = [word(), word()]
    const given = [[role], [role, `${role}_x`], [`${role}x`], [`${role}_x`], []]
    const made: Owner[] = []
    for (const [i, roles] of given.entries()) {
      made.push(await addOwner({ roles, username: `${own}-${i}`, disabled: i === 1 }))
    }
    const [one, both, , other, none] = made
    assert.deepEqual(await owners({ role }), [one, both])
    assert.deepEqual(await owners({ role: `${role}_x` }), [both, other])
    assert.deepEqual(await owners({ role: 'any', search: own }), made.slice(0, 4))
    assert.deepEqual(await owners({ role, state: 'disabled' }), [both])
    assert.deepEqual(await owners({ search: own, state: 'enabled', role }), [one])
    assert.deepEqual(await owners({ search: own, state: 'leaving' }), [])
    const changed = await store().changeOwner(none?.id as OwnerId, { roles: [role] }, trace())
    assert.deepEqual(await owners({ role }), [one, both, changed])
    const session = sampleSession(one?.id as OwnerId)
    const login = { passwordHash: one?.passwordHash ?? '' }
    const at = 5_000_000
    assert.equal(await store().startSession(session, login, null, trace(at), 'known'), 'accepted')
    assert.deepEqual(await owners({ search: own, loginSince: at }), [one])
    assert.deepEqual(await owners({ search: own, loginSince: at + 1 }), [])
    assert.deepEqual(await owners({ loginSince: at, loginBefore: at + 1 }), [one])
    assert.equal((await owners({ search: own, loginBefore: at })).length, 4)
    for (const [seconds, seen] of [
      [3600, at],
      [3601, at + 3601],
    ] as const) {
      const again = sampleSession(one?.id as OwnerId)
      await store().startSession(again, login, null, trace(at + seconds), 'known')
      assert.deepEqual(await owners({ search: own, loginSince: seen }), [one])
      assert.deepEqual(await owners({ search: own, loginSince: seen + 1 }), [])
    }
    assert.deepEqual(await owners({ search: own, loginBefore: at, role, state: 'disabled' }), [
      both,
    ])
    assert.equal(await store().noteOwnerWords({ most: 10, skip: 0 }), 0)
  })

  test('clients are found by words of name and client_id, by origin, kind, state and last use', async () => {
    const own = word()
    const idOf = (text: string) => `${text}-${own}` as ClientId
    const add = async (about: Partial<Client>) => {
      const client = sampleClient(about)
      assert.equal(await store().createClient(client, trace()), 'created')
      return client
    }
    const a = await add({ id: idOf('a'), name: `Foto ${own}`, registeredBy: 'operator' })
    const open = { authenticationMethod: 'none', secretDigest: null } as const
    const b = await add({ id: idOf('b'), name: 'F\u00f6to', registeredBy: 'itself', ...open })
    assert.deepEqual(await clients({ search: own }), [a, b])
    assert.deepEqual(await clients({ search: `foto ${own}` }), [a, b])
    assert.deepEqual(await clients({ search: b.id }), [b])
    assert.deepEqual(await clients({ search: own, broughtBy: 'itself' }), [b])
    assert.deepEqual(await clients({ search: own, broughtBy: 'document' }), [])
    assert.deepEqual(await clients({ search: own, kind: 'secret' }), [a])
    assert.deepEqual(await clients({ search: own, kind: 'public' }), [b])
    const changed = await store().changeClient(
      a.id,
      { name: 'Maps', disabled: true, newSalt: 'x' },
      trace(),
    )
    assert.deepEqual(await clients({ search: `foto ${own}` }), [b])
    assert.deepEqual(await clients({ search: own, disabled: true }), [changed])
    assert.deepEqual(await clients({ search: own, disabled: false }), [b])
    const at = 6_000_000
    const count = { kind: 'acts', clientId: b.id, name: 'token', count: 1 } as const
    const others = { ...count, clientId: a.id, name: 'refused bad_secret' }
    for (const [turn, when] of [at, at - 5000, at + 9].entries()) {
      const batch = { collector: own, turn: turn + 1, at: when, counts: [count, others] }
      await store().addCounts(batch)
    }
    assert.deepEqual(await clients({ search: own, usedSince: at }), [b])
    assert.deepEqual(await clients({ search: own, usedSince: at + 1 }), [])
    assert.ok((await clients({ usedSince: at })).some(({ id }) => id === b.id))
    assert.deepEqual(await clients({ search: own, usedBefore: at }), [changed])
    await Promise.all([
      store().changeClient(a.id, { name: 'Late', newSalt: 'y' }, trace()),
      store().deleteClient(a.id, trace()),
    ])
    assert.deepEqual(await clients({ search: own }), [b])
    assert.equal(await store().noteClientWords({ most: 10, skip: 0 }), 0)
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
