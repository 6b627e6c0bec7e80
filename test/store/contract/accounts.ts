/** The store contract for owners who change their profiles, leave, and change their minds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnerId, SessionId } from '../../../src/model/ids.ts'
import type { Owner } from '../../../src/model/owner.ts'
import type { Store } from '../../../src/store/store.ts'
import { start, together, trace } from '../moments.ts'
import { sampleApproval, sampleSession } from '../sample.ts'
import { addPeople, approveIn } from '../settle.ts'

export const accountContract = (store: () => Store): void => {
  const logIn = async ({ id, passwordHash }: Owner): Promise<SessionId> => {
    const session = sampleSession(id, { expiresAt: start + 90_000 })
    assert.equal(await store().startSession(session, { passwordHash }, null, trace()), 'accepted')
    return session.id
  }

  /** An owner with a login, and an access that was approved for good. */
  const addLeaver = async () => {
    const people = await addPeople(store())
    const { owner } = people
    const by = { ownerId: owner.id, session: await logIn(owner) }
    const approve = () =>
      approveIn(
        store(),
        sampleApproval(people, { proof: { passwordHash: owner.passwordHash } }),
        trace(),
      )
    return { owner, by, approve }
  }

  const typesOf = async ({ id }: Owner) =>
    (await store().listEvents({ ownerId: id }, null, 3)).rows.map(({ type }) => type)

  test('a profile changes once from the state that was shown, in a session that lives', async () => {
    const { owner, by } = await addLeaver()
    const after = {
      name: 'Ada',
      claims: { nickname: 'Countess' },
      pages: { language: 'zh', zone: 'Asia/Shanghai' },
    } as const
    const change = (session: SessionId) =>
      store().changeProfile({ ...by, session }, owner, after, 'name', trace(start + 3))
    assert.equal(await change('unknown' as SessionId), false)
    const both = await together(2, () => change(by.session))
    assert.deepEqual([...both].sort(), [false, true])
    assert.deepEqual(await store().findOwner(owner.id), {
      ...owner,
      ...after,
      updatedAt: start + 3,
    })
    assert.equal((await typesOf(owner))[0], 'owner.profile_changed')
  })

  test('an operator ends all sessions and accesses of one owner, and of nobody else', async () => {
    const [leaver, other] = [await addLeaver(), await addLeaver()]
    const [approved, ofOther] = [await leaver.approve(), await other.approve()]
    assert.ok(approved && ofOther)
    const both = await together(2, () => store().endAccessOf(leaver.owner.id, trace(start + 1)))
    assert.deepEqual(both, [true, true])
    assert.equal(await store().findSession(leaver.by.session, start + 1), null)
    assert.equal(await store().findAuthorization(approved.id, start + 1), null)
    assert.ok(await store().findSession(other.by.session, start + 1))
    assert.ok(await store().findAuthorization(ofOther.id, start + 1))
    assert.equal((await typesOf(leaver.owner))[0], 'owner.access_ended')
    assert.ok(await leaver.approve(), 'the owner may approve again')
    assert.equal(await store().endAccessOf('nobody' as OwnerId, trace(start + 2)), false)
  })

  test('a deletion ends sessions and accesses at once, and nothing is approved until its undoing', async () => {
    const { owner, by, approve } = await addLeaver()
    const approved = await approve()
    assert.ok(approved)
    const both = await together(2, () => store().requestDeletion(by, start + 100, trace(start + 1)))
    assert.deepEqual([...both].sort(), [false, true])
    assert.equal(await store().findSession(by.session, start), null)
    assert.equal(await store().findAuthorization(approved.id, start + 1), null)
    assert.equal((await store().findOwner(owner.id))?.deletionAt, start + 100)
    assert.equal(await approve(), null)
    const session = await logIn(owner)
    assert.equal(await approve(), null)
    assert.equal(await store().undoDeletion({ ...by, session }, trace(start + 2)), true)
    assert.equal(await store().undoDeletion({ ...by, session }, trace(start + 2)), false)
    assert.equal((await store().findOwner(owner.id))?.deletionAt, null)
    assert.notEqual(await approve(), null)
    assert.equal(await store().findAuthorization(approved.id, start + 2), null)
  })

  test('an access that is approved beside the deletion does not outlive it', async () => {
    const { owner, by, approve } = await addLeaver()
    const [, approved] = await Promise.all([
      store().requestDeletion(by, start + 100, trace()),
      approve(),
    ])
    assert.equal(approved && (await store().findAuthorization(approved.id, start + 1)), null)
    assert.equal((await store().findOwner(owner.id))?.deletionAt, start + 100)
  })

  test('a deletion is due at its time, and the purge beside an undoing does one of both', async () => {
    const { owner, by } = await addLeaver()
    await store().requestDeletion(by, start + 100, trace())
    const session = await logIn(owner)
    const due = async (at: number) => (await store().listDueOwners(at, 99)).includes(owner.id)
    assert.deepEqual([await due(start + 99), await due(start + 100)], [false, true])
    assert.equal(await store().deleteDueOwner(owner.id, trace(start + 99)), false)
    const [undone, gone] = await Promise.all([
      store().undoDeletion({ ...by, session }, trace(start + 100)),
      store().deleteDueOwner(owner.id, trace(start + 100)),
    ])
    assert.notEqual(undone, gone)
    const found = await store().findOwner(owner.id)
    assert.equal(found === null, gone)
    assert.equal(found?.deletionAt ?? null, null)
    assert.equal(await due(start + 100), false)
    assert.equal(await store().deleteDueOwner(owner.id, trace(start + 200)), false)
    assert.equal((await typesOf(owner))[0], gone ? 'owner.deleted' : 'owner.deletion_undone')
  })
}
