/** The store contract for pauses: an application rests, and loses nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FamilyId, SessionId } from '../../../src/model/ids.ts'
import type { Approval } from '../../../src/store/contract/authorization.ts'
import type { Rotated } from '../../../src/store/contract/family.ts'
import type { Store } from '../../../src/store/store.ts'
import { giveWay, next, nextOwned, raceRounds, start, together, trace } from '../moments.ts'
import {
  type People,
  sampleApproval,
  sampleRedemption,
  sampleRotation,
  sampleSession,
} from '../sample.ts'
import { addPeople, approveIn, settleFamily, startIn } from '../settle.ts'

const day = 86_400

const of = ({ client, owner }: People) => ({ ownerId: owner.id, clientId: client.id })

export const pauseContract = (store: () => Store): void => {
  const pause = (people: People, at = start) => store().pauseAuthorizations(of(people), trace(at))

  const resume = (people: People, at = start, session: SessionId | null = null) =>
    store().resumeAuthorizations({ ...of(people), session }, trace(at))

  const refresh = (familyId: FamilyId, generation: number, at = start): Promise<Rotated> =>
    store().rotateRefreshToken(sampleRotation(familyId, generation), trace(at))

  const logIn = async ({ owner }: People) => {
    const session = sampleSession(owner.id)
    await store().startSession(session, { passwordHash: owner.passwordHash }, null, trace())
    return session
  }

  test('a pause changes nothing but that it is paused, and a resumption takes it back', async () => {
    const settled = await settleFamily(store())
    const { authorization, familyId } = settled
    const before = await store().findStanding(familyId, start)
    assert.equal(await pause(settled, start + 1), 1)
    assert.equal(await pause(settled, start + 2), 0)
    const paused = { at: start + 1, by: 'operator', unusedDays: null } as const
    assert.deepEqual(await store().findAuthorization(authorization.id, start + 2), {
      ...authorization,
      paused,
    })
    const during = await store().findStanding(familyId, start + 2)
    assert.deepEqual(during, { ...before, authorization: { ...authorization, paused } })
    assert.equal(await resume(settled, start + 3), 1)
    assert.equal(await resume(settled, start + 4), 0)
    assert.deepEqual(await store().findStanding(familyId, start + 4), before)
    const { rows } = await store().listEvents({ ownerId: settled.owner.id }, null, 2)
    assert.deepEqual(
      rows.map(({ type, at, details, clientId, authorizationId }) => [
        type,
        at,
        details,
        clientId,
        authorizationId,
      ]),
      [
        ['authorization.resumed', start + 3, {}, settled.client.id, authorization.id],
        ['authorization.paused', start + 1, {}, settled.client.id, authorization.id],
      ],
    )
  })

  test('the pause names who did it', async () => {
    const settled = await settleFamily(store())
    const actors = [
      [{ type: 'owner', ownerId: settled.owner.id, network: '' }, 'owner'],
      [{ type: 'service' }, 'service'],
      [{ type: 'cli', user: 'root' }, 'operator'],
    ] as const
    for (const [actor, by] of actors) {
      await store().pauseAuthorizations(of(settled), { ...trace(), actor })
      const found = await store().findAuthorization(settled.authorization.id, start)
      assert.deepEqual(found?.paused, { at: start, by, unusedDays: null })
      await resume(settled)
    }
  })

  test('all of one owner for one client are paused, each with its event, and no others', async () => {
    const settled = await settleFamily(store())
    const more = { duration: 'day', expiresAt: start + 100 } as const
    await approveIn(store(), sampleApproval(settled, more), trace())
    const ended = { duration: 'month', expiresAt: start + 1 } as const
    await approveIn(store(), sampleApproval(settled, ended), trace())
    const others: People[] = [
      { client: settled.client, owner: (await addPeople(store())).owner },
      { client: (await addPeople(store())).client, owner: settled.owner },
    ]
    for (const one of others) await approveIn(store(), sampleApproval(one), trace())
    assert.equal(await pause(settled, start + 1), 2)
    const { rows } = await store().listEvents({ ownerId: settled.owner.id }, null, 2)
    assert.deepEqual(
      rows.map(({ type }) => type),
      ['authorization.paused', 'authorization.paused'],
    )
    assert.equal(new Set(rows.map(({ authorizationId }) => authorizationId)).size, 2)
    for (const one of others) {
      const found = await store().findAuthorizations(one.owner.id, one.client.id, start + 1)
      assert.deepEqual(
        found.map(({ paused }) => paused),
        [null],
      )
    }
    assert.equal(await resume(settled, start + 1), 2)
  })

  test('while paused no code is redeemed, and none is used up', async () => {
    const settled = await settleFamily(store())
    const redemption = sampleRedemption(settled.authorization)
    const redeem = () => store().redeemCode(redemption, trace())
    await pause(settled)
    assert.deepEqual(await redeem(), { outcome: 'paused' })
    assert.equal(await store().isRedeemed(redemption.familyId), false)
    const other = sampleRedemption({ ...settled.authorization, salt: 'another' })
    assert.deepEqual(await store().redeemCode(other, trace()), { outcome: 'ended' })
    await resume(settled)
    assert.equal((await redeem()).outcome, 'redeemed')
    await pause(settled)
    assert.deepEqual(await redeem(), { outcome: 'replayed' })
    await resume(settled)
    assert.equal(await store().findStanding(redemption.familyId, start), null)
  })

  test('while paused no refresh token is rotated, repeated or used up', async () => {
    const settled = await settleFamily(store())
    const { familyId } = settled
    assert.equal((await refresh(familyId, 0)).outcome, 'rotated')
    const before = await store().findStanding(familyId, start)
    await pause(settled)
    const told = (await store().listEvents({}, null, 1)).rows
    assert.deepEqual(await refresh(familyId, 1), { outcome: 'paused' })
    assert.deepEqual(await refresh(familyId, 0), { outcome: 'paused' })
    assert.deepEqual(await refresh(familyId, 2), { outcome: 'ended' })
    assert.deepEqual((await store().listEvents({}, null, 1)).rows, told)
    await resume(settled)
    assert.deepEqual(await store().findStanding(familyId, start), before)
    assert.equal((await refresh(familyId, 0)).outcome, 'repeated')
    assert.equal((await refresh(familyId, 1)).outcome, 'rotated')
  })

  test('while paused the return of an old refresh token still ends its family', async () => {
    const settled = await settleFamily(store())
    const { familyId } = settled
    await refresh(familyId, 0)
    await refresh(familyId, 1)
    await pause(settled)
    assert.deepEqual(await refresh(familyId, 0), { outcome: 'reused' })
    await resume(settled)
    assert.equal(await store().findStanding(familyId, start), null)
  })

  test('while paused nothing begins without a code, and nothing is approved', async () => {
    const settled = await settleFamily(store())
    await pause(settled)
    const familyId = nextOwned<FamilyId>('family', settled.owner.id)
    const others: readonly Partial<Approval>[] = [{}, { duration: 'day', expiresAt: start + 9 }]
    for (const change of others) {
      const under = sampleApproval(settled, change)
      const approved = await store().approve(under, trace())
      assert.deepEqual(approved, { outcome: 'paused' })
      const begun = await store().startFamily({ familyId, under, expiresAt: null }, trace())
      assert.equal(begun, 'paused')
    }
    const under = settled.authorization
    assert.equal(await store().startFamily({ familyId, under, expiresAt: null }, trace()), 'paused')
    const listed = await store().listAuthorizations(of(settled), null, 9, start)
    assert.deepEqual(
      listed.rows.map(({ id }) => id),
      [under.id],
    )
    await resume(settled)
    assert.ok(await startIn(store(), { familyId, under, expiresAt: null }, trace()))
  })

  test('what is paused can be narrowed and ended, and its end date goes on', async () => {
    const settled = await settleFamily(store())
    const { id } = settled.authorization
    const session = await logIn(settled)
    await pause(settled)
    const narrowed = await store().narrowAuthorization(id, null, ['photos:read'], trace())
    assert.deepEqual(narrowed?.permissions, ['photos:read'])
    const change = { id, ownerId: settled.owner.id, session: session.id, expiresAt: start + 50 }
    assert.equal((await store().changeAuthorizationEnd(change, trace()))?.paused?.at, start)
    assert.equal(await store().findAuthorization(id, start + 50), null)
    assert.equal(await resume(settled, start + 50), 0)
    assert.equal(await store().endAuthorization(id, null, trace()), true)
    // With it went the pause: the owner may approve the client anew.
    assert.ok(await approveIn(store(), sampleApproval(settled), trace()))
  })

  test('an owner resumes only in a login that lives', async () => {
    const settled = await settleFamily(store())
    const session = await logIn(settled)
    const stranger = await logIn(await addPeople(store()))
    await pause(settled)
    assert.equal(await resume(settled, start, stranger.id), 0)
    assert.equal(await resume(settled, session.expiresAt, session.id), 0)
    assert.equal(await resume(settled, session.expiresAt - 1, session.id), 1)
  })

  test('a refresh beside a pause is done before it, or not at all', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const settled = await settleFamily(store())
      const { familyId } = settled
      const [[first, paused], after] = await Promise.all([
        Promise.all([refresh(familyId, 0), pause(settled)]),
        giveWay(round % 5).then(() => refresh(familyId, 0)),
      ])
      assert.equal(paused, 1)
      const outcomes = [first.outcome, after.outcome]
      assert.ok(outcomes.every((one) => ['rotated', 'repeated', 'paused'].includes(one)))
      assert.ok(outcomes.filter((one) => one === 'rotated').length <= 1)
      const rotated = outcomes.includes('rotated') ? 1 : 0
      assert.equal((await store().findStanding(familyId, start))?.family.generation, rotated)
      assert.deepEqual(await refresh(familyId, rotated), { outcome: 'paused' })
      await resume(settled)
      assert.equal((await refresh(familyId, rotated)).outcome, 'rotated')
    }
  })

  test('what is approved beside a pause is paused with the rest, or refused', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const settled = await settleFamily(store())
      const more = sampleApproval(settled, { duration: 'day', expiresAt: start + 100 })
      const [{ outcome }, paused] = await Promise.all([
        giveWay(round % 3).then(() => store().approve(more, trace())),
        giveWay(round % 2).then(() => pause(settled)),
      ])
      const { rows } = await store().listAuthorizations(of(settled), null, 9, start)
      assert.ok(rows.every((one) => one.paused !== null))
      assert.deepEqual([rows.length, paused], outcome === 'approved' ? [2, 2] : [1, 1])
    }
  })

  test('of many who pause and resume at once, one does each', async () => {
    const settled = await settleFamily(store())
    const sum = async (counts: Promise<number[]>) => (await counts).reduce((a, b) => a + b)
    assert.equal(await sum(together(10, () => pause(settled))), 1)
    assert.equal(await sum(together(10, () => resume(settled))), 1)
  })

  const use = (authorizationId: People['client']['id'] | string, lastAt: number) =>
    store().recordUses({
      collector: next('collector'),
      turn: 1,
      uses: [
        {
          authorizationId: authorizationId as never,
          used: 'photos:read',
          allowed: true,
          network: '',
          uses: 1,
          lastAt,
        },
      ],
    })

  /** Pages of those that may be paused, from a given id on. */
  const findUnused = async (unusedDays: number, after: string, now: number) => {
    const found = []
    for (let from: string | null = after; from !== null; ) {
      const page = await store().listUnusedAuthorizations(unusedDays, from, 2, now)
      assert.ok(page.rows.length <= 2)
      found.push(...page.rows)
      from = page.next
    }
    return found
  }

  test('an application is unused from its creation, its last use and its resumption on', async () => {
    const midnight = Math.ceil(start / day) * day
    const settled = await settleFamily(store())
    const { authorization } = settled
    const after = authorization.id.slice(0, -1)
    const isUnused = async (now: number) => {
      const found = await findUnused(2, after, now)
      const paused = await store().pauseAuthorizations(
        { ...of(settled), unusedDays: 2 },
        trace(now),
      )
      assert.deepEqual(found, paused === 1 ? [of(settled)] : [])
      return paused === 1
    }
    assert.equal(await isUnused(midnight + 2 * day - 1), false)
    await use(authorization.id, midnight + 5)
    assert.equal(await isUnused(midnight + 2 * day), false)
    assert.equal(await isUnused(midnight + 3 * day - 1), false)
    assert.equal(await isUnused(midnight + 3 * day), true)
    assert.equal(await isUnused(midnight + 3 * day), false)
    const found = await store().findAuthorization(authorization.id, midnight + 3 * day)
    assert.equal(found?.paused?.unusedDays, 2)
    const [event] = (await store().listEvents({ ownerId: settled.owner.id }, null, 1)).rows
    assert.deepEqual([event?.type, event?.details], ['authorization.paused', { unusedDays: 2 }])
    await resume(settled, midnight + 4 * day)
    assert.equal(await isUnused(midnight + 7 * day - 1), false)
    assert.equal(await isUnused(midnight + 7 * day), true)
  })

  test('a use of one access keeps the others of the application', async () => {
    const settled = await settleFamily(store())
    const more = { duration: 'day', expiresAt: start + 100 * day } as const
    const other = await approveIn(store(), sampleApproval(settled, more), trace())
    await use(other?.id ?? '', start + 9 * day)
    const unused = { ...of(settled), unusedDays: 5 }
    const after = settled.authorization.id.slice(0, -1)
    assert.deepEqual(await findUnused(5, after, start + 10 * day), [of(settled)])
    assert.equal(await store().pauseAuthorizations(unused, trace(start + 10 * day)), 0)
    assert.equal(await store().pauseAuthorizations(unused, trace(start + 20 * day)), 2)
  })
}
