/** The store contract for an owner's view of the own logins: listed, ended singly, ended but one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionHandle, SessionId } from '../../../src/model/ids.ts'
import type { Owner } from '../../../src/model/owner.ts'
import type { Session } from '../../../src/model/session.ts'
import type { Store } from '../../../src/store/store.ts'
import { start, together, trace } from '../moments.ts'
import { sampleApproval, sampleSession } from '../sample.ts'
import { addPeople, approveIn, told } from '../settle.ts'

export const sessionContract = (store: () => Store): void => {
  const addSession = async (
    { id, passwordHash }: Owner,
    change: Partial<Session> = {},
  ): Promise<Session> => {
    const session = sampleSession(id, change)
    assert.equal(await store().startSession(session, { passwordHash }, null, trace()), 'accepted')
    return session
  }
  const addOwner = async (): Promise<Owner> => (await addPeople(store())).owner

  /** Something that was approved for the visit of a session. */
  const approveVisit = async (session: Session) => {
    const people = await addPeople(store())
    const owner = await store().findOwner(session.ownerId)
    assert.ok(owner)
    const visit = { duration: 'session', sessionId: session.id } as const
    const approved = await approveIn(store(), sampleApproval({ ...people, owner }, visit), trace())
    assert.ok(approved)
    return approved.id
  }

  test('sessions are listed newest first, in pages, those of the owner that live', async () => {
    const owner = await addOwner()
    const first = await addSession(owner, { userAgent: '', network: '' })
    const second = await addSession(owner)
    const short = await addSession(owner, { expiresAt: start + 10 })
    await addSession(await addOwner())
    const list = (before: SessionHandle | null, limit: number, now = start) =>
      store().listSessions(owner.id, before, limit, now)
    assert.deepEqual(await list(null, 3), { rows: [short, second, first], next: null })
    assert.deepEqual(await list(null, 2), { rows: [short, second], next: second.handle })
    assert.deepEqual(await list(second.handle, 2), { rows: [first], next: null })
    assert.deepEqual(await list(null, 3, start + 10), { rows: [second, first], next: null })
  })

  test('a session ends by its handle, once, with what was approved for its visit', async () => {
    const owner = await addOwner()
    const session = await addSession(owner)
    const other = await addSession(owner)
    const visit = await approveVisit(session)
    const lasting = await approveVisit(other)
    const ended = await together(3, () => store().endSessionOf(owner.id, session.handle, trace()))
    assert.deepEqual(ended.sort(), [false, false, true])
    assert.equal(await store().findSession(session.id, start), null)
    assert.equal(await store().findAuthorization(visit, start), null)
    assert.notEqual(await store().findSession(other.id, start), null)
    assert.notEqual(await store().findAuthorization(lasting, start), null)
    assert.equal((await told(store(), { ownerId: owner.id })).at(-1), 'session.ended')
  })

  test('a handle leads nobody but its owner anywhere, and an id is no handle', async () => {
    const session = await addSession(await addOwner())
    const stranger = await addOwner()
    const handles = [session.handle, session.id as string as SessionHandle, '' as SessionHandle]
    for (const handle of handles) {
      assert.equal(await store().endSessionOf(stranger.id, handle, trace()), false)
    }
    const own = session.id as string as SessionHandle
    assert.equal(await store().endSessionOf(session.ownerId, own, trace()), false)
    assert.notEqual(await store().findSession(session.id, start), null)
  })

  test('all others end together, with their visits, and one event tells how many', async () => {
    const owner = await addOwner()
    const kept = await addSession(owner)
    const lost = [await addSession(owner), await addSession(owner)]
    await addSession(owner, { expiresAt: start + 1 })
    const stranger = await addSession(await addOwner())
    const visits = await Promise.all([kept, ...lost].map(approveVisit))
    assert.equal(await store().endOtherSessions(owner.id, kept.id, trace(start + 1)), 2)
    assert.deepEqual((await store().listSessions(owner.id, null, 9, start)).rows, [kept])
    const standing = await Promise.all(visits.map((id) => store().findAuthorization(id, start)))
    assert.deepEqual(
      standing.map((one) => one !== null),
      [true, false, false],
    )
    assert.notEqual(await store().findSession(stranger.id, start), null)
    const { rows } = await store().listEvents({ ownerId: owner.id }, null, 1)
    assert.deepEqual([rows[0]?.type, rows[0]?.details], ['session.ended', { sessions: 2 }])
    assert.equal(await store().endOtherSessions(owner.id, kept.id, trace()), 0)
    assert.deepEqual((await store().listEvents({ ownerId: owner.id }, null, 1)).rows, rows)
  })

  test('the latest request of a session is noted at most once an hour, and never taken back', async () => {
    const session = await addSession(await addOwner(), { expiresAt: start + 90_000 })
    const seen = async () => (await store().findSession(session.id, start))?.session.seenAt
    const noted = [3599, 3600, 3601, 7199, 1, 7200]
    const after: (number | undefined)[] = []
    for (const seconds of noted) {
      await store().noteSession(session.id, start + seconds)
      after.push(((await seen()) ?? 0) - start)
    }
    assert.deepEqual(after, [0, 3600, 3600, 3600, 3600, 7200])
    await store().noteSession('unknown' as SessionId, start)
  })

  test('a login tells the network that it came from', async () => {
    const owner = await addOwner()
    await addSession(owner, { network: '198.51.100.*' })
    const { rows } = await store().listEvents({ ownerId: owner.id }, null, 1)
    assert.deepEqual(
      [rows[0]?.type, rows[0]?.details],
      ['login.succeeded', { network: '198.51.100.*', methods: 'pwd', context: '1' }],
    )
  })

  test('a login tells its browser, where that is known', async () => {
    const owner = await addOwner()
    const userAgent = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'
    await addSession(owner, { userAgent })
    const { rows } = await store().listEvents({ ownerId: owner.id }, null, 1)
    const { program, system } = rows[0]?.details ?? {}
    assert.deepEqual([program, system], ['Firefox', 'Windows'])
  })

  test('a login with a new browser tells that it was new', async () => {
    const { id, passwordHash } = await addOwner()
    const session = sampleSession(id, { network: '198.51.100.*' })
    const login = { passwordHash }
    assert.equal(await store().startSession(session, login, null, trace(), 'new'), 'accepted')
    const { rows } = await store().listEvents({ ownerId: id }, null, 1)
    assert.deepEqual(
      [rows[0]?.type, rows[0]?.details],
      [
        'login.succeeded',
        { network: '198.51.100.*', methods: 'pwd', context: '1', browser: 'new' },
      ],
    )
  })

  test('RC-08 an owner changes the password only with the one that was checked, in a login that lives', async () => {
    const owner = await addOwner()
    const session = await addSession(owner)
    const stranger = await addSession(await addOwner())
    const { passwordHash } = owner
    const change = (session: SessionId, passwordHash: string, at = start) =>
      store().changePassword(
        owner.id,
        { hash: 'new', salt: 'new' },
        { session, passwordHash },
        trace(at),
      )
    assert.equal(await change(session.id, 'another hash'), null)
    assert.equal(await change(stranger.id, passwordHash), null)
    assert.equal(await change(session.id, passwordHash, session.expiresAt), null)
    assert.deepEqual(await store().findOwner(owner.id), owner)
    const both = await together(2, () => change(session.id, passwordHash))
    assert.equal(both.filter((changed) => changed !== null).length, 1)
    assert.notEqual(await store().findSession(session.id, start), null)
  })
}
