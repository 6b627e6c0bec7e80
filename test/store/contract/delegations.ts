/** The store contract for token exchange: one delegation for each client and parent, which ends for good. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Authorization } from '../../../src/model/authorization.ts'
import type { Client } from '../../../src/model/client.ts'
import type { FamilyId } from '../../../src/model/ids.ts'
import type { Delegation, StartedFamily } from '../../../src/store/contract/family.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Open } from '../contract.ts'
import { nextFamily, raceRounds, start, together, trace } from '../moments.ts'
import {
  newSalt,
  sampleApproval,
  sampleClient,
  sampleDelegation,
  sampleRedemption,
} from '../sample.ts'
import { approveIn, settleFamily } from '../settle.ts'

/** Ids of samples are no moments: they sort before those of this one. */
const loginLater = start * 1000

const livingOf = ({ salt }: Authorization, familyId: FamilyId, generation = 0) => ({
  familyId,
  tokenId: `${familyId}.${generation}`,
  salt,
})

export const delegationContract = (store: () => Store): void => {
  const addClient = async (): Promise<Client> => {
    const client = sampleClient({ name: 'Helper' })
    await store().createClient(client, trace())
    return client
  }

  /** A token of an approval, and a client to exchange it. */
  const begin = async () => {
    const settled = await settleFamily(store())
    const helper = await addClient()
    const { authorization, familyId } = settled
    const chain = [livingOf(authorization, familyId)]
    const delegation = (change: Partial<Delegation> = {}) =>
      sampleDelegation(chain, authorization, helper, change)
    const logIn = async () => {
      const redemption = sampleRedemption(authorization)
      await store().redeemCode(redemption, trace())
      return { chain: [livingOf(authorization, redemption.familyId)], loggedInAt: loginLater }
    }
    return { ...settled, helper, chain, delegation, logIn }
  }

  const delegate = (delegation: Delegation, at = start) => store().delegate(delegation, trace(at))

  const started = async (delegation: Delegation, at = start): Promise<StartedFamily> => {
    const outcome = await delegate(delegation, at)
    assert.ok(outcome !== null && typeof outcome === 'object', String(outcome))
    return outcome
  }

  const listOf = async ({ owner }: { owner: { id: Authorization['ownerId'] } }) =>
    (await store().listAuthorizations({ ownerId: owner.id }, null, 10, start)).rows

  test('an exchange begins a delegation and its family, and tells of it once', async () => {
    const { delegation, authorization, helper, owner, client } = await begin()
    const asked = delegation()
    const { id, familyId, permissions } = asked
    const { authorization: begun, family } = await started(asked)
    assert.deepEqual(begun, {
      id,
      clientId: helper.id,
      ownerId: owner.id,
      parentId: authorization.id,
      permissions,
      details: [],
      duration: 'chosen',
      sessionId: null,
      expiresAt: null,
      createdAt: start,
      salt: 'salt-of-the-delegation',
      approvedFor: null,
      allowedBy: null,
      paused: null,
    })
    assert.deepEqual((await store().findStanding(familyId, start))?.authorization, begun)
    assert.deepEqual((await store().findStanding(familyId, start))?.family, family)
    const further = await started(delegation({ permissions: ['photos:write'] }))
    assert.deepEqual(further.authorization.permissions, ['photos:read', 'photos:write'])
    await started(delegation())
    const [parent] = await listOf({ owner })
    assert.deepEqual([parent?.id, parent?.lastUsedAt], [authorization.id, start])
    const { rows } = await store().listEvents({ clientId: helper.id }, null, 2)
    const about = { parentId: authorization.id, parentClientId: client.id }
    assert.deepEqual(
      rows.map(({ type, details }) => [type, details]),
      [
        ['authorization.delegated', { permissions: 'photos:read photos:write', ...about }],
        ['authorization.delegated', { permissions: 'photos:read', ...about }],
      ],
    )
  })

  test('a delegation is no approval of its client', async () => {
    const { delegation, helper, owner, authorization, client } = await begin()
    const { authorization: begun } = await started(delegation())
    assert.equal(await store().isApproved(helper.id), false)
    assert.deepEqual(await store().findAuthorizations(owner.id, helper.id, start), [])
    const approval = sampleApproval({ client: helper, owner })
    const approved = await approveIn(store(), { ...approval, permissions: [] }, trace())
    assert.ok(approved)
    assert.notEqual(approved.id, begun.id)
    assert.deepEqual(await store().findAuthorization(begun.id, start), begun)
    const of = { ownerId: owner.id, clientId: helper.id }
    assert.equal(await store().pauseAuthorizations(of, trace()), 1)
    assert.equal((await store().findAuthorization(begun.id, start))?.paused, null)
    assert.equal(
      await store().pauseAuthorizations({ ...of, parentId: authorization.id }, trace()),
      1,
    )
    assert.equal(await delegate(delegation()), 'paused')
    const names = (await listOf({ owner })).map((one) => [one.clientName, one.parentClientName])
    assert.deepEqual(names, [
      [client.name, null],
      ['Helper', client.name],
      ['Helper', null],
    ])
  })

  test('what was taken stays away until the owner has logged in again', async () => {
    const { delegation, logIn } = await begin()
    const both = { permissions: ['photos:read', 'photos:write'] as const }
    const { authorization: begun } = await started(delegation(both))
    await store().narrowAuthorization(begun.id, null, ['photos:read'], trace())
    assert.equal(await delegate(delegation({ permissions: ['photos:write'] })), 'taken')
    const left = await started(delegation(both))
    assert.deepEqual(left.authorization.permissions, ['photos:read'])
    const again = await started(delegation({ ...both, ...(await logIn()) }))
    assert.deepEqual(again.authorization.permissions, both.permissions)
    assert.equal(await store().endAuthorization(begun.id, null, trace()), true)
    assert.equal(await delegate(delegation()), 'taken')
    const silent = { ...(await logIn()), loggedInAt: null }
    assert.equal(await delegate(delegation(silent)), 'taken')
    const later = await logIn()
    const anew = await started(delegation(later))
    assert.notEqual(anew.authorization.id, begun.id)
    assert.equal(await delegate(delegation()), 'taken')
  })

  test('another approval of the same application does not go around what was taken or paused', async () => {
    const { delegation, owner, client, helper, authorization } = await begin()
    const both = { permissions: ['photos:read', 'photos:write'] as const }
    const { authorization: begun } = await started(delegation(both))
    const day = { duration: 'day', expiresAt: start + 500 } as const
    const parent = await approveIn(store(), sampleApproval({ client, owner }, day), trace())
    assert.ok(parent)
    assert.notEqual(parent.id, authorization.id)
    const redemption = sampleRedemption(parent)
    await store().redeemCode(redemption, trace())
    const chain = [livingOf(parent, redemption.familyId)]
    const beside = (change = {}) => sampleDelegation(chain, parent, helper, { ...both, ...change })
    const of = { ownerId: owner.id, clientId: helper.id, parentId: authorization.id }
    await store().pauseAuthorizations(of, trace())
    assert.equal(await delegate(beside()), 'paused')
    await store().resumeAuthorizations({ ...of, session: null }, trace())
    await store().narrowAuthorization(begun.id, null, ['photos:read'], trace())
    assert.equal(await delegate(beside({ permissions: ['photos:write'] })), 'taken')
    const left = await started(beside())
    assert.deepEqual(left.authorization.permissions, ['photos:read'])
    await store().endAuthorization(begun.id, null, trace())
    assert.equal(await delegate(beside()), 'taken')
    const later = await started(beside({ loggedInAt: loginLater }))
    assert.deepEqual(later.authorization.permissions, both.permissions)
  })

  test('of details, a narrower one adds nothing, and a wider one takes its place', async () => {
    const { delegation, helper } = await begin()
    const actions = (...names: readonly string[]) => [
      { type: 'payments', actions: names, to: 'Bob' },
    ]
    const none = { permissions: [] }
    await started(delegation({ ...none, details: actions('read') }))
    const wide = actions('read', 'pay', 'write')
    const wider = await started(delegation({ ...none, details: wide }))
    assert.deepEqual(wider.authorization.details, wide)
    const narrow = await started(delegation({ ...none, details: actions('pay') }))
    assert.deepEqual(narrow.authorization.details, wide)
    const { rows } = await store().listEvents({ clientId: helper.id }, null, 9)
    assert.equal(rows.filter(({ type }) => type === 'authorization.delegated').length, 2)
  })

  test('everything above has to live: token, family, authorization, clients and owner', async () => {
    const cases: readonly ((of: Awaited<ReturnType<typeof begin>>) => Promise<unknown>)[] = [
      ({ familyId, authorization: { id: authorizationId } }) =>
        store().endToken(
          { of: { familyId, authorizationId }, tokenId: `${familyId}.0`, expiresAt: null },
          trace(),
        ),
      ({ familyId }) => store().endFamily(familyId, trace()),
      ({ authorization }) => store().endAuthorization(authorization.id, null, trace()),
      ({ owner, client }) =>
        store().pauseAuthorizations({ ownerId: owner.id, clientId: client.id }, trace()),
      ({ client }) => store().changeClient(client.id, { newSalt, disabled: true }, trace()),
      ({ helper }) => store().changeClient(helper.id, { newSalt, disabled: true }, trace()),
      ({ client }) => store().endClientTokens(client.id, { own: 'new', family: 'new' }, trace()),
    ]
    for (const [i, end] of cases.entries()) {
      const of = await begin()
      await started(of.delegation())
      await end(of)
      assert.equal(await delegate(of.delegation()), null, String(i))
    }
    const of = await begin()
    assert.equal(await delegate(of.delegation(), start + 1000), null)
  })

  test('RC-15 of ten exchanges at once all go under one delegation', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { delegation, owner } = await begin()
      const outcomes = await together(10, () => started(delegation()))
      const ids = new Set(outcomes.map(({ authorization }) => authorization.id))
      assert.equal(ids.size, 1)
      assert.equal(new Set(outcomes.map(({ family }) => family.id)).size, 10)
      assert.equal((await listOf({ owner })).length, 2)
    }
  })

  test('RC-16 an exchange beside the end of the parent, or of the branch, leaves nothing alive', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { delegation, authorization, chain, helper, owner } = await begin()
      const [first, , second] = await Promise.all([
        delegate(delegation()),
        store().endAuthorization(authorization.id, null, trace()),
        delegate(delegation()),
      ])
      assert.equal(await delegate(delegation()), null)
      for (const one of [first, second]) assert.ok(one === null || typeof one === 'object')
      assert.deepEqual(await listOf({ owner }), [])
      const below = sampleDelegation(
        [livingOf(authorization, nextFamily(authorization)), ...chain],
        authorization,
        helper,
      )
      assert.equal(await delegate(below), null)
    }
    for (let round = 0; round < raceRounds; round++) {
      const { delegation } = await begin()
      const { authorization: begun } = await started(delegation())
      const [first, ended] = await Promise.all([
        together(3, () => delegate(delegation())),
        store().endAuthorization(begun.id, null, trace()),
      ])
      assert.equal(ended, true)
      assert.equal(await delegate(delegation()), 'taken')
      for (const one of first) {
        if (one === null || typeof one === 'string') continue
        assert.equal(await store().findStanding(one.family.id, start), null)
      }
    }
  })

  test('the second in a chain hangs on the delegation of the first', async () => {
    const { delegation, chain, owner, authorization: root } = await begin()
    const first = await started(delegation())
    const second = await addClient()
    const links = [livingOf(first.authorization, first.family.id), ...chain]
    const below = () => sampleDelegation(links, first.authorization, second)
    const { authorization } = await started(below())
    assert.equal(authorization.parentId, first.authorization.id)
    await store().endFamily(chain[0]?.familyId ?? assert.fail(), trace())
    assert.equal(await delegate(below()), null)
    assert.equal((await listOf({ owner })).length, 3)
    await store().endAuthorization(root.id, null, trace())
    assert.deepEqual(await listOf({ owner }), [])
  })
}

