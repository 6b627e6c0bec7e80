/** The store contract for details: approved and taken back with the permissions of an authorization. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Detail } from '../../../src/model/detail.ts'
import { makeDetailKey } from '../../../src/model/detail.ts'
import { storeLimits } from '../../../src/store/limits.ts'
import type { Store } from '../../../src/store/store.ts'
import { start, together, trace } from '../moments.ts'
import { sampleApproval } from '../sample.ts'
import { addPeople, approveIn, settle, settleFamily } from '../settle.ts'

const pay = (amount: number): Detail => ({ type: 'payments', actions: ['pay'], amount })

const detailsOf = (asked: readonly Detail[], approved = asked) => ({ details: { asked, approved } })

const alone = { asked: [], permissions: [] } as const

export const detailContract = (store: () => Store): void => {
  describe('details', () => {
    test('are kept as they were approved, also without any permission', async () => {
      const { authorization } = await settle(store(), {
        ...alone,
        ...detailsOf([pay(1), pay(2)], [pay(2)]),
      })
      assert.deepEqual([authorization.permissions, authorization.details], [[], [pay(2)]])
      const found = await store().findAuthorization(authorization.id, start)
      assert.deepEqual(found, authorization)
    })

    test('are decided anew where they are asked again; others stay', async () => {
      const settled = await settle(store(), { ...detailsOf([pay(1), pay(2)]) })
      const again = sampleApproval(settled, { ...detailsOf([pay(2), pay(3)], [pay(3)]) })
      const after = await approveIn(store(), again, trace(start + 1))
      assert.equal(after?.id, settled.authorization.id)
      assert.deepEqual(after?.details, [pay(1), pay(3)])
      const without = await approveIn(store(), sampleApproval(settled), trace(start + 2))
      assert.deepEqual(without?.details, [pay(1), pay(3)])
    })

    test('a refused one is removed from the other authorizations, too', async () => {
      const settled = await settle(store(), { ...detailsOf([pay(1), pay(2)]) })
      const day = { duration: 'day', expiresAt: start + 60 } as const
      const refusing = sampleApproval(settled, { ...day, ...detailsOf([pay(1)], []) })
      await approveIn(store(), refusing, trace(start + 1))
      const left = await store().findAuthorization(settled.authorization.id, start + 1)
      assert.deepEqual(left?.details, [pay(2)])
    })

    test('are not prolonged by an approval of others', async () => {
      const day = { duration: 'day', expiresAt: start + 60 } as const
      const settled = await settle(store(), { ...alone, ...day, ...detailsOf([pay(1)]) })
      const later = {
        ...alone,
        duration: 'day',
        expiresAt: start + 90,
        ...detailsOf([pay(2)]),
      } as const
      const after = await approveIn(store(), sampleApproval(settled, later), trace(start + 30))
      assert.notEqual(after?.id, settled.authorization.id)
      assert.deepEqual(after?.details, [pay(2)])
      const before = await store().findAuthorization(settled.authorization.id, start + 59)
      assert.deepEqual([before?.details, before?.duration], [[pay(1)], 'chosen'])
      assert.equal(await store().findAuthorization(settled.authorization.id, start + 60), null)
    })

    test('the oldest make room, by number and by size', async () => {
      const { detailsOfAuthorization: most, detailCharacters } = storeLimits
      const many = Array.from({ length: most }, (_, n) => pay(n))
      const settled = await settle(store(), { ...alone, ...detailsOf(many) })
      assert.equal(settled.authorization.details.length, most)
      const more = sampleApproval(settled, { ...alone, ...detailsOf([pay(most)]) })
      const after = await approveIn(store(), more, trace(start + 1))
      assert.deepEqual(after?.details, [...many.slice(1), pay(most)])
      const large: Detail = { ...pay(0), to: 'x'.repeat(detailCharacters - 500) }
      const largest = sampleApproval(settled, { ...alone, ...detailsOf([large]) })
      const left = (await approveIn(store(), largest, trace(start + 2)))?.details ?? []
      assert.deepEqual(left.at(-1), large)
      assert.ok(left.length < most && JSON.stringify(left).length <= detailCharacters)
    })

    test('taken back they are gone at once; without anything left the access ends', async () => {
      const { authorization, familyId, owner } = await settleFamily(store(), {
        asked: ['photos:read'],
        permissions: ['photos:read'],
        ...detailsOf([pay(1), pay(2)]),
      })
      const { id } = authorization
      const narrow = (keep: readonly 'photos:read'[], taken: readonly Detail[]) =>
        store().narrowAuthorization(id, owner.id, keep, trace(), taken.map(makeDetailKey))
      assert.deepEqual((await narrow(['photos:read'], [pay(1)]))?.details, [pay(2)])
      const standing = await store().findStanding(familyId, start)
      assert.deepEqual(standing?.authorization.details, [pay(2)])
      // What is unknown changes nothing.
      assert.deepEqual((await narrow(['photos:read'], [pay(7)]))?.details, [pay(2)])
      assert.deepEqual((await narrow([], []))?.details, [pay(2)])
      assert.ok(await store().findStanding(familyId, start))
      assert.deepEqual((await narrow([], [pay(2)]))?.details, [])
      assert.equal(await store().findStanding(familyId, start), null)
    })

    test('the standing says which types the client may have', async () => {
      for (const [change, expected] of [
        [{}, ['contacts', 'photos', 'photos']],
        [{ scopeLimits: false }, null],
        [{ openid: { authorization_details_types: ['payments'] } }, ['payments']],
      ] as const) {
        const people = await addPeople(store(), change)
        const approval = sampleApproval(people, { ...alone, ...detailsOf([pay(1)]) })
        const authorization = await approveIn(store(), approval, trace())
        assert.ok(authorization)
        const familyId = `${authorization.id}-family` as never
        const under = { id: authorization.id, salt: authorization.salt }
        await store().startFamily({ familyId, under, expiresAt: null }, trace())
        const standing = await store().findStanding(familyId, start)
        assert.deepEqual(standing?.clientDetailTypes, expected)
      }
    })

    test('approved at once by several, none is lost', async () => {
      const people = await addPeople(store())
      await together(4, (n) =>
        store().approve(sampleApproval(people, { ...alone, ...detailsOf([pay(n)]) }), trace()),
      )
      const found = await store().findAuthorizations(people.owner.id, people.client.id, start)
      const amounts = found.flatMap(({ details }) => details.map(({ amount }) => amount))
      assert.deepEqual([found.length, amounts.sort()], [1, [0, 1, 2, 3]])
    })
  })
}
