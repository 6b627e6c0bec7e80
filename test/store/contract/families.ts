/** The store contract for codes, refresh tokens and access tokens. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockSkewSeconds } from '../../../src/clock.ts'
import type { Authorization, Standing } from '../../../src/model/authorization.ts'
import type { AuthorizationId, ClientId, FamilyId, OwnerId } from '../../../src/model/ids.ts'
import { storeLimits } from '../../../src/store/limits.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, nextFamily, nextOwned, start, together, trace } from '../moments.ts'
import {
  newSalt,
  sampleApproval,
  sampleRedemption,
  sampleRotation,
  sampleSession,
} from '../sample.ts'
import { addPeople, approveIn, settle, settleFamily, startIn, told } from '../settle.ts'

export const familyContract = (store: () => Store): void => {
  test('redeeming a code begins a family, and all that it hangs on is found at once', async () => {
    const { client, owner, authorization } = await settle(store())
    const redemption = sampleRedemption(authorization)
    const family = {
      id: redemption.familyId,
      authorizationId: authorization.id,
      generation: 0,
      rotatedAt: start + 7,
      expiresAt: start + 1000,
      hasEndings: false,
    }
    assert.equal(await store().isRedeemed(family.id), false)
    const redeemed = await store().redeemCode(redemption, trace(start + 7))
    assert.deepEqual(redeemed, { outcome: 'redeemed', family })
    assert.equal(await store().isRedeemed(family.id), true)
    assert.deepEqual(await store().findStanding(family.id, start + 999), {
      family,
      authorization,
      clientScope: client.scope,
      clientDetailTypes: [],
      clientShortened: null,
      username: owner.username,
      isDisabled: false,
    })
    assert.equal(await store().findStanding(family.id, start + 1000), null)
  })

  test('look-ups of one moment each get their own answer, and a bad one fails alone', async () => {
    const settled = await together(4, () => settleFamily(store()))
    const odd = ['with \0 in it', 'quotes \' and {"braces"}', '']
    const ids = settled.flatMap(({ familyId }) => [familyId, familyId, next('family')])
    const asked = [...ids, ...odd].map((id) => id as FamilyId)
    const alone: (Standing | null)[] = []
    for (const id of asked) alone.push(await store().findStanding(id, start))
    const moments = [start, start + 1]
    const all = moments.flatMap((at) => asked.map((id) => store().findStanding(id, at)))
    assert.deepEqual(await Promise.all(all), [...alone, ...alone])
    const found = asked.filter((_, i) => alone[i] !== null)
    assert.deepEqual(
      found,
      settled.flatMap(({ familyId }) => [familyId, familyId]),
    )
  })

  test('the scope of a client limits nothing until it is made its limit', async () => {
    const people = await addPeople(store(), { scopeLimits: false })
    const { client } = people
    const authorization = await approveIn(store(), sampleApproval(people), trace())
    assert.ok(authorization)
    const redemption = sampleRedemption(authorization)
    await store().redeemCode(redemption, trace())
    const limit = async () => (await store().findStanding(redemption.familyId, start))?.clientScope
    assert.deepEqual([client.scopeLimits, await limit()], [false, null])
    await store().changeClient(client.id, { newSalt, scopeLimits: true }, trace())
    assert.deepEqual(await limit(), client.scope)
    const scope = ['photos:read'] as const
    await store().changeClient(client.id, { newSalt, scope }, trace())
    assert.deepEqual(await limit(), scope)
  })

  test('AC-01 AC-02 a code that comes again ends what it earned', async () => {
    const { client, authorization } = await settle(store())
    const redemption = sampleRedemption(authorization)
    await store().redeemCode(redemption, trace())
    const again = () => store().redeemCode(redemption, trace())
    assert.deepEqual(await again(), { outcome: 'replayed' })
    assert.equal(await store().findStanding(redemption.familyId, start), null)
    const rotation = sampleRotation(redemption.familyId, 0)
    assert.deepEqual(await store().rotateRefreshToken(rotation, trace()), { outcome: 'ended' })
    assert.deepEqual(await again(), { outcome: 'replayed' })
    // A replay without an effect writes no event: a stranger must not write events for free.
    const types = (await told(store(), { clientId: client.id })).slice(-2)
    assert.deepEqual(types, ['authorization.approved', 'code.replayed'])
    assert.deepEqual(await store().findAuthorization(authorization.id, start), authorization)
  })

  test('AC-03 a replay is seen long after, too', async () => {
    const { familyId, authorization } = await settleFamily(store())
    const redemption = sampleRedemption(authorization, { familyId })
    const outcome = await store().redeemCode(redemption, trace(start + 100_000))
    assert.deepEqual(outcome, { outcome: 'replayed' })
  })

  test('AC-09 a burned code earns nothing, and nothing afterwards', async () => {
    const { client, authorization } = await settle(store())
    const redemption = sampleRedemption(authorization)
    const burned = await store().redeemCode({ ...redemption, burn: true }, trace())
    assert.deepEqual(burned, { outcome: 'burned' })
    assert.equal(await store().isRedeemed(redemption.familyId), true)
    assert.deepEqual(await store().redeemCode(redemption, trace()), { outcome: 'replayed' })
    assert.equal(await store().findStanding(redemption.familyId, start), null)
    assert.equal((await told(store(), { clientId: client.id })).at(-1), 'code.burned')
  })

  test('AC-09 a wrong verifier on a redeemed code is a replay', async () => {
    const { familyId, authorization } = await settleFamily(store())
    const burn = sampleRedemption(authorization, { familyId, burn: true })
    assert.deepEqual(await store().redeemCode(burn, trace()), { outcome: 'replayed' })
    assert.equal(await store().findStanding(familyId, start), null)
  })

  const ends: Record<string, (settled: Awaited<ReturnType<typeof settle>>) => Promise<unknown>> = {
    'the authorization ended': ({ authorization }) =>
      store().endAuthorization(authorization.id, null, trace()),
    'the client was disabled': ({ client }) =>
      store().changeClient(client.id, { newSalt, disabled: true }, trace()),
    'the client was deleted': ({ client }) => store().deleteClient(client.id, trace()),
    'the owner was disabled': ({ owner }) =>
      store().changeOwner(owner.id, { disabled: true }, trace()),
    'the owner was deleted': ({ owner }) => store().deleteOwner(owner.id, trace()),
    'the password changed': ({ owner }) =>
      store().changePassword(owner.id, { hash: 'new', salt: 'new' }, null, trace()),
  }
  for (const [why, end] of Object.entries(ends)) {
    test(`AC-13 a code earns nothing once ${why}`, async () => {
      const settled = await settle(store())
      await end(settled)
      const redemption = sampleRedemption(settled.authorization)
      assert.deepEqual(await store().redeemCode(redemption, trace(start + 2)), { outcome: 'ended' })
      assert.equal(await store().isRedeemed(redemption.familyId), false)
    })

    test(`RF-11 a refresh token earns nothing once ${why}`, async () => {
      const settled = await settleFamily(store())
      await end(settled)
      const rotation = sampleRotation(settled.familyId, 0)
      const rotated = await store().rotateRefreshToken(rotation, trace(start + 2))
      assert.deepEqual(rotated, { outcome: 'ended' })
      // After a new password no seal fits the salt that is found here; everything else hides it.
      const standing = await store().findStanding(settled.familyId, start)
      assert.equal(standing === null, why !== 'the password changed')
    })
  }

  test('AC-13 codes and tokens of a visit end with it', async () => {
    const people = await addPeople(store())
    const session = sampleSession(people.owner.id)
    await store().startSession(session, { passwordHash: people.owner.passwordHash }, null, trace())
    const visit = { duration: 'session', sessionId: session.id } as const
    const authorization = await approveIn(store(), sampleApproval(people, visit), trace())
    if (authorization === null) throw new assert.AssertionError({ message: 'not approved' })
    const redemption = sampleRedemption(authorization, { expiresAt: null })
    await store().redeemCode(redemption, trace())
    assert.notEqual(await store().findStanding(redemption.familyId, session.expiresAt - 1), null)
    assert.equal(await store().findStanding(redemption.familyId, session.expiresAt), null)
    const late = sampleRedemption(authorization)
    const outcome = await store().redeemCode(late, trace(session.expiresAt))
    assert.deepEqual(outcome, { outcome: 'ended' })
    await store().endSession(session.id, trace())
    assert.equal(await store().findStanding(redemption.familyId, start), null)
  })

  test('RF-06 each rotation moves the family on, and a token from before ends it', async () => {
    const { client, familyId, authorization } = await settleFamily(store())
    const rotate = (generation: number, at: number) =>
      store().rotateRefreshToken(sampleRotation(familyId, generation), trace(at))
    const family = { id: familyId, authorizationId: authorization.id, hasEndings: false }
    const moved = { ...family, expiresAt: start + 2000 }
    assert.deepEqual(await rotate(0, start + 10), {
      outcome: 'rotated',
      family: { ...moved, generation: 1, rotatedAt: start + 10 },
    })
    const second = { ...moved, generation: 2, rotatedAt: start + 20 }
    assert.deepEqual(await rotate(1, start + 20), { outcome: 'rotated', family: second })
    assert.deepEqual(await rotate(1, start + 50), { outcome: 'repeated', family: second })
    assert.deepEqual(await rotate(3, start + 50), { outcome: 'ended' })
    assert.deepEqual((await store().findStanding(familyId, start))?.family, second)
    // RF-08: the successor of the first was used, so the first is theft however soon it comes.
    assert.deepEqual(await rotate(0, start + 20), { outcome: 'reused' })
    assert.equal(await store().findStanding(familyId, start), null)
    assert.deepEqual(await rotate(2, start + 21), { outcome: 'ended' })
    assert.deepEqual(await rotate(0, start + 21), { outcome: 'ended' })
    assert.equal((await told(store(), { clientId: client.id })).at(-1), 'refresh_token.reused')
  })

  test('RF-06 a known family is refreshed like any other, also if it has changed since', async () => {
    const refreshAfter = async (
      change: (of: { familyId: FamilyId; id: AuthorizationId }) => unknown,
    ) => {
      const { familyId, authorization } = await settleFamily(store())
      const known = (await store().findStanding(familyId, start))?.family
      assert.ok(known)
      await change({ familyId, id: authorization.id })
      const rotation = sampleRotation(familyId, 0, { known })
      const rotated = await store().rotateRefreshToken(rotation, trace(start + 2))
      const family = (await store().findStanding(familyId, start + 2))?.family
      assert.deepEqual('family' in rotated ? rotated.family : undefined, family)
      return [rotated.outcome, family?.generation, family?.hasEndings]
    }
    assert.deepEqual(await refreshAfter(() => {}), ['rotated', 1, false])
    assert.deepEqual(
      await refreshAfter(({ familyId, id: authorizationId }) => {
        const tokenId = `${familyId}.0`
        const token = { of: { familyId, authorizationId }, tokenId, expiresAt: null }
        return store().endToken(token, trace())
      }),
      ['rotated', 1, true],
    )
    const refreshed = await refreshAfter(({ familyId }) =>
      store().rotateRefreshToken(sampleRotation(familyId, 0), trace()),
    )
    assert.deepEqual(refreshed, ['repeated', 1, false])
    const ended = await refreshAfter(({ familyId }) => store().endFamily(familyId, trace()))
    assert.deepEqual(ended, ['ended', undefined, undefined])
    const over = await refreshAfter(({ familyId }) =>
      store().rotateRefreshToken(sampleRotation(familyId, 0, { expiresAt: start + 1 }), trace()),
    )
    assert.deepEqual(over, ['ended', undefined, undefined])
  })

  test('RF-07 a repeated refresh is honest only for so long', async () => {
    const { familyId } = await settleFamily(store())
    const rotate = (at: number) =>
      store().rotateRefreshToken(sampleRotation(familyId, 0), trace(at))
    assert.equal((await rotate(start)).outcome, 'rotated')
    assert.equal((await rotate(start + 30)).outcome, 'repeated')
    assert.equal((await rotate(start + 31)).outcome, 'reused')
  })

  test('RF-07 repeats in two generations in a row are reuse, those in others are not', async () => {
    const { familyId } = await settleFamily(store())
    const rotate = async (generation: number) =>
      (await store().rotateRefreshToken(sampleRotation(familyId, generation), trace())).outcome
    const outcomes: string[] = []
    for (const generation of [0, 0, 0, 1, 2, 2, 3, 3]) outcomes.push(await rotate(generation))
    const [first, again] = ['rotated', 'repeated']
    assert.deepEqual(outcomes, [first, again, again, first, first, again, first, 'reused'])
    assert.equal(await store().findStanding(familyId, start), null)
  })

  test('RF-07 repeats are told with their network, to the owner where it is another', async () => {
    const { client, owner, familyId } = await settleFamily(store())
    const rotate = (network: string, generation: number) => {
      const actor = { type: 'client', clientId: client.id, network } as const
      const rotation = sampleRotation(familyId, generation)
      return store().rotateRefreshToken(rotation, { ...trace(), actor })
    }
    const repeats = async (of: { clientId: ClientId } | { ownerId: OwnerId }) =>
      (await store().listEvents(of, null, 50)).rows
        .filter(({ type }) => type === 'refresh_token.repeated')
        .map(({ details }) => details)
        .toReversed()
    for (const network of ['a', 'a', 'b', '', 'a']) await rotate(network, 0)
    const told = (network: string) => ({ familyId, generation: 0, network, rotatedFrom: 'a' })
    assert.deepEqual(await repeats({ clientId: client.id }), ['a', 'b', '', 'a'].map(told))
    assert.deepEqual(await repeats({ ownerId: owner.id }), [told('b')])
    for (let times = 0; times < 20; times++) await rotate('b', 0)
    assert.equal((await repeats({ clientId: client.id })).length, storeLimits.refreshRepeatsTold)
    assert.equal((await rotate('b', 1)).outcome, 'rotated')
  })

  test('RF-07 no clock that was set back makes a refresh honest again', async () => {
    const rotateAt = async (later: number) => {
      const { familyId } = await settleFamily(store())
      await store().rotateRefreshToken(sampleRotation(familyId, 0), trace())
      const repeated = trace(start + later)
      return (await store().rotateRefreshToken(sampleRotation(familyId, 0), repeated)).outcome
    }
    // The clock of another node may be as far behind as that.
    assert.equal(await rotateAt(-clockSkewSeconds), 'repeated')
    assert.equal(await rotateAt(-clockSkewSeconds - 1), 'reused')
  })

  test('RF-10 an expired family is not refreshed, and its end can be moved', async () => {
    const { familyId } = await settleFamily(store())
    const rotate = (generation: number, expiresAt: number | null, at: number) =>
      store().rotateRefreshToken(sampleRotation(familyId, generation, { expiresAt }), trace(at))
    assert.equal((await rotate(0, start + 50, start + 999)).outcome, 'rotated')
    assert.equal((await rotate(1, null, start + 50)).outcome, 'ended')
    assert.equal((await rotate(1, null, start + 49)).outcome, 'rotated')
    assert.equal((await rotate(2, null, start + 9_999_999)).outcome, 'rotated')
  })

  test('RV-11 ending a family ends it once and no other', async () => {
    const { client, familyId, authorization } = await settleFamily(store())
    const other = sampleRedemption(authorization)
    await store().redeemCode(other, trace())
    assert.equal(await store().endFamily(familyId, trace()), true)
    assert.equal(await store().endFamily(familyId, trace()), false)
    assert.equal(await store().endFamily('none' as FamilyId, trace()), false)
    assert.equal(await store().endFamily(other.familyId, trace(start + 1000)), false)
    assert.equal(await store().findStanding(familyId, start), null)
    assert.notEqual(await store().findStanding(other.familyId, start), null)
    assert.equal((await told(store(), { clientId: client.id })).at(-1), 'family.revoked')
  })

  test('a family may begin without a code, under an authorization or an approval', async () => {
    const { authorization } = await settle(store())
    const begin = (under: Authorization | ReturnType<typeof sampleApproval>) =>
      startIn(store(), { familyId: nextFamily(under), under, expiresAt: null }, trace())
    const first = await begin(authorization)
    assert.deepEqual(first?.authorization, authorization)
    assert.deepEqual((await store().findStanding(first.family.id, start))?.family, first.family)
    const approval = sampleApproval(await addPeople(store()))
    const second = await begin(approval)
    assert.equal(second?.authorization.id, approval.id)
    assert.deepEqual((await store().findStanding(second.family.id, start))?.family, second.family)
    await store().endAuthorization(authorization.id, null, trace())
    assert.equal(await begin(authorization), null)
    assert.equal(await begin({ ...approval, ownerId: 'nobody' as typeof approval.ownerId }), null)
  })

  for (const [why, end] of Object.entries(ends)) {
    test(`RC-08 no family begins without a code once ${why}`, async () => {
      const settled = await settle(store())
      const { authorization, owner } = settled
      const proof = { passwordHash: owner.passwordHash }
      await end(settled)
      for (const under of [authorization, sampleApproval(settled, { proof })]) {
        const familyId = nextFamily(under)
        const begun = await store().startFamily({ familyId, under, expiresAt: null }, trace())
        // The owner may approve anew what was ended.
        const isAnew = 'asked' in under && why === 'the authorization ended'
        assert.equal(begun === null, !isAnew)
        assert.equal(await store().isRedeemed(familyId), isAnew)
      }
    })
  }

  test('RV-10 single access tokens end, of a family and of a client itself', async () => {
    const { client, familyId, authorization } = await settleFamily(store())
    const of = { familyId, authorizationId: authorization.id }
    const [one, two] = [familyId, nextOwned<string>('token', next('owner') as OwnerId)]
    assert.equal(await store().isTokenEnded(one), false)
    const ending = { tokenId: one, expiresAt: start + 60 }
    await store().endToken({ of, ...ending }, trace())
    await store().endToken({ of, ...ending }, trace())
    assert.equal(await store().isTokenEnded(one), true)
    assert.equal((await store().findStanding(familyId, start))?.family.hasEndings, true)
    assert.equal((await store().findClient(client.id))?.hasEndings, false)
    await store().endToken({ of: { clientId: client.id }, tokenId: two, expiresAt: null }, trace())
    assert.equal(await store().isTokenEnded(two), true)
    assert.equal((await store().findClient(client.id))?.hasEndings, true)
    const types = (await told(store(), { clientId: client.id })).slice(-2)
    assert.deepEqual(types, ['token.revoked', 'token.revoked'])
  })
}
