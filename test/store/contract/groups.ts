/** The store contract for groups of owners: their members by source, races, and the clients that name them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupLimits } from '../../../src/model/group.ts'
import type { GroupId, OwnerId } from '../../../src/model/ids.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../moments.ts'
import { sampleClient, sampleOwner } from '../sample.ts'

export const groupContract = (store: () => Store): void => {
  const addOwner = async (): Promise<OwnerId> => {
    const owner = sampleOwner()
    assert.equal(await store().createOwner(owner, trace()), 'created')
    return owner.id
  }
  const addGroup = async (name = next('Group')) => {
    const id = next('group') as GroupId
    const outcome = await store().createGroup({ id, name }, groupLimits.groups, trace())
    return { id, name, outcome }
  }
  const namesOf = async (id: OwnerId) => (await store().listGroupsOf(id)).map(({ name }) => name)
  const eventsOf = async (ownerId: OwnerId) =>
    (await store().listEvents({ ownerId }, null, 10)).rows
      .filter(({ type }) => type === 'owner.groups_changed')
      .map(({ details }) => details)
  const byOperator = (names: readonly string[]) => ({ upstream: null, names, ids: null })

  test('a group is found by id and by name, listed, renamed and deleted', async () => {
    const [a, b] = [await addGroup('wiki: Pflege'), await addGroup('wiki: Ärzte')]
    assert.deepEqual([a.outcome, b.outcome], ['created', 'created'])
    assert.equal((await addGroup(a.name)).outcome, 'name_taken')
    const many = { id: next('group') as GroupId, name: next('Group') }
    assert.equal(await store().createGroup(many, 0, trace()), 'too_many')
    const stored = { id: a.id, name: a.name, createdAt: start, changedAt: start, revision: 0 }
    const found = { ...stored, members: 0 }
    assert.deepEqual(await store().findGroup(a.id), found)
    assert.deepEqual(await store().findGroup(a.name), found)
    const first = await store().listGroups('wiki: ', null, 1)
    assert.deepEqual([first.rows, first.next], [[found], a.name])
    const second = await store().listGroups('wiki: ', first.next, 1)
    assert.deepEqual([second.rows.map(({ id }) => id), second.next], [[b.id], null])
    const renamed = { ...found, name: 'wiki: Doctors', revision: 1, changedAt: start + 5 }
    const later = trace(start + 5)
    assert.equal(await store().renameGroup(a.id, 'wiki: x', 7, trace()), 'changed_meanwhile')
    assert.deepEqual(await store().renameGroup(a.id, renamed.name, 0, later), renamed)
    assert.equal(await store().renameGroup(a.id, b.name, null, trace()), 'name_taken')
    assert.equal(await store().renameGroup('none' as GroupId, 'x', null, trace()), null)
    assert.equal(await store().deleteGroup(a.id, null, trace()), 'deleted')
    assert.equal(await store().deleteGroup(a.id, null, trace()), 'gone')
    assert.equal(await store().findGroup(a.id), null)
  })

  test('members have sources: one source replaces its own and no others', async () => {
    const [owner, other] = [await addOwner(), await addOwner()]
    const [a, b] = [await addGroup(), await addGroup()]
    const set = (groups: Parameters<Store['setOwnerGroups']>[1]) =>
      store().setOwnerGroups(owner, groups, trace())
    const unknown = { outcome: 'unknown_group', name: 'nothing' }
    assert.deepEqual(await set(byOperator(['nothing'])), unknown)
    assert.equal((await set(byOperator([a.name]))).outcome, 'set')
    const mapped = next('Mapped')
    const ids = [next('group') as GroupId]
    const given = await set({ upstream: 'acme', names: [a.name, mapped], ids })
    const hand = { id: a.id, name: a.name, byOperator: true, upstreams: ['acme'] }
    const fresh = { id: ids[0], name: mapped, byOperator: false, upstreams: ['acme'] }
    assert.deepEqual(given, { outcome: 'set', groups: [hand, fresh] })
    assert.deepEqual(await eventsOf(owner), [
      { upstream: 'acme', groupsAdded: mapped },
      { groupsAdded: a.name },
    ])
    const add = { add: [owner, other], remove: [] }
    assert.equal((await store().changeGroupMembers(b.id, add, null, trace())).outcome, 'changed')
    assert.deepEqual(await namesOf(owner), [a.name, b.name, mapped])
    await set({ upstream: 'acme', names: [], ids: [] })
    assert.deepEqual(await namesOf(owner), [a.name, b.name])
    const listed = await store().listGroupMembers(b.id, null, 1)
    assert.deepEqual([listed.rows.map(({ ownerId }) => ownerId), listed.next], [[owner], owner])
    const gone = { add: [], remove: [owner] }
    const left = await store().changeGroupMembers(b.id, gone, 1, trace())
    assert.equal(left.outcome === 'changed' && left.group.members, 1)
    assert.deepEqual(await store().changeGroupMembers(b.id, gone, 1, trace()), {
      outcome: 'changed_meanwhile',
    })
    const nobody = next('owner') as OwnerId
    assert.deepEqual(
      await store().changeGroupMembers(b.id, { add: [owner, nobody], remove: [] }, null, trace()),
      { outcome: 'unknown_owner', ownerId: nobody },
    )
    assert.deepEqual(await namesOf(owner), [a.name])
    await store().deleteOwner(owner, trace())
    assert.equal((await store().findGroup(a.id))?.members, 0)
    assert.equal((await store().setOwnerGroups(owner, byOperator([]), trace())).outcome, 'gone')
  })

  test('an owner who goes changes the own groups, and no other', async () => {
    const owner = await addOwner()
    const [joined, other] = [await addGroup(), await addGroup()]
    await store().setOwnerGroups(owner, byOperator([joined.name]), trace())
    const before = await store().findGroup(joined.id)
    const left = await store().findGroup(other.id)
    assert.equal(await store().deleteOwner(owner, trace()), true)
    const after = await store().findGroup(joined.id)
    assert.deepEqual([after?.members, (after?.revision ?? 0) - (before?.revision ?? 0)], [0, 1])
    assert.deepEqual(await store().findGroup(other.id), left)
  })

  test('each source gives an owner as many groups as there may be, and no more', async () => {
    const owner = await addOwner()
    const names = Array.from({ length: groupLimits.ofSource }, (_, i) => `${next('many')} ${i}`)
    const ids = names.map(() => next('group') as GroupId)
    const asked = { upstream: 'acme', names, ids }
    assert.equal((await store().setOwnerGroups(owner, asked, trace())).outcome, 'set')
    const one = await addGroup()
    const set = await store().setOwnerGroups(owner, byOperator(names), trace())
    assert.equal(set.outcome, 'set')
    const add = { add: [owner], remove: [] }
    assert.deepEqual(await store().changeGroupMembers(one.id, add, null, trace()), {
      outcome: 'full',
      ownerId: owner,
    })
    const more = await store().setOwnerGroups(owner, byOperator([...names, one.name]), trace())
    assert.equal(more.outcome, 'full')
    // Whatever the operator gave, a directory goes on.
    const other = { upstream: 'other', names: [one.name], ids: [one.id] }
    assert.equal((await store().setOwnerGroups(owner, other, trace())).outcome, 'set')
    for (const upstream of ['acme', 'other', null]) {
      await store().setOwnerGroups(owner, { upstream, names: [], ids: [] }, trace())
    }
    assert.deepEqual(await store().listGroupsOf(owner), [])
  })

  test('of many that set the groups of one owner at once, one is whole at the end', async () => {
    const owner = await addOwner()
    const pairs = await together(6, async () => [(await addGroup()).name, (await addGroup()).name])
    await together(6, (i) => store().setOwnerGroups(owner, byOperator(pairs[i] ?? []), trace()))
    const left = (await namesOf(owner)).join()
    assert.ok(pairs.some((pair) => pair.toSorted().join() === left))
    const group = await addGroup()
    const members = await together(6, () => addOwner())
    const added = await together(6, (i) =>
      store().changeGroupMembers(
        group.id,
        { add: members.slice(i, i + 1), remove: [] },
        null,
        trace(),
      ),
    )
    assert.deepEqual(
      added.map(({ outcome }) => outcome),
      Array.from({ length: 6 }, () => 'changed'),
    )
    const found = await store().findGroup(group.id)
    assert.deepEqual([found?.members, found?.revision], [6, 6])
    const outcomes = await together(6, () => addGroup('raced group'))
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'created').length, 1)
  })

  test('a client is for the groups that it names, also by their later names', async () => {
    const owner = await addOwner()
    const [a, b] = [await addGroup(next('Some%_\\name')), await addGroup()]
    const lists = { allowed_groups: [a.name, 'elsewhere'], told_groups: [a.name] }
    const client = sampleClient({ identity: lists })
    await store().createClient(client, trace())
    const open = sampleClient()
    await store().createClient(open, trace())
    const isFor = () => store().isClientFor(client.id, owner)
    assert.deepEqual([await isFor(), await store().isClientFor(open.id, owner)], [false, true])
    await store().setOwnerGroups(owner, byOperator([b.name]), trace())
    assert.equal(await isFor(), false)
    await store().setOwnerGroups(owner, byOperator([a.name]), trace())
    assert.equal(await isFor(), true)
    const renamed = next('Renamed')
    await store().renameGroup(a.id, renamed, null, trace())
    assert.equal(await isFor(), true)
    assert.deepEqual((await store().findClient(client.id))?.identity, {
      allowed_groups: [renamed, 'elsewhere'],
      told_groups: [renamed],
    })
    // Part of a name is no name.
    const part = await addGroup(renamed.slice(0, -1))
    await store().setOwnerGroups(owner, byOperator([part.name]), trace())
    assert.equal(await isFor(), false)
  })
}
