/** The store contract for the end date of an authorization, which its owner may set anew. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuthorizationId, OwnerId, SessionId } from '../../../src/model/ids.ts'
import type { Approval } from '../../../src/store/contract/authorization.ts'
import type { Store } from '../../../src/store/store.ts'
import { raceRounds, start, trace } from '../moments.ts'
import {
  type People,
  sampleApproval,
  sampleRedemption,
  sampleRotation,
  sampleSession,
} from '../sample.ts'
import { addPeople, approveIn, told } from '../settle.ts'

export const endContract = (store: () => Store): void => {
  const approve = async (people: People, change: Partial<Approval> = {}) => {
    const approved = await approveIn(store(), sampleApproval(people, change), trace())
    assert.ok(approved)
    return approved
  }

  /** People, the owner's login, and something approved. */
  const settled = async (change: Partial<Approval> = {}) => {
    const people = await addPeople(store())
    const session = sampleSession(people.owner.id)
    await store().startSession(session, { passwordHash: people.owner.passwordHash }, null, trace())
    return { ...people, session, authorization: await approve(people, change) }
  }

  const changeEnd = (
    id: AuthorizationId,
    expiresAt: number | null,
    { ownerId, id: session }: { readonly ownerId: OwnerId; readonly id: SessionId },
    at = start,
  ) => store().changeAuthorizationEnd({ id, ownerId, session, expiresAt }, trace(at))

  test('an end that is set holds for what was redeemed before, sooner and later', async () => {
    const { owner, session, authorization } = await settled()
    const { id } = authorization
    const redemption = sampleRedemption(authorization, { expiresAt: null })
    await store().redeemCode(redemption, trace())
    const stands = async (now: number) =>
      (await store().findStanding(redemption.familyId, now)) !== null
    assert.equal(await stands(start + 500), true)
    const changed = await changeEnd(id, start + 100, session)
    assert.deepEqual(changed, { ...authorization, duration: 'chosen', expiresAt: start + 100 })
    assert.deepEqual(await store().findAuthorization(id, start), changed)
    assert.deepEqual([await stands(start + 99), await stands(start + 100)], [true, false])
    const rotation = sampleRotation(redemption.familyId, 0)
    const late = await store().rotateRefreshToken(rotation, trace(start + 100))
    assert.deepEqual(late, { outcome: 'ended' })
    assert.equal((await changeEnd(id, start + 900, session, start + 99))?.expiresAt, start + 900)
    assert.equal(await stands(start + 500), true)
    assert.equal((await changeEnd(id, null, session))?.expiresAt, null)
    assert.equal(await stands(start + 5000), true)
    const { rows } = await store().listEvents({ ownerId: owner.id }, null, 3)
    assert.deepEqual(
      rows.map(({ type, details, authorizationId }) => [type, details, authorizationId]),
      [
        { expiresAt: null },
        { expiresAt: start + 900 },
        { expiresAt: start + 100, sooner: true },
      ].map((details) => ['authorization.end_changed', details, id]),
    )
  })

  test('what has ended is not brought back', async () => {
    const { session, authorization } = await settled({ duration: 'day', expiresAt: start + 50 })
    const { id } = authorization
    assert.equal(await changeEnd(id, null, session, start + 50), null)
    await store().endAuthorization(id, null, trace())
    assert.equal(await changeEnd(id, null, session), null)
  })

  test('it is for the owner, in a login that lives', async () => {
    const { owner, session, authorization } = await settled()
    const { id } = authorization
    const { session: foreign } = await settled()
    assert.equal(await changeEnd(id, start + 1, foreign), null)
    assert.equal(await changeEnd(id, start + 1, { ...foreign, ownerId: owner.id }), null)
    assert.equal(await changeEnd(id, start + 1, session, session.expiresAt), null)
    await store().endSession(session.id, trace())
    assert.equal(await changeEnd(id, start + 1, session), null)
    assert.deepEqual(await store().findAuthorization(id, start), authorization)
    const types = await told(store(), { ownerId: owner.id })
    assert.equal(types.includes('authorization.end_changed'), false)
  })

  test('one for a visit outlives the visit from then on', async () => {
    const people = await addPeople(store())
    const session = sampleSession(people.owner.id)
    await store().startSession(session, { passwordHash: people.owner.passwordHash }, null, trace())
    const visit = { duration: 'session', sessionId: session.id } as const
    const { id } = await approve(people, { ...visit, expiresAt: session.expiresAt })
    const changed = await changeEnd(id, null, session)
    assert.deepEqual([changed?.duration, changed?.sessionId], ['chosen', null])
    await store().endSession(session.id, trace())
    assert.deepEqual(await store().findAuthorization(id, start + 5000), changed)
  })

  test('no later approval prolongs or shortens it: that begins another one', async () => {
    const { session, authorization, ...people } = await settled()
    await changeEnd(authorization.id, start + 100, session)
    const more = await approve(people, { asked: ['contacts:read'], permissions: ['contacts:read'] })
    assert.notEqual(more.id, authorization.id)
    assert.deepEqual(more.permissions, ['contacts:read'])
    const kept = await store().findAuthorization(authorization.id, start)
    assert.deepEqual([kept?.expiresAt, kept?.permissions], [start + 100, authorization.permissions])
    // Two of one client may both have an end of their own.
    assert.equal((await changeEnd(more.id, start + 200, session))?.expiresAt, start + 200)
  })

  test('what is refused later is taken out of it all the same', async () => {
    const { session, authorization, ...people } = await settled()
    await changeEnd(authorization.id, start + 100, session)
    await approve(people, { permissions: ['photos:read'] })
    const kept = await store().findAuthorization(authorization.id, start)
    assert.deepEqual(kept?.permissions, ['photos:read'])
  })

  test('RC-08 narrowing, approving and setting the end at once all hold', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { session, authorization, ...people } = await settled()
      const { id } = authorization
      await Promise.all([
        store().narrowAuthorization(id, null, ['photos:read'], trace()),
        changeEnd(id, start + 100, session),
        approve(people, { asked: ['contacts:read'], permissions: ['contacts:read'] }),
      ])
      const kept = await store().findAuthorization(id, start)
      assert.deepEqual([kept?.expiresAt, kept?.duration], [start + 100, 'chosen'])
      assert.equal(kept?.permissions.includes('photos:write'), false)
    }
  })

  test('RC-08 none is brought back by a change beside its end', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { session, authorization } = await settled()
      const { id } = authorization
      await Promise.all([
        changeEnd(id, null, session),
        store().endAuthorization(id, null, trace()),
        changeEnd(id, start + 5, session),
      ])
      assert.equal(await store().findAuthorization(id, start), null)
    }
  })
}
