/** The store contract for clients that strangers register: how many, and for how long. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../../../src/model/actor.ts'
import type { Digest, ItemId, OwnerId } from '../../../src/model/ids.ts'
import type { RegisterOutcome, RegistrationQuota } from '../../../src/store/contract/client.ts'
import { storeLimits } from '../../../src/store/limits.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Open } from '../contract.ts'
import { giveWay, next, nextOwned, start, together, trace } from '../moments.ts'
import { sampleApproval, sampleClient, sampleOwner } from '../sample.ts'
import { approveIn, told } from '../settle.ts'

const window = storeLimits.registrationWindowSeconds
const day = storeLimits.neverUsedSeconds
const service: Actor = { type: 'service' }

interface Bounds {
  readonly network?: string | null
  readonly mostOfNetwork?: number
  readonly mostHeld?: number
  readonly mostInTotal?: number
}

const quota = ({
  network = '203.0.113.0/24',
  mostOfNetwork = 3,
  mostHeld = 100,
  mostInTotal = 5,
}: Bounds = {}): RegistrationQuota => ({
  perWindow: network === null ? [] : [{ network, most: mostOfNetwork }],
  share: network === null ? null : { network, most: mostHeld },
  mostInTotal,
})

const registrationDigest = 'digest-of-the-token' as Digest

const newcomer = () => sampleClient({ registeredBy: 'itself', registrationDigest })

const register = async (store: Store, of: Bounds = {}, at = start) => {
  const client = newcomer()
  const registered = await store.registerClient(client, quota(of), trace(at))
  return { client, registered }
}

const tally = (registered: readonly RegisterOutcome[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { outcome } of registered) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** As housekeeping does it. */
const removeIdle = async (store: Store, at: number): Promise<readonly string[]> => {
  const outcomes: string[] = []
  for (const id of await store.listDueRegistrations(at, 100)) {
    outcomes.push(await store.removeIdleClient(id, { ...trace(at), actor: service }))
  }
  return outcomes
}

