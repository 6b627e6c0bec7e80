/** The store contract for SCIM clients: what each may see and change, all or nothing, and races. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientId, GroupId, OwnerId } from '../../../src/model/ids.ts'
import type { Owner } from '../../../src/model/owner.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, raceRounds, together, trace } from '../moments.ts'
import { newSalt, sampleClient, sampleOwner } from '../sample.ts'

export const scimContract = (store: () => Store): void => {
  const addClient = async (): Promise<ClientId> => {
    const client = sampleClient({ scope: ['scim'] })
    await store().createClient(client, trace())
    return client.id
  }
  const create = (clientId: ClientId, change: Partial<Owner> = {}, externalId = '') => {
    const owner = sampleOwner(change)
    const created = store().createScimUser(clientId, owner, { externalId, formatted: '' }, trace())
    return created.then((outcome) => ({ id: owner.id, outcome }))
  }
  const find = async (clientId: ClientId, id: OwnerId) => {
    const user = await store().findScimUser(clientId, id)
    assert.ok(user)
    return user
  }
  const group = (name = next('Group')) => ({ id: next('group') as GroupId, name, externalId: '' })
  const createGroup = async (clientId: ClientId, members: readonly OwnerId[] = []) => {
    const made = await store().createScimGroup(clientId, group(), members, 100, trace())
    assert.ok(typeof made !== 'string', String(made))
    return made
  }
  const whole = { whole: true, notice: null }
  const parts = { ...whole, whole: false }
  const none = { replaces: false, add: [], remove: [] }
  const membersOf = async (clientId: ClientId, id: GroupId) =>
    (await store().listScimMemberships(clientId, { groups: [id] }, 10)).map((one) => one.ownerId)

  test('a SCIM client has users of its own, found by each index', async () => {
    const [client, other] = [await addClient(), await addClient()]
    const username = next('Scim')
    const email = `${username}@example.com`
    const { id, outcome } = await create(client, { username, email }, 'ext')
    assert.equal(outcome, 'created')
    assert.equal((await create(client, { username: username.toUpperCase() })).outcome, 'name_taken')
    assert.equal((await create(client, {}, 'ext')).outcome, 'external_taken')
    assert.equal((await create(other, {}, 'ext')).outcome, 'created')
    const confirmed = next('mail@x')
    await store().createOwner(sampleOwner({ email: confirmed, emailVerified: true }), trace())
    assert.equal((await create(client, { username: confirmed })).outcome, 'name_taken')
    const lookups = [
      ['id', id],
      ['externalId', 'ext'],
      ['name', username.toLowerCase()],
      ['email', email.toUpperCase()],
    ] as const
    for (const [by, value] of lookups) {
      const lookup = { by, value }
      const page = { lookup, offset: 0, limit: 9 }
      const ids = async (of: ClientId) =>
        (await store().listScimUsers(of, page)).map(({ owner }) => owner.id)
      assert.deepEqual(await ids(client), [id], by)
      assert.equal((await ids(other)).includes(id), false)
    }
    assert.equal(await store().countScimUsers(client), 1)
    assert.equal(await store().findScimUser(other, id), null)
    const seen = await find(client, id)
    const theirs = await store().changeScimUser(other, seen, { disabled: true }, whole, trace())
    assert.equal(theirs, 'gone')
    assert.equal(await store().deleteScimUser(other, id, null, trace()), 'gone')
    const change = { username: next('new'), disabled: true, externalId: 'new' }
    const changed = await store().changeScimUser(client, seen, change, whole, trace())
    assert.ok(typeof changed !== 'string')
    assert.deepEqual(await find(client, id), changed)
    assert.deepEqual([changed.owner.username, changed.owner.disabled], [change.username, true])
    assert.equal((await store().findOwnerByName(change.username, 'disabled'))?.id, id)
    const again = await store().changeScimUser(client, seen, { name: 'x' }, whole, trace())
    assert.equal(again, 'changed_meanwhile')
    assert.equal(await store().deleteScimUser(client, id, seen, trace()), 'changed_meanwhile')
    assert.equal(await store().deleteScimUser(client, id, null, trace()), 'deleted')
    assert.equal((await create(client, {}, 'new')).outcome, 'created')
  })

  test('a SCIM client enables whom it disabled alone, and stays while it keeps people', async () => {
    const client = await addClient()
    const { id } = await create(client, { email: next('a@x'), emailVerified: true })
    const change = async (by: Partial<Owner>, how = parts) => {
      const done = await store().changeScimUser(client, await find(client, id), by, how, trace())
      return typeof done === 'string' ? done : done.owner.disabled
    }
    assert.equal(await change({ disabled: true }), true)
    assert.equal(await change({ name: 'x' }), true)
    assert.equal(await change({ disabled: false }), false)
    await store().changeOwner(id, { disabled: true }, trace())
    assert.equal(await change({ disabled: false }), 'protected')
    assert.equal(await change({ name: 'y' }), true)
    assert.equal(await change({ disabled: false }), 'protected')
    const seen = await find(client, id)
    await store().changeOwner(id, { name: 'z' }, trace())
    const other = { externalId: 'e' }
    const late = await store().changeScimUser(client, seen, other, whole, trace())
    assert.equal(late, 'changed_meanwhile')
    const done = await store().changeScimUser(client, seen, other, parts, trace())
    assert.ok(typeof done !== 'string')
    assert.deepEqual([done.owner.name, done.externalId], ['z', 'e'])
    assert.deepEqual(
      [await store().isKeptOwner(id), await store().isKeepingOwners(client)],
      [true, true],
    )
    const taken = await create(client, { username: done.owner.email.toUpperCase() })
    assert.equal(taken.outcome, 'name_taken')
    assert.equal(await store().deleteClient(client, trace()), false)
    assert.equal(await store().deleteScimUser(client, id, null, trace()), 'deleted')
    assert.equal(await store().isKeptOwner(id), false)
    for (let round = 0; round < raceRounds; round++) {
      const raced = await addClient()
      const [made, deleted] = await Promise.all([
        create(raced),
        store().deleteClient(raced, trace()),
      ])
      assert.deepEqual(made.outcome, deleted ? 'lost' : 'created')
    }
  })

  test('a SCIM client changes nobody with a role of the console, and nothing once it lost its permission', async () => {
    const client = await addClient()
    const [{ id }, plain] = [await create(client), await create(client)]
    const own = await createGroup(client, [id])
    await store().changeOwner(id, { roles: ['operator'] }, trace())
    const seen = await find(client, id)
    assert.equal(
      await store().changeScimUser(client, seen, { disabled: true }, whole, trace()),
      'protected',
    )
    assert.equal(await store().deleteScimUser(client, id, null, trace()), 'protected')
    assert.equal(await store().deleteScimGroup(client, own.id, null, trace()), 'protected')
    const changes = [
      { replaces: true, add: [plain.id], remove: [] },
      { replaces: false, add: [], remove: [id] },
    ]
    for (const members of changes) {
      assert.equal(
        await store().changeScimGroup(client, own.id, own, { members }, trace()),
        'protected',
      )
    }
    const into = await store().createScimGroup(client, group(), [id], 100, trace())
    assert.equal(into, 'protected')
    assert.deepEqual(await membersOf(client, own.id), [id])
    await store().changeClient(client, { scope: [], newSalt }, trace())
    assert.equal((await create(client)).outcome, 'lost')
    assert.equal(await store().deleteScimUser(client, plain.id, null, trace()), 'lost')
    assert.equal(await store().deleteScimGroup(client, own.id, null, trace()), 'lost')
  })

  test('a group of a SCIM client takes its users alone, and no name that a client has', async () => {
    const [client, other] = [await addClient(), await addClient()]
    const [a, b, theirs] = [await create(client), await create(client), await create(other)]
    const own = await createGroup(client, [a.id])
    assert.equal(await store().findScimGroup(other, own.id), null)
    const add = (...ids: readonly OwnerId[]) => ({ ...none, add: ids })
    const foreign = { name: next('x'), members: add(b.id, theirs.id) }
    assert.equal(
      await store().changeScimGroup(client, own.id, own, foreign, trace()),
      'unknown_member',
    )
    const named = next('Named')
    const identity = { allowed_groups: [named] }
    await store().createClient(sampleClient({ identity }), trace())
    assert.equal(
      await store().createScimGroup(client, group(named), [], 100, trace()),
      'name_in_use',
    )
    const rename = { name: named, members: add(b.id) }
    assert.equal(await store().changeScimGroup(client, own.id, own, rename, trace()), 'name_in_use')
    assert.equal(await store().createScimGroup(client, group(), [], 1, trace()), 'too_many')
    assert.deepEqual(await store().findScimGroup(client, own.id), own)
    const all = { name: next('New'), externalId: 'e', members: { ...add(b.id), replaces: true } }
    const changed = await store().changeScimGroup(client, own.id, own, all, trace())
    assert.ok(typeof changed !== 'string', String(changed))
    assert.deepEqual([changed.name, changed.externalId], [all.name, 'e'])
    assert.ok(changed.revision > own.revision)
    assert.deepEqual(await membersOf(client, own.id), [b.id])
    const late = { members: none }
    assert.equal(
      await store().changeScimGroup(client, own.id, own, late, trace()),
      'changed_meanwhile',
    )
    await store().deleteScimUser(client, b.id, null, trace())
    const left = await store().findScimGroup(client, own.id)
    assert.equal(left?.revision, changed.revision + 1)
    assert.equal(
      await store().deleteScimGroup(client, own.id, changed, trace()),
      'changed_meanwhile',
    )
    assert.equal(await store().deleteScimGroup(client, own.id, left, trace()), 'deleted')
  })

  test('of SCIM requests at once, one takes a name, an external id, and each version', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const client = await addClient()
      const username = next('raced')
      const named = await together(4, () => create(client, { username }))
      assert.equal(named.filter(({ outcome }) => outcome === 'created').length, 1)
      const external = await together(4, () => create(client, {}, 'raced'))
      assert.equal(external.filter(({ outcome }) => outcome === 'created').length, 1)
      const { id = '' as OwnerId } = named.find(({ outcome }) => outcome === 'created') ?? {}
      const seen = await find(client, id)
      const changed = await together(4, (i) =>
        store().changeScimUser(client, seen, { name: `name ${i}` }, whole, trace()),
      )
      assert.equal(changed.filter((one) => typeof one !== 'string').length, 1)
      const own = await createGroup(client)
      const joined = await together(4, (i) =>
        store().changeScimGroup(
          client,
          own.id,
          own,
          { members: { ...none, replaces: i % 2 === 0, add: [id] } },
          trace(),
        ),
      )
      assert.equal(joined.filter((one) => typeof one !== 'string').length, 1)
    }
  })
}
