/** The store contract for grants: approvals of one named authorization. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authorization } from '../../../src/model/authorization.ts'
import type { ClientId } from '../../../src/model/ids.ts'
import type { Requester } from '../../../src/model/requester.ts'
import type { Approval } from '../../../src/store/contract/authorization.ts'
import type { Store } from '../../../src/store/store.ts'
import { raceRounds, start, together, trace } from '../moments.ts'
import { newSalt, sampleApproval, sampleRedemption, sampleSession } from '../sample.ts'
import { addPeople, approveIn, type Settled, settle, settleFamily } from '../settle.ts'

const read = ['photos:read'] as const
const contacts = ['contacts:read'] as const
const requester: Requester = {
  name: 'Printer',
  host: 'a.example',
  responseTypes: 'code',
  method: 'client_secret_basic',
}

export const grantContract = (store: () => Store): void => {
  const find = (id: Authorization['id'], at = start) => store().findAuthorization(id, at)

  /** A decision about the grant of somebody settled. */
  const decide = (
    { authorization, ...people }: Settled,
    grant: 'update' | 'replace',
    change: Partial<Approval> = {},
  ) => {
    const approval = sampleApproval(people, { id: authorization.id, salt: newSalt, ...change })
    return store().approve({ ...approval, grant }, trace(start + 9))
  }

  test('a grant begins beside an authorization of the same duration', async () => {
    const settled = await settle(store())
    const approval = sampleApproval(settled, { grant: 'create', asked: read, permissions: read })
    const begun = await approveIn(store(), approval, trace())
    assert.ok(begun !== null)
    assert.deepEqual([begun.id, begun.duration, begun.permissions], [approval.id, 'chosen', read])
    assert.deepEqual(await find(begun.id), begun)
    assert.deepEqual(await find(settled.authorization.id), settled.authorization)
  })

  test('an ordinary approval leaves a grant alone, and a refusal takes from it', async () => {
    const people = await addPeople(store())
    const grant = await approveIn(store(), sampleApproval(people, { grant: 'create' }), trace())
    assert.ok(grant !== null)
    const ordinary = sampleApproval(people, { asked: read, permissions: read })
    const other = await approveIn(store(), ordinary, trace())
    assert.ok(other !== null && other.id !== grant.id)
    assert.deepEqual(await find(grant.id), grant)
    await approveIn(store(), sampleApproval(people, { permissions: read }), trace())
    assert.deepEqual((await find(grant.id))?.permissions, read)
  })

  test('an update merges, ends what was sealed before, and sets the new end', async () => {
    const settled = await settleFamily(store(), { grant: 'create' })
    const all = ['contacts:read', 'photos:read', 'photos:write'] as const
    const end = { duration: 'day', expiresAt: start + 60 } as const
    const outcome = await decide(settled, 'update', { asked: all, permissions: all, ...end })
    assert.ok(outcome.outcome === 'approved')
    const { id, salt } = settled.authorization
    const { authorization } = outcome
    assert.deepEqual(authorization.permissions, all)
    assert.deepEqual([authorization.id, authorization.expiresAt], [id, start + 60])
    assert.notEqual(authorization.salt, salt)
    assert.deepEqual(await find(id), authorization)
    const late = sampleRedemption(settled.authorization)
    assert.deepEqual(await store().redeemCode(late, trace()), { outcome: 'ended' })
  })

  test('a replacement leaves nothing else, whoever the client has become', async () => {
    const settled = await settle(store(), { grant: 'create', requester })
    const changed = { requester: { ...requester, name: 'Other' }, expiresAt: start + 60 }
    const given = { asked: contacts, permissions: contacts, ...changed }
    const outcome = await decide(settled, 'replace', given)
    assert.ok(outcome.outcome === 'approved')
    assert.deepEqual(outcome.authorization.permissions, contacts)
    assert.equal(outcome.authorization.approvedFor?.name, 'Other')
  })

  describe('an update that nobody saw whole', () => {
    const narrow = { asked: contacts, permissions: contacts } as const

    test('prolongs nothing, and gives nothing to a changed client', async () => {
      const settled = await settle(store(), { grant: 'create', requester, expiresAt: start + 60 })
      for (const change of [
        { ...narrow, requester },
        { ...narrow, expiresAt: start + 60, requester: { ...requester, name: 'Other' } },
      ]) {
        assert.deepEqual(await decide(settled, 'update', change), { outcome: 'unsettled' })
      }
      assert.deepEqual(await find(settled.authorization.id), settled.authorization)
    })

    test('keeps what is there, with the end that it has', async () => {
      const settled = await settle(store(), { grant: 'create', requester })
      const outcome = await decide(settled, 'update', { ...narrow, requester })
      assert.ok(outcome.outcome === 'approved')
      const { permissions } = outcome.authorization
      assert.deepEqual(permissions, ['contacts:read', 'photos:read', 'photos:write'])
    })
  })

  test('a grant for a visit ends with it, also after an update', async () => {
    const people = await addPeople(store())
    const session = sampleSession(people.owner.id)
    const { passwordHash } = people.owner
    await store().startSession(session, { passwordHash }, null, trace())
    const visit = {
      sessionId: session.id,
      expiresAt: session.expiresAt,
      duration: 'session',
    } as const
    const approval = sampleApproval(people, { grant: 'create', ...visit })
    const authorization = await approveIn(store(), approval, trace())
    assert.ok(authorization !== null)
    assert.deepEqual([authorization.sessionId, authorization.duration], [session.id, 'session'])
    assert.deepEqual(await find(authorization.id), authorization)
    const outcome = await decide({ ...people, authorization }, 'update', visit)
    assert.ok(outcome.outcome === 'approved')
    await store().endSession(session.id, trace())
    assert.equal(await find(authorization.id), null)
  })

  test('nobody decides about the grant of another owner or client, or an ended one', async () => {
    const [mine, other] = [await settle(store(), { grant: 'create' }), await settle(store())]
    const { authorization } = mine
    for (const people of [
      { client: mine.client, owner: other.owner },
      { client: other.client, owner: mine.owner },
    ]) {
      for (const grant of ['update', 'replace'] as const) {
        const outcome = await decide({ ...people, authorization }, grant)
        assert.deepEqual(outcome, { outcome: 'impossible' })
      }
      const create = sampleApproval(people, { id: authorization.id, grant: 'create' })
      assert.deepEqual(await store().approve(create, trace()), { outcome: 'impossible' })
    }
    assert.deepEqual(await find(authorization.id), authorization)
    await store().endAuthorization(authorization.id, null, trace())
    assert.deepEqual(await decide(mine, 'update'), { outcome: 'impossible' })
    assert.deepEqual(await decide(other, 'update', { id: authorization.id }), {
      outcome: 'impossible',
    })
  })

  test('a client ends its grant alone, also that of a disabled owner', async () => {
    const [mine, other] = [await settle(store(), { grant: 'create' }), await settle(store())]
    const { id } = mine.authorization
    const end = (clientId: ClientId) => store().endAuthorization(id, null, trace(), clientId)
    assert.equal(await end(other.client.id), false)
    assert.deepEqual(await find(id), mine.authorization)
    await store().changeOwner(mine.owner.id, { disabled: true }, trace())
    assert.equal(await end(mine.client.id), true)
    assert.equal(await end(mine.client.id), false)
    await store().changeOwner(mine.owner.id, { disabled: false }, trace())
    assert.equal(await find(id), null)
  })

  test('GR-01 of twenty who allow one request for a new grant, all get the same one', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const people = await addPeople(store())
      const approval = sampleApproval(people, { grant: 'create' })
      const outcomes = await together(20, () => store().approve(approval, trace()))
      const ids = outcomes.map((one) => (one.outcome === 'approved' ? one.authorization.id : null))
      assert.deepEqual([...new Set(ids)], [approval.id])
      const { client, owner } = people
      assert.equal((await store().findAuthorizations(owner.id, client.id, start)).length, 1)
    }
  })

  test('GR-02 no update outlives the end of the grant beside it', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const settled = await settle(store(), { grant: 'create' })
      const { id } = settled.authorization
      const all = ['contacts:read', 'photos:read', 'photos:write'] as const
      const update = () => decide(settled, 'update', { asked: all, permissions: all })
      await Promise.all([
        together(5, update),
        store().endAuthorization(id, null, trace()),
        together(5, update),
      ])
      assert.equal(await find(id, start + 9), null)
      assert.deepEqual(await update(), { outcome: 'impossible' })
    }
  })

  test('GR-03 of an update and a replacement at once, both are whole', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const settled = await settle(store(), { grant: 'create', asked: read, permissions: read })
      const both = ['contacts:read', 'photos:read'] as const
      const calendar = ['calendar:read'] as const
      await Promise.all([
        decide(settled, 'update', { asked: both, permissions: both }),
        decide(settled, 'replace', { asked: calendar, permissions: calendar }),
      ])
      const left = (await find(settled.authorization.id, start + 9))?.permissions.join(' ')
      const orders = ['calendar:read', 'calendar:read contacts:read photos:read']
      assert.ok(orders.includes(left ?? 'nothing'), String(left))
    }
  })
}
