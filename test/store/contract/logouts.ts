/** The store contract for logins at clients, and the queue of notices that they have ended. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientId, ClientSession, OwnerId, SessionId } from '../../../src/model/ids.ts'
import type { Owner } from '../../../src/model/owner.ts'
import type { Session } from '../../../src/model/session.ts'
import type { ClientLogin, LogoutNotice } from '../../../src/store/contract/queue.ts'
import { logoutLimits } from '../../../src/store/records/logout.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../moments.ts'
import { sampleRedemption, sampleSession } from '../sample.ts'
import { addPeople, settle, told } from '../settle.ts'

export const logoutContract = (store: () => Store): void => {
  const addOwner = async (): Promise<Owner> => (await addPeople(store())).owner

  const addSession = async (
    { id, passwordHash }: Owner,
    replaces: SessionId | null = null,
    change: Partial<Session> = {},
  ): Promise<Session> => {
    const session = sampleSession(id, change)
    const outcome = await store().startSession(session, { passwordHash }, replaces, trace())
    assert.equal(outcome, 'accepted')
    return session
  }

  const loginOf = (
    { ownerId, id }: Pick<Session, 'ownerId' | 'id'>,
    change: Partial<ClientLogin> = {},
  ): ClientLogin => ({
    clientId: next('client') as ClientId,
    ownerId,
    sid: next('sid') as ClientSession,
    sessionId: id,
    backChannel: true,
    ...change,
  })

  const addLogin = async (session: Session, change: Partial<ClientLogin> = {}) => {
    const login = loginOf(session, change)
    await store().noteClientLogin(login, trace())
    return login
  }

  /** Claims everything that is due, until then. */
  const claim = async (now: number, until = now + 60): Promise<readonly LogoutNotice[]> => {
    const claimed: LogoutNotice[] = []
    for (;;) {
      const some = await store().claimLogoutNotices(
        { busy: [], busyOwners: [], most: 50, until },
        now,
      )
      if (some.length === 0) return claimed
      claimed.push(...some)
    }
  }

  /** The notices of one owner that are due. */
  const dueFor = async ({ id }: Owner, now = start, until = now + 60) =>
    (await claim(now, until)).filter(({ ownerId }) => ownerId === id)

  const clientsOf = (list: readonly { readonly clientId: ClientId }[]) =>
    list.map(({ clientId }) => clientId).toSorted()

  test('a login at a client is listed until its session ends, and then queued', async () => {
    const owner = await addOwner()
    const session = await addSession(owner)
    const login = await addLogin(session)
    await addLogin(await addSession(owner))
    assert.deepEqual(await store().listClientLogins(session.id), [login])
    assert.deepEqual(await dueFor(owner), [])
    assert.equal(await store().endSession(session.id, trace()), true)
    assert.deepEqual(await store().listClientLogins(session.id), [])
    const [notice, ...others] = await dueFor(owner)
    assert.ok(notice)
    const { id: _, ...about } = notice
    const { clientId, ownerId, sid } = login
    assert.deepEqual(about, { clientId, ownerId, sid, tries: 1, endedAt: start })
    assert.deepEqual(others, [])
  })

  test('a client without a back channel is listed, and not queued', async () => {
    const owner = await addOwner()
    const session = await addSession(owner)
    const login = await addLogin(session, { backChannel: false })
    assert.deepEqual(await store().listClientLogins(session.id), [login])
    await store().endSession(session.id, trace())
    assert.deepEqual(await dueFor(owner), [])
  })

  test('a login whose session has ended already is queued at once', async () => {
    const owner = await addOwner()
    const session = await addSession(owner)
    await store().endSession(session.id, trace())
    const late = [await addLogin(session), await addLogin(session, { sessionId: null })]
    assert.deepEqual(clientsOf(await dueFor(owner)), clientsOf(late))
  })

  test('a redeemed code notes the login in the same step', async () => {
    const { authorization, owner } = await settle(store())
    const session = await addSession(owner)
    const login = loginOf(session)
    const redemption = sampleRedemption(authorization, { login })
    assert.equal((await store().redeemCode(redemption, trace())).outcome, 'redeemed')
    assert.deepEqual(await store().listClientLogins(session.id), [login])
    const burned = sampleRedemption(authorization, { login: loginOf(session), burn: true })
    assert.equal((await store().redeemCode(burned, trace())).outcome, 'burned')
    assert.deepEqual(await store().listClientLogins(session.id), [login])
  })

  const ends: Readonly<Record<string, (owner: Owner, session: Session) => Promise<unknown>>> = {
    'its handle': ({ id }, { handle }) => store().endSessionOf(id, handle, trace()),
    'the end of all others': ({ id }) =>
      store().endOtherSessions(id, 'another' as SessionId, trace()),
    'a new password': ({ id }) =>
      store().changePassword(id, { hash: 'new', salt: 'new' }, null, trace()),
    'a disabled owner': ({ id }) => store().changeOwner(id, { disabled: true }, trace()),
    'the deletion of its owner': ({ id }) => store().deleteOwner(id, trace()),
    'another owner in this browser': async (_owner, { id }) => addSession(await addOwner(), id),
  }
  for (const [name, end] of Object.entries(ends)) {
    test(`notices follow from ${name}`, async () => {
      const owner = await addOwner()
      const session = await addSession(owner)
      const logins = [await addLogin(session), await addLogin(session)]
      await end(owner, session)
      assert.deepEqual(clientsOf(await dueFor(owner)), clientsOf(logins))
      assert.deepEqual(await store().listClientLogins(session.id), [])
    })
  }

  test('a session that has expired ends without notices', async () => {
    const owner = await addOwner()
    const session = await addSession(owner, null, { expiresAt: start + 10 })
    await addLogin(session)
    await store().endSession(session.id, trace(start + 10))
    assert.deepEqual(await dueFor(owner, start + 10), [])
  })

  test('the same owner logs in anew: the logins go over to the new session', async () => {
    const owner = await addOwner()
    const session = await addSession(owner)
    const login = await addLogin(session)
    const again = await addSession(owner, session.id)
    assert.deepEqual(await dueFor(owner), [])
    assert.deepEqual(await store().listClientLogins(again.id), [{ ...login, sessionId: again.id }])
  })

  test('a session remembers so many clients, and a login that comes again once', async () => {
    const session = await addSession(await addOwner())
    const login = await addLogin(session)
    await store().noteClientLogin(login, trace())
    for (let i = 1; i < logoutLimits.clientsOfSession + 3; i++) await addLogin(session)
    const { length } = await store().listClientLogins(session.id)
    assert.equal(length, logoutLimits.clientsOfSession)
  })

  /** One notice that is due. */
  const queueOne = async () => {
    const owner = await addOwner()
    const session = await addSession(owner)
    const login = await addLogin(session)
    await store().endSession(session.id, trace())
    return { owner, login }
  }

  test('one claim of many gets a notice, and until its end nobody else does', async () => {
    await claim(start)
    const { owner } = await queueOne()
    const claims = await together(5, () => claim(start, start + 60))
    assert.equal(claims.flat().filter(({ ownerId }) => ownerId === owner.id).length, 1)
    assert.deepEqual(await dueFor(owner, start + 59), [])
    const [again] = await dueFor(owner, start + 60)
    assert.equal(again?.tries, 2)
  })

  test('a claim takes one notice of each client, of those that are not busy', async () => {
    await claim(start)
    const owner = await addOwner()
    const session = await addSession(owner)
    const [a, b] = [next('client') as ClientId, next('client') as ClientId]
    for (const clientId of [a, a, b]) await addLogin(session, { clientId })
    await store().endSession(session.id, trace())
    const take = (busy: readonly ClientId[]) =>
      store().claimLogoutNotices({ busy, busyOwners: [], most: 9, until: start + 60 }, start)
    assert.deepEqual(clientsOf(await take([b])), [a])
    assert.deepEqual(clientsOf(await take([])), [a, b])
    assert.deepEqual(await take([]), [])
  })

  test('a claim takes no notice about an owner who is busy', async () => {
    await claim(start)
    const { owner } = await queueOne()
    const take = (busyOwners: readonly OwnerId[]) =>
      store().claimLogoutNotices({ busy: [], busyOwners, most: 9, until: start + 60 }, start)
    assert.deepEqual(await take([owner.id]), [])
    assert.equal((await take([])).length, 1)
  })

  test('a finished notice is gone, once, and an event of its owner', async () => {
    const { owner } = await queueOne()
    const [notice] = await dueFor(owner)
    assert.ok(notice)
    const finish = () => store().finishLogoutNotice(notice, { is: 'delivered' }, trace())
    assert.deepEqual((await together(3, finish)).toSorted(), [false, false, true])
    assert.deepEqual(await dueFor(owner, start + 1000), [])
    assert.equal((await told(store(), { ownerId: owner.id })).at(-1), 'logout.delivered')
    assert.equal((await told(store(), { clientId: notice.clientId })).at(-1), 'logout.delivered')
  })

  test('a failed one says why', async () => {
    const { owner } = await queueOne()
    const [notice] = await dueFor(owner)
    assert.ok(notice)
    const outcome = { is: 'failed', reason: 'status_400' } as const
    assert.equal(await store().finishLogoutNotice(notice, outcome, trace()), true)
    const { rows } = await store().listEvents({ ownerId: owner.id }, null, 1)
    assert.deepEqual(
      rows.map(({ type, details }) => ({ type, details })),
      [{ type: 'logout.failed', details: { reason: 'status_400', tries: 1 } }],
    )
  })

  test('a postponed one comes at its time; a claim that was lost changes nothing', async () => {
    const { owner } = await queueOne()
    const [first] = await dueFor(owner)
    assert.ok(first)
    assert.equal(await store().postponeLogoutNotice(first, start + 500), true)
    assert.deepEqual(await dueFor(owner, start + 499), [])
    const [second] = await dueFor(owner, start + 500)
    assert.equal(second?.tries, 2)
    assert.equal(await store().postponeLogoutNotice(first, start), false)
    assert.equal(await store().finishLogoutNotice(first, { is: 'delivered' }, trace()), false)
  })

  test('what finds no room in the queue is told as failed', async () => {
    const owner = await addOwner()
    const clientId = next('client') as ClientId
    const queue = () => addLogin({ ...sampleSession(owner.id) }, { clientId, sessionId: null })
    for (let i = 0; i < logoutLimits.waitingOfClient; i += 50) await together(50, queue)
    assert.equal((await told(store(), { clientId })).length, 0)
    await queue()
    const { rows } = await store().listEvents({ clientId }, null, 2)
    assert.deepEqual(
      rows.map(({ type, details }) => ({ type, details })),
      [{ type: 'logout.failed', details: { reason: 'queue_full', tries: 0 } }],
    )
    await claim(start, start + 100_000)
  })
}