export const delegationHousekeepingContract = (open: Open): void => {
  test('an ended delegation is remembered while its parent lives, and goes after it', async () => {
    const { store, dispose } = await open()
    const purge = async (now: number): Promise<void> => {
      while ((await store.purge(now, { events: 0, accessLog: 0 }, 100)) > 0);
    }
    const { authorization, owner } = await settleFamily(store)
    const helper = sampleClient()
    await store.createClient(helper, trace())
    const logIn = async (at: number) => {
      const redemption = sampleRedemption(authorization, { expiresAt: null, codeIssuedAt: at })
      await store.redeemCode(redemption, trace(at))
      return { chain: [livingOf(authorization, redemption.familyId)], loggedInAt: loginLater }
    }
    const { chain: first } = await logIn(start)
    const begun = await store.delegate(sampleDelegation(first, authorization, helper), trace())
    assert.ok(begun !== null && typeof begun === 'object')
    await store.endAuthorization(begun.authorization.id, null, trace())
    const later = start + 40 * 86_400
    await purge(later)
    const again = sampleDelegation(first, authorization, helper)
    assert.equal(await store.delegate(again, trace(later)), 'taken')
    const anew = sampleDelegation(first, authorization, helper, await logIn(later))
    const standing = await store.delegate(anew, trace(later))
    assert.ok(standing !== null && typeof standing === 'object')
    await store.endAuthorization(authorization.id, null, trace(later))
    const listed = async (now: number, ended: boolean): Promise<number> => {
      const of = { ownerId: owner.id, ...(ended ? { ended: true as const } : {}) }
      return (await store.listAuthorizations(of, null, 10, now)).rows.length
    }
    assert.equal(await listed(later, false), 0)
    await purge(later)
    assert.equal(await listed(later, true), 2)
    await purge(later + 40 * 86_400)
    assert.equal(await listed(later, true), 0)
    await dispose()
  })
}