export const registrationContract = (open: Open): void => {
  test('a client that a stranger registers is one like any other', async () => {
    const { store, dispose } = await open()
    const { client, registered } = await register(store)
    assert.deepEqual(registered, { outcome: 'created' })
    assert.deepEqual(await store.findClient(client.id), client)
    assert.deepEqual(await told(store, { clientId: client.id }), ['client.registered'])
    const again = await store.registerClient(client, quota(), trace())
    assert.deepEqual(again, { outcome: 'taken' })
    await dispose()
  })

  test('of many at once, so many of a network are created in the window of the first', async () => {
    const { store, dispose } = await open()
    const at = (of: Bounds, moment: number) =>
      together(10, async () => (await register(store, of, moment)).registered)
    const first = await at({ mostInTotal: 100 }, start)
    assert.deepEqual(tally(first), { created: 3, too_many_of_network: 7 })
    const refused = first.find(({ outcome }) => outcome === 'too_many_of_network')
    assert.deepEqual(refused, {
      outcome: 'too_many_of_network',
      most: 3,
      until: start + window,
    })
    const other = await at({ mostInTotal: 100, network: '2001:db8:0:1::/64' }, start + 1)
    assert.deepEqual(tally(other), { created: 3, too_many_of_network: 7 })
    const late = await at({ mostInTotal: 100 }, start + window - 1)
    assert.deepEqual(tally(late), { too_many_of_network: 10 })
    const next = await at({ mostInTotal: 100 }, start + window)
    assert.deepEqual(tally(next), { created: 3, too_many_of_network: 7 })
    await dispose()
  })

  test('and so many in total; what is refused is not counted for its network', async () => {
    const { store, dispose } = await open()
    const unlimited = { network: null, mostOfNetwork: 1 }
    const all = await together(20, async () => (await register(store, unlimited)).registered)
    assert.deepEqual(tally(all), { created: 5, too_many: 15 })
    for (let i = 0; i < 4; i++) {
      assert.deepEqual((await register(store)).registered, { outcome: 'too_many' })
    }
    const more = { mostInTotal: 6 }
    assert.deepEqual((await register(store, more)).registered, { outcome: 'created' })
    await store.createClient(newcomer(), trace())
    assert.deepEqual((await register(store, { mostInTotal: 7 })).registered, { outcome: 'created' })
    await dispose()
  })

  test('one that nobody used goes after a day, with all that is known of it', async () => {
    const opened = await open()
    const { client } = await register(opened.store)
    const holder = `client:${client.id}` as const
    const item = { holder, resource: 'photos', id: 'a' as ItemId, fields: {}, version: '1' }
    await opened.store.putItem({ ...item, condition: {}, createOnly: true, mostItems: 9 })
    await opened.store.changeClient(client.id, { disabled: true, newSalt: 'salt' }, trace())
    assert.deepEqual(await removeIdle(opened.store, start + day - 1), [])
    const store = await opened.reopen()
    assert.notEqual(await store.findClient(client.id, 'disabled'), null)
    assert.deepEqual(await removeIdle(store, start + day), ['removed'])
    assert.equal(await store.findClient(client.id), null)
    assert.equal(await store.findItem(holder, 'photos', item.id), null)
    assert.deepEqual(await told(store, { clientId: client.id }), ['client.forgotten'])
    assert.deepEqual(await removeIdle(store, start + 9 * day), [])
    // Its place is free.
    const only = { network: null, mostInTotal: 1 }
    assert.deepEqual((await register(store, only)).registered, { outcome: 'created' })
    await opened.dispose()
  })

  test('one that was used goes 90 days after its last use', async () => {
    const { store, dispose } = await open()
    const { client } = await register(store)
    await store.noteClientUse(client.id, start + 100)
    await store.noteClientUse(client.id, start + 50)
    const end = start + 100 + storeLimits.unusedSeconds + storeLimits.clientUseSeconds
    assert.deepEqual(await removeIdle(store, start + day), ['kept'])
    assert.deepEqual(await removeIdle(store, start + 2 * day - 1), [])
    assert.deepEqual(await removeIdle(store, end - 1), ['kept'])
    assert.deepEqual(await removeIdle(store, end - 1 + day), ['removed'])
    assert.equal(await store.findClient(client.id), null)
    await dispose()
  })

  test('one with an authorization stays, also while its owner may look back at it; then its owner’s events stay', async () => {
    const { store, dispose } = await open()
    const { client } = await register(store)
    const owner = sampleOwner()
    await store.createOwner(owner, trace())
    const approval = sampleApproval({ client, owner })
    await approveIn(store, approval, trace())
    const years = start + 3 * 365 * day
    assert.deepEqual(await removeIdle(store, years), ['kept'])
    await store.endAuthorization(approval.id, owner.id, trace(years))
    const lookedBack = years + storeLimits.useDays * 86_400
    assert.deepEqual(await removeIdle(store, lookedBack - 1), ['kept'])
    assert.notEqual(await store.findClient(client.id), null)
    await store.purge(lookedBack, { events: 0, accessLog: 0 }, 100)
    const end = years + storeLimits.unusedSeconds
    assert.deepEqual(await removeIdle(store, end - 2), ['kept'])
    assert.deepEqual(await removeIdle(store, end - 2 + day), ['removed'])
    assert.equal(await store.findClient(client.id), null)
    const types = await told(store, { clientId: client.id })
    assert.deepEqual([types[0], types.at(-1)], ['client.registered', 'client.deleted'])
    assert.ok(types.includes('authorization.approved'))
    await dispose()
  })

  test('of a removal and an approval at once one comes first: no approval is lost', async () => {
    const { store, dispose } = await open()
    const owner = sampleOwner()
    await store.createOwner(owner, trace())
    for (let round = 0; round < 10; round++) {
      const { client } = await register(store, { network: null, mostInTotal: 1000 })
      const approval = sampleApproval({ client, owner })
      const at = trace(start + day)
      const approve = async () => {
        await giveWay(round % 10)
        return store.approve(approval, at)
      }
      const [removed, approved] = await Promise.all([
        store.removeIdleClient(client.id, trace(start + day)),
        approve(),
      ])
      const isApproved = approved.outcome === 'approved'
      assert.deepEqual(
        [removed, approved.outcome],
        isApproved ? ['kept', 'approved'] : ['removed', 'impossible'],
      )
      const found = await store.findAuthorization(approval.id, start + day)
      assert.equal(found !== null, isApproved)
    }
    await dispose()
  })

  test('one that the operator registered or invited is not looked at', async () => {
    const { store, dispose } = await open()
    const client = newcomer()
    await store.createClient(client, trace())
    await store.noteClientUse(client.id, start)
    assert.deepEqual(await removeIdle(store, start + 1000 * day), [])
    const kept = await store.removeIdleClient(client.id, trace(start + 1000 * day))
    assert.equal(kept, 'kept')
    assert.deepEqual(await store.findClient(client.id), client)
    await dispose()
  })

  test('whoever deletes what they registered takes the place for a day; the operator frees it at once', async () => {
    const { store, dispose } = await open()
    const only = { network: null, mostInTotal: 1 }
    const { client } = await register(store, only)
    await store.noteClientUse(client.id, start)
    const itself: Actor = { type: 'client', clientId: client.id, network: '203.0.113.*' }
    const by = { ...trace(), actor: itself }
    assert.equal(await store.deleteOwnClient(client.id, 'another' as Digest, by), false)
    assert.equal(await store.deleteOwnClient(client.id, registrationDigest, by), true)
    assert.deepEqual((await register(store, only)).registered, { outcome: 'too_many' })
    assert.deepEqual(await removeIdle(store, start + day), ['removed'])
    assert.deepEqual(await told(store, { clientId: client.id }), ['client.forgotten'])

    const next = await register(store, only)
    assert.deepEqual(next.registered, { outcome: 'created' })
    const operator: Actor = { ...itself, type: 'operator', tokenId: 'token' }
    assert.equal(await store.deleteClient(next.client.id, { ...trace(), actor: operator }), true)
    assert.deepEqual(await told(store, { clientId: next.client.id }), [
      'client.registered',
      'client.deleted',
    ])
    assert.deepEqual((await register(store, only)).registered, { outcome: 'created' })
    await dispose()
  })

  test('of a wider network fewer are created than its parts may register; a refusal counts nowhere', async () => {
    const { store, dispose } = await open()
    const from = async (part: string, wide: string) => {
      const perWindow = [
        { network: part, most: 3 },
        { network: wide, most: 4 },
      ]
      const wanted = { perWindow, share: { network: wide, most: 6 }, mostInTotal: 100 }
      return store.registerClient(newcomer(), wanted, trace())
    }
    const many = (part: string, wide: string) =>
      Promise.all(Array.from({ length: 5 }, () => from(part, wide)))
    assert.deepEqual(tally(await many('a1', 'a')), { created: 3, too_many_of_network: 2 })
    assert.deepEqual(tally(await many('a2', 'a')), { created: 1, too_many_of_network: 4 })
    const refused = { outcome: 'too_many_of_network', most: 4, until: start + window }
    assert.deepEqual(await from('a2', 'a'), refused)
    // The part has two places left, which a wider network of its own shows.
    assert.deepEqual(tally(await many('a2', 'b')), { created: 2, too_many_of_network: 3 })
    await dispose()
  })

  test('a network holds so many that no owner approved; an approval, a purge or the operator frees its share', async () => {
    const { store, dispose } = await open()
    const owner = sampleOwner()
    await store.createOwner(owner, trace())
    const wanted = { mostOfNetwork: 100, mostHeld: 3, mostInTotal: 100 }
    const held = { outcome: 'too_many_held', most: 3 }
    const made = await together(10, () => register(store, wanted))
    const created = made.filter(({ registered }) => registered.outcome === 'created')
    assert.deepEqual(tally(made.map(({ registered }) => registered)), {
      created: 3,
      too_many_held: 7,
    })
    const [approved, used, idle] = created.map(({ client }) => client)
    assert.ok(approved && used && idle)
    const other = { ...wanted, network: '198.51.100.0/24' }
    assert.equal((await register(store, other)).registered.outcome, 'created')

    await approveIn(store, sampleApproval({ client: approved, owner }), trace())
    await store.noteClientUse(used.id, start)
    // An approved client leaves the share, an unused one goes; its own use keeps a client in it.
    assert.deepEqual((await removeIdle(store, start + day)).toSorted(), [
      'kept',
      'kept',
      'removed',
      'removed',
    ])
    const later = start + day
    const again = await together(10, () => register(store, wanted, later))
    assert.deepEqual(tally(again.map(({ registered }) => registered)), {
      created: 2,
      too_many_held: 8,
    })
    const operator: Actor = { type: 'operator', clientId: used.id, tokenId: 'token', network: '' }
    await store.deleteClient(used.id, { ...trace(later), actor: operator })
    await store.deleteClient(approved.id, { ...trace(later), actor: operator })
    assert.equal((await register(store, wanted, later)).registered.outcome, 'created')
    assert.deepEqual((await register(store, wanted, later)).registered, held)
    await dispose()
  })

  test('one of which the operator set a member is the operator’s: it stays unused, and its place is free', async () => {
    const { store, dispose } = await open()
    const only = { mostHeld: 1, mostInTotal: 1 }
    const { client } = await register(store, only)
    await store.changeClient(client.id, { name: 'Known', newSalt: 'salt' }, trace())
    assert.deepEqual(await removeIdle(store, start + day), ['kept'])
    assert.deepEqual(await removeIdle(store, start + 1000 * day), [])
    assert.equal((await store.findClient(client.id))?.name, 'Known')
    const next = await register(store, only, start + day)
    assert.deepEqual(next.registered, { outcome: 'created' })
    await dispose()
  })

  test('one that is postponed is not due until then', async () => {
    const { store, dispose } = await open()
    const { client } = await register(store)
    await store.postponeRegistration(client.id, start + day + 10)
    assert.deepEqual(await removeIdle(store, start + day + 9), [])
    assert.deepEqual(await removeIdle(store, start + day + 10), ['removed'])
    await dispose()
  })

  test('a reader of events misses nothing after one that went', async () => {
    const { store, dispose } = await open()
    for (let i = 0; i < 3; i++) await register(store)
    const before = await store.listCommittedEvents({}, null, 10)
    assert.ok(before !== 'unknown_position')
    assert.deepEqual(await removeIdle(store, start + day), ['removed', 'removed', 'removed'])
    const { client } = await register(store, {}, start + day)
    const page = await store.listCommittedEvents({}, before.next, 10)
    assert.ok(page !== 'unknown_position')
    // Of each that went, one event stays.
    const told = page.rows.map(({ type, clientId }) => [type, clientId === client.id])
    const gone = ['client.forgotten', false]
    assert.deepEqual(told, [gone, gone, gone, ['client.registered', true]])
    await dispose()
  })

  test('more items and events than one statement deletes go with their client', async () => {
    const { store, dispose } = await open()
    const { client } = await register(store)
    const holder = `client:${client.id}` as const
    const most = 2 * storeLimits.purgeRows
    const someone = next('owner') as OwnerId
    const tokens = Array.from({ length: most }, () => nextOwned<string>('token', someone))
    await together(most, async (i) => {
      const id = `item-${i}` as ItemId
      const item = { holder, resource: 'photos', id, fields: {}, version: '1' }
      await store.putItem({ ...item, condition: {}, createOnly: true, mostItems: most })
      const of = { clientId: client.id }
      const tokenId = tokens[i] ?? ''
      await store.endToken({ of, tokenId, expiresAt: start + 10 }, trace())
    })
    assert.equal((await store.countItems(holder)).get('photos'), most)
    assert.deepEqual(await removeIdle(store, start + day), ['removed'])
    assert.equal(await store.findClient(client.id, 'disabled'), null)
    while ((await store.removeDeleted(storeLimits.purgeRows, trace())) > 0);
    assert.deepEqual(await store.listItems(holder, 'photos', null, 9), { rows: [], next: null })
    assert.deepEqual(await store.countItems(holder), new Map())
    assert.deepEqual(await told(store, { clientId: client.id }), ['client.forgotten'])
    // The endings of tokens are purged with the tokens.
    const [ended = ''] = tokens
    assert.equal(await store.isTokenEnded(ended), true)
    const late = start + 10 + storeLimits.purgeAfterSeconds
    await store.purge(late, { events: 0, accessLog: 0 }, 2 * most)
    assert.equal(await store.isTokenEnded(ended), false)
    await dispose()
  })

  test('counts of networks are swept away when their window is over', async () => {
    const { store, dispose } = await open()
    await register(store)
    const purge = (at: number) => store.purge(at, { events: 0, accessLog: 0 }, 100)
    assert.equal(await purge(start + window - 1), 0)
    assert.equal(await purge(start + window), 1)
    const only = { network: null, mostInTotal: 1 }
    assert.deepEqual((await register(store, only)).registered, { outcome: 'too_many' })
    await dispose()
  })
}
