/** The store contract for device authorizations: decided once, redeemed once, whatever comes beside it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeviceAuthorization, DeviceBounds } from '../../../src/features/device/contract.ts'
import type { Authorization } from '../../../src/model/authorization.ts'
import type { ClientId, Digest, FamilyId } from '../../../src/model/ids.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../moments.ts'
import { newSalt } from '../sample.ts'
import { settle } from '../settle.ts'

const wide: DeviceBounds = { ofNetwork: 1000, inAll: 10_000 }

const sampleDevice = (
  clientId: ClientId,
  change: Partial<DeviceAuthorization> = {},
): DeviceAuthorization => ({
  id: next('device') as FamilyId,
  secretDigest: `digest of ${next('secret')}` as Digest,
  userCode: next('user code'),
  clientId,
  parameters: `client_id=${clientId}&scope=photos%3Aread`,
  network: '203.0.113.*',
  createdAt: start,
  expiresAt: start + 600,
  state: 'pending',
  authorizationId: null,
  salt: null,
  terms: null,
  ...change,
})

const approvalBy = ({ id: authorizationId, salt }: Authorization) => ({
  authorizationId,
  salt,
  terms: 'the terms in some form',
})

const redemptionBy = (id: FamilyId, { id: authorizationId, salt }: Authorization) => ({
  id,
  authorizationId,
  salt,
  expiresAt: start + 1000,
})

const tally = (outcomes: readonly unknown[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[String(outcome)] = (counts[String(outcome)] ?? 0) + 1
  return counts
}

export const deviceContract = (store: () => Store): void => {
  const begin = async (change: Partial<DeviceAuthorization> = {}) => {
    const settled = await settle(store())
    const device = sampleDevice(settled.client.id, change)
    assert.equal(await store().startDevice(device, wide), 'started')
    return { ...settled, device }
  }

  const beginApproved = async () => {
    const begun = await begin()
    const by = approvalBy(begun.authorization)
    assert.equal(await store().approveDevice(begun.device.id, by, trace()), true)
    return { ...begun, by }
  }

  test('a device is found by its id, and by its code for as long as it waits', async () => {
    const { device } = await begin()
    assert.deepEqual(await store().findDevice(device.id), device)
    assert.deepEqual(await store().findDeviceByCode(device.userCode, start), device)
    assert.equal(await store().findDeviceByCode(device.userCode, device.expiresAt), null)
    assert.deepEqual(await store().findDevice(device.id), device)
    assert.equal(await store().findDevice('nobody' as FamilyId), null)
    assert.equal(await store().findDeviceByCode('nothing', start), null)
  })

  test('two devices never have one code', async () => {
    const { device, client } = await begin()
    const other = sampleDevice(client.id, { userCode: device.userCode })
    assert.equal(await store().startDevice(other, wide), 'taken')
    assert.equal(await store().findDevice(other.id), null)
  })

  test('so many codes live in a network, and in all', async () => {
    const { client } = await settle(store())
    const network = next('network')
    const at = { createdAt: start + 50_000, expiresAt: start + 50_600 }
    const begun = (change: Partial<DeviceAuthorization>, bounds: DeviceBounds) =>
      store().startDevice(sampleDevice(client.id, { ...at, ...change }), bounds)
    const three = { ofNetwork: 3, inAll: 1000 }
    for (let i = 0; i < 3; i++) assert.equal(await begun({ network }, three), 'started')
    assert.equal(await begun({ network }, three), 'too_many_of_network')
    assert.equal(await begun({ network: next('network') }, three), 'started')
    assert.equal(await begun({ network }, { ofNetwork: null, inAll: 1000 }), 'started')
    assert.equal(await begun({ network }, { ofNetwork: null, inAll: 5 }), 'too_many')
    const later = { createdAt: start + 50_600, expiresAt: start + 51_200 }
    assert.equal(await begun({ network, ...later }, three), 'started')
  })

  test('an approval is stored once, and may be repeated by the same authorization', async () => {
    const { device, authorization, by } = await beginApproved()
    assert.deepEqual(await store().findDevice(device.id), { ...device, state: 'approved', ...by })
    assert.equal(await store().findDeviceByCode(device.userCode, start), null)
    assert.equal(await store().approveDevice(device.id, by, trace()), true)
    assert.equal(await store().denyDevice(device.id, trace()), false)
    const { authorization: other } = await settle(store())
    assert.equal(await store().approveDevice(device.id, approvalBy(other), trace()), false)
    const redemption = redemptionBy(device.id, authorization)
    const redeemed = await store().redeemDevice(redemption, trace(start + 7))
    assert.deepEqual(redeemed, {
      outcome: 'redeemed',
      family: {
        id: device.id,
        authorizationId: authorization.id,
        generation: 0,
        rotatedAt: start + 7,
        expiresAt: start + 1000,
        hasEndings: false,
      },
    })
    assert.equal((await store().findDevice(device.id))?.state, 'redeemed')
    assert.deepEqual((await store().findStanding(device.id, start + 8))?.family.id, device.id)
    assert.deepEqual(await store().redeemDevice(redemption, trace()), { outcome: 'used' })
    assert.notEqual(await store().findStanding(device.id, start + 8), null)
  })

  test('a denial ends it', async () => {
    const { device, authorization } = await begin()
    assert.equal(await store().denyDevice(device.id, trace()), true)
    assert.equal(await store().denyDevice(device.id, trace()), false)
    assert.equal(await store().approveDevice(device.id, approvalBy(authorization), trace()), false)
    const redemption = redemptionBy(device.id, authorization)
    assert.deepEqual(await store().redeemDevice(redemption, trace()), { outcome: 'used' })
  })

  test('after its end nothing is decided, and nothing earned', async () => {
    const { device, authorization } = await begin()
    const late = trace(device.expiresAt)
    assert.equal(await store().approveDevice(device.id, approvalBy(authorization), late), false)
    assert.equal(await store().denyDevice(device.id, late), false)
    assert.equal(await store().approveDevice(device.id, approvalBy(authorization), trace()), true)
    const redemption = redemptionBy(device.id, authorization)
    assert.deepEqual(await store().redeemDevice(redemption, late), { outcome: 'used' })
  })

  test('an authorization of another client approves nothing', async () => {
    const { device } = await begin()
    const { authorization } = await settle(store())
    assert.equal(await store().approveDevice(device.id, approvalBy(authorization), trace()), false)
  })

  type Begun = Awaited<ReturnType<typeof begin>>

  const ends: Readonly<Record<string, (begun: Begun) => Promise<unknown>>> = {
    'the authorization ended': ({ authorization }) =>
      store().endAuthorization(authorization.id, null, trace()),
    'the client was disabled': ({ client }) =>
      store().changeClient(client.id, { newSalt, disabled: true }, trace()),
    'the tokens of the client were ended': ({ client }) =>
      store().endClientTokens(client.id, { own: 'one', family: 'two' }, trace()),
    'the client was deleted': ({ client }) => store().deleteClient(client.id, trace()),
    'the owner was disabled': ({ owner }) =>
      store().changeOwner(owner.id, { disabled: true }, trace()),
    'the owner was deleted': ({ owner }) => store().deleteOwner(owner.id, trace()),
  }
  for (const [name, end] of Object.entries(ends)) {
    test(`nothing is approved or earned once ${name}`, async () => {
      const waiting = await begin()
      await end(waiting)
      const by = approvalBy(waiting.authorization)
      assert.equal(await store().approveDevice(waiting.device.id, by, trace()), false)
      const approved = await beginApproved()
      await end(approved)
      const redemption = redemptionBy(approved.device.id, approved.authorization)
      assert.deepEqual(await store().redeemDevice(redemption, trace()), { outcome: 'ended' })
      assert.equal(await store().isRedeemed(approved.device.id), false)
    })
  }

  test('a paused application is redeemed once it is resumed', async () => {
    const { device, authorization, owner, client } = await beginApproved()
    const of = { ownerId: owner.id, clientId: client.id }
    await store().pauseAuthorizations(of, trace())
    const redemption = redemptionBy(device.id, authorization)
    assert.deepEqual(await store().redeemDevice(redemption, trace()), { outcome: 'paused' })
    await store().resumeAuthorizations({ ...of, session: null }, trace())
    assert.equal((await store().redeemDevice(redemption, trace())).outcome, 'redeemed')
  })

  test('RC-06 of twenty who redeem one approved device at once, one does', async () => {
    for (let round = 0; round < 20; round++) {
      const { device, authorization } = await beginApproved()
      const redemption = redemptionBy(device.id, authorization)
      const outcomes = await together(20, () => store().redeemDevice(redemption, trace()))
      assert.deepEqual(tally(outcomes.map(({ outcome }) => outcome)), { redeemed: 1, used: 19 })
      assert.notEqual(await store().findStanding(device.id, start), null)
    }
  })

  test('of an approval and a denial at once, one holds', async () => {
    for (let round = 0; round < 20; round++) {
      const { device, authorization } = await begin()
      const by = approvalBy(authorization)
      const decisions = await together(10, (i) =>
        i % 2 === 0
          ? store().denyDevice(device.id, trace())
          : store().approveDevice(device.id, by, trace()),
      )
      const state = (await store().findDevice(device.id))?.state
      const approvals = decisions.filter((isDone, i) => isDone && i % 2 === 1).length
      const denials = decisions.filter((isDone, i) => isDone && i % 2 === 0).length
      assert.deepEqual([approvals > 0, denials], state === 'approved' ? [true, 0] : [false, 1])
    }
  })

  test('nothing that a redemption earns outlives the end of its authorization beside it', async () => {
    for (let round = 0; round < 20; round++) {
      const { device, authorization } = await beginApproved()
      await together<unknown>(2, (i) =>
        i === round % 2
          ? store().endAuthorization(authorization.id, null, trace())
          : store().redeemDevice(redemptionBy(device.id, authorization), trace()),
      )
      assert.equal(await store().findStanding(device.id, start), null)
    }
  })
}
