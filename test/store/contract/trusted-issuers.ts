/** The store contract for trusted issuers: what they open, and that an end wins over each assertion. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AssertionRedemption } from '../../../src/features/trusted-issuers/contract.ts'
import type { TrustedIssuer } from '../../../src/features/trusted-issuers/issuer.ts'
import type { AuthorizationId, Digest, FamilyId } from '../../../src/model/ids.ts'
import type { Permissions } from '../../../src/model/resource.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, nextOwned, raceRounds, start, together, trace } from '../moments.ts'
import { type People, sampleApproval, sampleSession } from '../sample.ts'
import { addPeople, approveIn, told } from '../settle.ts'

const sampleIssuer = (change: Partial<TrustedIssuer> = {}): TrustedIssuer => {
  const id = next('issuer')
  return {
    id,
    issuer: `https://${id}.example`,
    title: 'Acme',
    keys: { jwks_uri: `https://${id}.example/keys` },
    owner: 'username',
    grants: ['id-jag'],
    scope: ['photos'],
    clients: null,
    ...change,
  }
}

export const issuerContract = (store: () => Store): void => {
  const trust = async (change: Partial<TrustedIssuer> = {}) => {
    const issuer = sampleIssuer(change)
    assert.equal(await store().createTrustedIssuer(issuer, 10_000, trace(), false), 'created')
    return { ...issuer, revision: 0 }
  }

  const settleIssuer = async () => ({ ...(await addPeople(store())), issuer: await trust() })

  type Settled = Awaited<ReturnType<typeof settleIssuer>>

  const redemptionOf = (
    { client, owner, issuer }: Settled,
    permissions: Permissions = ['photos:read'],
    used: AssertionRedemption['used'] = null,
  ): AssertionRedemption => ({
    ...{ issuer, clientId: client.id, ownerId: owner.id, permissions, used },
    authorizationId: nextOwned<AuthorizationId>('authorization', owner.id),
    familyId: nextOwned<FamilyId>('family', owner.id),
    salt: next('salt'),
    expiresAt: start + 3600,
  })

  const redeem = (settled: Settled, permissions?: Permissions, at = start) =>
    store().redeemAssertion(redemptionOf(settled, permissions), trace(at))

  const accessOf = ({ client, owner, issuer }: Settled) => ({
    ownerId: owner.id,
    clientId: client.id,
    issuerId: issuer.id,
  })

  const open = async (settled: Settled, permissions?: Permissions) => {
    const redeemed = await redeem(settled, permissions)
    assert.ok(redeemed.outcome === 'redeemed')
    return redeemed
  }

  const pick = ({ client, owner }: People) => ({ clientId: client.id, ownerId: owner.id })

  test('an issuer is created, found, changed and ended', async () => {
    const issuer = await trust({ clients: [(await addPeople(store())).client.id] })
    assert.deepEqual(await store().findTrustedIssuer(issuer.id), issuer)
    assert.deepEqual(await store().findTrustedIssuerBy(issuer.issuer), issuer)
    assert.ok((await store().listTrustedIssuers()).some(({ id }) => id === issuer.id))
    const create = (change: Partial<TrustedIssuer>, most = 10_000) =>
      store().createTrustedIssuer(sampleIssuer(change), most, trace(), true)
    assert.equal(await create({ id: issuer.id }), 'id_taken')
    assert.equal(await create({ issuer: issuer.issuer }), 'issuer_taken')
    assert.equal(await create({}, 0), 'too_many')
    const changed = await store().changeTrustedIssuer(issuer.id, { title: 'Other' }, trace())
    assert.deepEqual(changed, { ...issuer, title: 'Other', revision: 1 })
    const other = await trust()
    const taken = { issuer: other.issuer }
    assert.equal(await store().changeTrustedIssuer(issuer.id, taken, trace()), 'issuer_taken')
    assert.equal(await store().changeTrustedIssuer('nobody', {}, trace()), null)
    assert.equal(await store().endTrustedIssuer(issuer.id, trace()), true)
    assert.equal(await store().findTrustedIssuer(issuer.id), null)
    assert.equal(await store().findTrustedIssuerBy(issuer.issuer), null)
    assert.equal(await store().endTrustedIssuer(issuer.id, trace()), true)
    assert.ok((await store().listEndedIssuers()).includes(issuer.id))
    await store().freeTrustedIssuer(issuer.id)
    assert.ok(!(await store().listEndedIssuers()).includes(issuer.id))
    assert.equal(await store().endTrustedIssuer(issuer.id, trace()), false)
    await store().freeTrustedIssuer(other.id)
    assert.deepEqual(await store().findTrustedIssuer(other.id), other)
  })

  test('a deleted issuer comes back only where that is asked for, after all that it opened', async () => {
    const { revision: _, ...issuer } = await trust()
    const create = (revives: boolean, change: Partial<TrustedIssuer> = {}, most = 10_000) =>
      store().createTrustedIssuer({ ...issuer, ...change }, most, trace(), revives)
    await store().endTrustedIssuer(issuer.id, trace())
    assert.equal(await create(true), 'id_taken')
    assert.equal(await create(true, { id: next('issuer') }), 'issuer_taken')
    await store().freeTrustedIssuer(issuer.id)
    assert.equal(await create(false), 'id_taken')
    assert.equal(await create(true, {}, 0), 'too_many')
    assert.equal(await create(true, { title: 'Again' }), 'created')
    const back = { ...issuer, title: 'Again', revision: 2 }
    assert.deepEqual(await store().findTrustedIssuerBy(issuer.issuer), back)
    assert.equal(await create(true), 'id_taken')
  })

  test('of many who trust one issuer at once, one does', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { revision: _, ...issuer } = await trust()
      await store().endTrustedIssuer(issuer.id, trace())
      await store().freeTrustedIssuer(issuer.id)
      const ids = [issuer.id, next('issuer')]
      const outcomes = await together(6, (i) =>
        store().createTrustedIssuer({ ...issuer, id: ids[i % 2] ?? '' }, 10_000, trace(), true),
      )
      assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 1)
    }
  })

  test('of two changes of different members at once, both hold', async () => {
    const issuer = await trust()
    await Promise.all([
      store().changeTrustedIssuer(issuer.id, { title: 'New' }, trace()),
      store().changeTrustedIssuer(issuer.id, { scope: ['contacts'] }, trace()),
    ])
    const after = { ...issuer, title: 'New', scope: ['contacts'], revision: 2 }
    assert.deepEqual(await store().findTrustedIssuer(issuer.id), after)
  })

  test('an assertion opens an authorization of its own, and a family under it', async () => {
    const settled = await settleIssuer()
    const own = await approveIn(store(), sampleApproval(settled), trace())
    const { authorization, family } = await open(settled)
    const { id, issuer, title } = settled.issuer
    assert.notEqual(authorization.id, own?.id)
    assert.deepEqual(await store().findAuthorization(authorization.id, start), authorization)
    assert.deepEqual(
      [authorization.permissions, authorization.allowedBy, authorization.approvedFor],
      [['photos:read'], { id, issuer, title }, null],
    )
    const standing = await store().findStanding(family.id, start)
    assert.deepEqual([standing?.family, standing?.authorization], [family, authorization])
    const again = await open(settled)
    assert.equal(again.authorization.id, authorization.id)
    const { rows } = await store().listEvents(pick(settled), null, 10)
    const [first] = rows
    assert.deepEqual(first?.details, {
      ...{ permissions: 'photos:read', duration: 'chosen' },
      ...{ issuerId: id, issuer, title },
    })
    assert.equal(rows.filter(({ type }) => type === 'authorization.approved').length, 2)
  })

  test('a later assertion widens it, but for what was taken away', async () => {
    const settled = await settleIssuer()
    const { authorization } = await open(settled, ['photos:read', 'photos:write'])
    await store().narrowAuthorization(authorization.id, settled.owner.id, ['photos:read'], trace())
    const wider = await open(settled, ['contacts:read', 'photos:write', 'photos:read'])
    assert.deepEqual(wider.authorization.permissions, ['contacts:read', 'photos:read'])
    assert.deepEqual(await redeem(settled, ['photos:write']), { outcome: 'taken' })
  })

  test('an end holds, for as long as nobody allows it again', async () => {
    const settled = await settleIssuer()
    const { authorization, family } = await open(settled)
    const of = accessOf(settled)
    assert.equal(await store().allowIssuerAgain(of, null, trace()), false)
    await store().endAuthorization(authorization.id, settled.owner.id, trace())
    assert.equal(await store().findStanding(family.id, start), null)
    assert.deepEqual(await redeem(settled), { outcome: 'ended' })
    const listed = await store().listIssuerAccessesOf(settled.owner.id, start)
    const { name: clientName } = settled.client
    const access = { ...of, authorizationId: authorization.id, offered: ['photos:read'] }
    assert.deepEqual(listed, [{ ...access, clientName, title: 'Acme', hasEnded: true }])
    const session = sampleSession(settled.owner.id)
    assert.equal(await store().allowIssuerAgain(of, session.id, trace()), false)
    const proof = { passwordHash: settled.owner.passwordHash }
    await store().startSession(session, proof, null, trace())
    assert.equal(await store().allowIssuerAgain(of, session.id, trace()), true)
    const { authorization: anew } = await open(settled)
    assert.notEqual(anew.id, authorization.id)
    assert.ok((await told(store(), pick(settled))).includes('authorization.allowed_again'))
  })

  test('an assertion that was used opens nothing, and a paused application uses none up', async () => {
    const settled = await settleIssuer()
    const used = { id: next('digest') as Digest, expiresAt: start + 60 }
    const { authorization } = await open(settled)
    const { clientId, ownerId } = authorization
    await store().pauseAuthorizations({ clientId, ownerId }, trace())
    const ask = () => store().redeemAssertion(redemptionOf(settled, undefined, used), trace())
    assert.deepEqual(await ask(), { outcome: 'paused' })
    await store().resumeAuthorizations({ clientId, ownerId, session: null }, trace())
    assert.equal((await ask()).outcome, 'redeemed')
    assert.deepEqual(await ask(), { outcome: 'replayed' })
  })

  test('nothing is opened by an issuer that changed or ended, or for whoever can do nothing', async () => {
    const impossible = { outcome: 'impossible' }
    const changed = await settleIssuer()
    await store().changeTrustedIssuer(changed.issuer.id, { scope: ['contacts'] }, trace())
    assert.deepEqual(await redeem(changed), impossible)
    const ended = await settleIssuer()
    await store().endTrustedIssuer(ended.issuer.id, trace())
    assert.deepEqual(await redeem(ended), impossible)
    const { owner, ...others } = await settleIssuer()
    await store().changeOwner(owner.id, { disabled: true }, trace())
    assert.deepEqual(await redeem({ owner, ...others }), impossible)
    assert.equal(await store().findOwnerIdByConfirmedEmail(owner.email), null)
    const gone = await settleIssuer()
    await store().deleteClient(gone.client.id, trace())
    assert.deepEqual(await redeem(gone), impossible)
  })

  test('of twenty who present one assertion at once, one opens access', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const settled = await settleIssuer()
      const used = { id: next('digest') as Digest, expiresAt: start + 60 }
      const outcomes = await together(20, () =>
        store().redeemAssertion(redemptionOf(settled, undefined, used), trace()),
      )
      const redeemed = outcomes.filter(({ outcome }) => outcome === 'redeemed')
      assert.equal(redeemed.length, 1)
      assert.equal(outcomes.filter(({ outcome }) => outcome === 'replayed').length, 19)
    }
  })

  test('an assertion beside a change of its issuer opens access, or is not used up', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const settled = await settleIssuer()
      const used = { id: next('digest') as Digest, expiresAt: start + 60 }
      const ask = (issuer = settled.issuer) =>
        store().redeemAssertion(redemptionOf({ ...settled, issuer }, undefined, used), trace())
      const [redeemed, changed] = await Promise.all([
        ask(),
        store().changeTrustedIssuer(settled.issuer.id, { title: 'New' }, trace()),
      ])
      assert.ok(changed !== null && typeof changed === 'object')
      const again = await ask({ ...changed, revision: 1 })
      const outcomes = [redeemed.outcome, again.outcome].join(' ')
      assert.ok(['redeemed replayed', 'impossible redeemed'].includes(outcomes), outcomes)
    }
  })

  test('of many assertions at once, one opens the authorization', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const settled = await settleIssuer()
      const outcomes = await together(10, (i) =>
        redeem(settled, i % 2 === 0 ? ['photos:read'] : ['photos:write']),
      )
      const ids = outcomes.map((one) => ('authorization' in one ? one.authorization.id : null))
      assert.equal(new Set(ids).size, 1)
      const [id] = ids
      assert.ok(id)
      const after = await store().findAuthorization(id, start)
      assert.deepEqual(after?.permissions, ['photos:read', 'photos:write'])
    }
  })

  test('nothing that an assertion opens outlives an end beside it', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const settled = await settleIssuer()
      const { authorization } = await open(settled)
      const [outcomes, isEnded] = await Promise.all([
        together(5, () => redeem(settled, ['photos:read', 'contacts:read'])),
        store().endAuthorization(authorization.id, settled.owner.id, trace()),
      ])
      assert.equal(isEnded, true)
      for (const one of outcomes) {
        assert.ok(['redeemed', 'ended'].includes(one.outcome), one.outcome)
        const family = 'family' in one ? one.family.id : null
        assert.equal(family && (await store().findStanding(family, start)), null)
      }
      assert.deepEqual(await redeem(settled), { outcome: 'ended' })
    }
  })

  test('an end by the owner outlives the end of the issuer beside it', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const settled = await settleIssuer()
      const { authorization } = await open(settled)
      const { ownerId } = authorization
      const [access] = await store().listIssuerAccesses(settled.issuer.id, 10, start)
      assert.ok(access)
      const [byOwner] = await Promise.all([
        store().endAuthorization(authorization.id, ownerId, trace()),
        store().endIssuerAccess(access, trace()),
      ])
      const redeemed = await redeem(settled)
      assert.equal(redeemed.outcome, byOwner ? 'ended' : 'redeemed')
    }
  })

  test('nothing that an assertion opens is left by the end of its issuer beside it', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const settled = await settleIssuer()
      const { issuer } = settled
      const [redeemed] = await Promise.all([
        redeem(settled),
        store().endTrustedIssuer(issuer.id, trace()),
      ])
      const left = await store().listIssuerAccesses(issuer.id, 10, start)
      assert.equal(left.length, redeemed.outcome === 'redeemed' ? 1 : 0)
      for (const access of left) await store().endIssuerAccess(access, trace())
      assert.deepEqual(await store().listIssuerAccesses(issuer.id, 10, start), [])
      assert.deepEqual(await store().listIssuerAccessesOf(settled.owner.id, start), [])
      assert.deepEqual(await redeem(settled), { outcome: 'impossible' })
    }
  })
}
