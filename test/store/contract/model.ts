/** The life of a family against a small model of it: every outcome after any history. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Store } from '../../../src/store/store.ts'
import { start, trace } from '../moments.ts'
import { newSalt, sampleRedemption, sampleRotation } from '../sample.ts'
import { settle } from '../settle.ts'

type Action =
  | { readonly do: 'redeem' | 'burn' | 'revoke' | 'toggle client' | 'new password' | 'end' }
  | { readonly do: 'rotate'; readonly behind: number; readonly seconds: number }
  | { readonly do: 'wait'; readonly seconds: number }

interface Model {
  now: number
  authorized: boolean
  clientDisabled: boolean
  /** Whether the salt is still the one that code and tokens were sealed with. */
  sealed: boolean
  family: {
    generation: number
    rotatedAt: number
    expiresAt: number
    ended: boolean
    /** The generation that a repeat was last forgiven in. */
    repeatedIn: number | null
  } | null
}

const simple = [
  'redeem',
  'redeem',
  'burn',
  'revoke',
  'toggle client',
  'new password',
  'end',
] as const

const actions: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constantFrom(...simple) }),
  fc.record({
    do: fc.constant('wait' as const),
    seconds: fc.constantFrom(1, 29, 30, 31, 200, -10, -11),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('rotate' as const),
      behind: fc.constantFrom(0, 0, 0, 1, 1, 1, 2, -1),
      seconds: fc.constantFrom(10, 100, 1000),
    }),
  },
)

const expired = ({ family, now }: Model): boolean => family !== null && family.expiresAt <= now
const allowed = (model: Model): boolean => model.authorized && !model.clientDisabled
const alive = (model: Model): boolean =>
  model.family !== null && !model.family.ended && !expired(model)

const expectRedeem = (model: Model, burn: boolean): string => {
  if (model.family !== null) {
    model.family.ended = true
    return 'replayed'
  }
  if (!burn && (!allowed(model) || !model.sealed)) return 'ended'
  const expiresAt = start + 1000
  model.family = {
    generation: 0,
    rotatedAt: model.now,
    expiresAt,
    ended: burn,
    repeatedIn: null,
  }
  return burn ? 'burned' : 'redeemed'
}

const expectRotate = (model: Model, behind: number, expiresAt: number): string => {
  const { family } = model
  if (family === null || !alive(model)) return 'ended'
  const fresh = allowed(model) && model.sealed
  if (behind === 0 && fresh) {
    family.generation += 1
    family.rotatedAt = model.now
    family.expiresAt = expiresAt
    return 'rotated'
  }
  if (behind <= 0) return 'ended'
  const since = model.now - family.rotatedAt
  const isHonest = behind === 1 && since >= -10 && since <= 30
  if (isHonest && family.repeatedIn !== family.generation - 1) {
    if (!fresh) return 'ended'
    family.repeatedIn = family.generation
    return 'repeated'
  }
  family.ended = true
  return 'reused'
}

export const modelContract = (store: () => Store): void => {
  const play = async (history: readonly Action[]): Promise<void> => {
    const { client, owner, authorization } = await settle(store())
    const redemption = sampleRedemption(authorization)
    const { familyId } = redemption
    const model: Model = {
      now: start,
      authorized: true,
      clientDisabled: false,
      sealed: true,
      family: null,
    }
    const at = () => trace(model.now)
    for (const action of history) {
      if (action.do === 'wait') model.now += action.seconds
      else if (action.do === 'redeem' || action.do === 'burn') {
        const burn = action.do === 'burn'
        const { outcome } = await store().redeemCode({ ...redemption, burn }, at())
        assert.equal(outcome, expectRedeem(model, burn))
      } else if (action.do === 'rotate') {
        const generation = (model.family?.generation ?? 0) - action.behind
        const expiresAt = model.now + action.seconds
        const rotation = sampleRotation(familyId, generation, { expiresAt })
        const { outcome } = await store().rotateRefreshToken(rotation, at())
        assert.equal(outcome, expectRotate(model, action.behind, expiresAt))
      } else if (action.do === 'revoke') {
        const ended = await store().endFamily(familyId, at())
        assert.equal(ended, alive(model) && model.authorized)
        if (ended && model.family !== null) model.family.ended = true
      } else if (action.do === 'toggle client') {
        model.clientDisabled = !model.clientDisabled
        await store().changeClient(client.id, { newSalt, disabled: model.clientDisabled }, at())
      } else if (action.do === 'new password') {
        model.sealed = false
        await store().changePassword(owner.id, { hash: 'new', salt: 'new' }, null, at())
      } else {
        assert.equal(await store().endAuthorization(authorization.id, null, at()), model.authorized)
        model.authorized = false
      }
      const standing = await store().findStanding(familyId, model.now)
      assert.equal(standing !== null, alive(model) && allowed(model))
      assert.equal(standing?.family.generation ?? null, standing && model.family?.generation)
      assert.equal(await store().isRedeemed(familyId), model.family !== null)
    }
  }

  test('RC-14 every history of a code and its family goes as the model says', async () => {
    const histories = fc.array(actions, { minLength: 1, maxLength: 14 })
    await fc.assert(fc.asyncProperty(histories, play), { numRuns: 100 })
  })
}
