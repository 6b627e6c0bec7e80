/** The store contract for device authorizations: decided once, redeemed once, whatever comes beside it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeviceAuthorization, DeviceBounds } from '../../../src/features/device/contract.ts'
import type { Authorization } from '../../../src/model/authorization.ts'
import type { Client } from '../../../src/model/client.ts'
import type { ClientId, Digest, FamilyId } from '../../../src/model/ids.ts'
import type { Store } from '../../../src/store/store.ts'
import { familyOf, next, raceRounds, start, together, trace } from '../moments.ts'
import { newSalt, sampleApproval, sampleOwner } from '../sample.ts'
import { approveIn, settle } from '../settle.ts'

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

const approvalBy = ({ id: authorizationId, salt }: Authorization, terms = 'some terms') => ({
  authorizationId,
  salt,
  terms,
})

const redemptionBy = (id: FamilyId, authorization: Authorization, terms?: string) => ({
  id,
  familyId: familyOf(id, authorization),
  ...approvalBy(authorization, terms),
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

  type Begun = Awaited<ReturnType<typeof begin>>

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
    const begun = (change: Partial<DeviceAuthorization>, bounds: DeviceBounds | null) =>
      store().startDevice(sampleDevice(client.id, { ...at, ...change }), bounds)
    const three = { ofNetwork: 3, inAll: 1000 }
    for (let i = 0; i < 3; i++) assert.equal(await begun({ network }, three), 'started')
    assert.equal(await begun({ network }, three), 'too_many_of_network')
    assert.equal(await begun({ network: next('network') }, three), 'started')
    assert.equal(await begun({ network }, { ofNetwork: 1000, inAll: 4 }), 'too_many')
    assert.equal(await begun({ network }, null), 'started')
    const later = { createdAt: start + 50_600, expiresAt: start + 51_200 }
    assert.equal(await begun({ network, ...later }, three), 'started')
  })

  test('a code that was denied or redeemed takes no place from others', async () => {
    const { client, owner } = await settle(store())
    const network = next('network')
    const one = { ofNetwork: 1, inAll: 10_000 }
    const begun = async () => {
      const device = sampleDevice(client.id, { network })
      return { device, outcome: await store().startDevice(device, one) }
    }
    const { device, outcome } = await begun()
    assert.equal(outcome, 'started')
    assert.equal((await begun()).outcome, 'too_many_of_network')
    assert.equal(await store().denyDevice(device.id, owner.id, trace()), true)
    assert.equal((await begun()).outcome, 'started')
  })

  test('an approval is stored, and may be repeated by the same authorization', async () => {
    const { device, authorization, by } = await beginApproved()
    assert.deepEqual(await store().findDevice(device.id), { ...device, state: 'approved', ...by })
    assert.equal(await store().findDeviceByCode(device.userCode, start), null)
    assert.equal(await store().approveDevice(device.id, by, trace()), true)
    const { authorization: other, owner: stranger } = await settle(store())
    assert.equal(await store().denyDevice(device.id, stranger.id, trace()), false)
    assert.equal(await store().denyDevice(device.id, null, trace()), false)
    assert.equal(await store().approveDevice(device.id, approvalBy(other), trace()), false)
    const redemption = redemptionBy(device.id, authorization)
    const redeemed = await store().redeemDevice(redemption, trace(start + 7))
    assert.deepEqual(redeemed, {
      outcome: 'redeemed',
      family: {
        id: familyOf(device.id, authorization),
        authorizationId: authorization.id,
        generation: 0,
        rotatedAt: start + 7,
        expiresAt: start + 1000,
        hasEndings: false,
      },
    })
    assert.equal((await store().findDevice(device.id))?.state, 'redeemed')
    assert.deepEqual(
      (await store().findStanding(familyOf(device.id, authorization), start + 8))?.family.id,
      familyOf(device.id, authorization),
    )
    assert.deepEqual(await store().redeemDevice(redemption, trace()), { outcome: 'used' })
    assert.equal(await store().approveDevice(device.id, by, trace()), true)
    assert.equal(await store().denyDevice(device.id, authorization.ownerId, trace()), false)
    assert.notEqual(await store().findStanding(familyOf(device.id, authorization), start + 8), null)
  })

  /** What another owner of the same client approved. */
  const approveByOther = async (client: Client): Promise<Authorization> => {
    const owner = sampleOwner()
    await store().createOwner(owner, trace())
    const approved = await approveIn(store(), sampleApproval({ client, owner }), trace())
    assert.ok(approved !== null)
    return approved
  }

  test('a later decision of the owner holds until the device has redeemed the earlier one', async () => {
    const { device, authorization, client } = await beginApproved()
    const other = await approveByOther(client)
    assert.equal(await store().approveDevice(device.id, approvalBy(other), trace()), false)
    const less = approvalBy(authorization, 'fewer terms')
    assert.equal(await store().approveDevice(device.id, less, trace()), true)
    assert.deepEqual(await store().findDevice(device.id), { ...device, state: 'approved', ...less })
    const early = redemptionBy(device.id, authorization)
    assert.deepEqual(await store().redeemDevice(early, trace()), { outcome: 'changed' })
    assert.equal(await store().denyDevice(device.id, authorization.ownerId, trace()), true)
    assert.deepEqual(await store().findDevice(device.id), { ...device, state: 'denied' })
    const late = redemptionBy(device.id, authorization, 'fewer terms')
    assert.deepEqual(await store().redeemDevice(late, trace()), { outcome: 'changed' })
    assert.equal(await store().approveDevice(device.id, less, trace()), false)
  })

  test('nothing is approved for a device that is over', async () => {
    const over: Readonly<Record<string, (of: Begun) => Promise<unknown>>> = {
      denied: ({ device, owner }) => store().denyDevice(device.id, owner.id, trace()),
      'approved by another one': async ({ device, client }) =>
        store().approveDevice(device.id, approvalBy(await approveByOther(client)), trace()),
    }
    for (const [name, end] of Object.entries(over)) {
      const begun = await begin()
      const { device, client, owner } = begun
      await end(begun)
      const duration = 'month'
      const late = {
        ...sampleApproval({ client, owner }),
        duration,
        journeyId: device.id,
      } as const
      assert.deepEqual(await store().approve(late, trace()), { outcome: 'impossible' }, name)
    }
    const { device, client, owner } = await beginApproved()
    const again = { ...sampleApproval({ client, owner }), journeyId: device.id }
    assert.equal((await store().approve(again, trace())).outcome, 'approved')
    const expired = await store().approve(again, trace(device.expiresAt))
    assert.deepEqual(expired, { outcome: 'impossible' })
  })

  test('the owner can see later where and when a device asked', async () => {
    const { device, authorization, client, owner } = await beginApproved()
    await store().redeemDevice(redemptionBy(device.id, authorization), trace())
    const other = sampleDevice(client.id)
    await store().startDevice(other, wide)
    await store().denyDevice(other.id, owner.id, trace())
    const { rows } = await store().listEvents({ ownerId: owner.id }, null, 10, 'newest first')
    const told = rows.filter(({ type }) => type.startsWith('device.'))
    const details = { network: '203.0.113.*', askedAt: start }
    assert.deepEqual(
      told.map(({ type, clientId, authorizationId, details }) => ({
        type,
        clientId,
        authorizationId,
        details,
      })),
      [
        { type: 'device.denied', clientId: client.id, authorizationId: null, details },
        {
          type: 'device.connected',
          clientId: client.id,
          authorizationId: authorization.id,
          details,
        },
      ],
    )
  })

  test('a denial ends it', async () => {
    const { device, authorization } = await begin()
    assert.equal(await store().denyDevice(device.id, null, trace()), true)
    assert.equal(await store().denyDevice(device.id, null, trace()), false)
    assert.equal(await store().approveDevice(device.id, approvalBy(authorization), trace()), false)
    const redemption = redemptionBy(device.id, authorization)
    assert.deepEqual(await store().redeemDevice(redemption, trace()), { outcome: 'changed' })
  })

  test('after its end nothing is decided, and nothing earned', async () => {
    const { device, authorization } = await begin()
    const late = trace(device.expiresAt)
    assert.equal(await store().approveDevice(device.id, approvalBy(authorization), late), false)
    assert.equal(await store().denyDevice(device.id, authorization.ownerId, late), false)
    assert.equal(await store().approveDevice(device.id, approvalBy(authorization), trace()), true)
    const redemption = redemptionBy(device.id, authorization)
    assert.deepEqual(await store().redeemDevice(redemption, late), { outcome: 'used' })
  })

  test('an authorization of another client approves nothing', async () => {
    const { device } = await begin()
    const { authorization } = await settle(store())
    assert.equal(await store().approveDevice(device.id, approvalBy(authorization), trace()), false)
  })

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
      assert.equal(await store().isRedeemed(redemption.familyId), false)
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
    for (let round = 0; round < raceRounds; round++) {
      const { device, authorization } = await beginApproved()
      const redemption = redemptionBy(device.id, authorization)
      const outcomes = await together(20, () => store().redeemDevice(redemption, trace()))
      assert.deepEqual(tally(outcomes.map(({ outcome }) => outcome)), { redeemed: 1, used: 19 })
      assert.notEqual(await store().findStanding(familyOf(device.id, authorization), start), null)
    }
  })

  test('of an approval and the denial of another one at once, one holds', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { device, authorization } = await begin()
      const by = approvalBy(authorization)
      const decisions = await together(10, (i) =>
        i % 2 === 0
          ? store().denyDevice(device.id, null, trace())
          : store().approveDevice(device.id, by, trace()),
      )
      const state = (await store().findDevice(device.id))?.state
      const approvals = decisions.filter((isDone, i) => isDone && i % 2 === 1).length
      const denials = decisions.filter((isDone, i) => isDone && i % 2 === 0).length
      assert.deepEqual([approvals > 0, denials], state === 'approved' ? [true, 0] : [false, 1])
    }
  })

  test('a denial of the owner holds, whatever the owner approves beside it', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { device, authorization } = await begin()
      const by = approvalBy(authorization)
      await together<unknown>(6, (i) =>
        i === round % 6
          ? store().denyDevice(device.id, authorization.ownerId, trace())
          : store().approveDevice(device.id, by, trace()),
      )
      assert.equal((await store().findDevice(device.id))?.state, 'denied')
    }
  })

  test('a denial beside a redemption takes all or nothing', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { device, authorization } = await beginApproved()
      const redemption = redemptionBy(device.id, authorization)
      const [first, second] = await together<unknown>(2, (i) =>
        i === round % 2
          ? store().denyDevice(device.id, authorization.ownerId, trace())
          : store().redeemDevice(redemption, trace()),
      )
      const isDenied = first === true || second === true
      assert.equal((await store().findDevice(device.id))?.state, isDenied ? 'denied' : 'redeemed')
      assert.equal(
        (await store().findStanding(familyOf(device.id, authorization), start)) === null,
        isDenied,
      )
    }
  })

  test('nothing that a redemption earns outlives the end of its authorization beside it', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { device, authorization } = await beginApproved()
      await together<unknown>(2, (i) =>
        i === round % 2
          ? store().endAuthorization(authorization.id, null, trace())
          : store().redeemDevice(redemptionBy(device.id, authorization), trace()),
      )
      assert.equal(await store().findStanding(familyOf(device.id, authorization), start), null)
    }
  })
}
