/** The store contract under races: what may happen once happens once, and an ending wins. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Digest, FamilyId, GroupId } from '../../../src/model/ids.ts'
import type { Permissions } from '../../../src/model/resource.ts'
import { noSession } from '../../../src/model/session.ts'
import type { Store } from '../../../src/store/store.ts'
import { giveWay, next, nextOwned, raceRounds, start, together, trace } from '../moments.ts'
import {
  sampleApproval,
  sampleClient,
  sampleRedemption,
  sampleResource,
  sampleRotation,
  sampleSession,
} from '../sample.ts'
import { addPeople, settle, settleFamily, startIn } from '../settle.ts'

const tally = (outcomes: readonly { readonly outcome: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

export const raceContract = (store: () => Store): void => {
  test('RC-01 of twenty who redeem one code at once, one does', async () => {
    const { authorization } = await settle(store())
    for (let round = 0; round < raceRounds; round++) {
      const redemption = sampleRedemption(authorization)
      const outcomes = await together(20, () => store().redeemCode(redemption, trace()))
      assert.deepEqual(tally(outcomes), { redeemed: 1, replayed: 19 })
      assert.equal(await store().findStanding(redemption.familyId, start), null)
    }
  })

  test('RC-02 of twenty who present one refresh token at once, one moves the family on', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { familyId } = await settleFamily(store())
      const rotation = sampleRotation(familyId, 0)
      const outcomes = await together(20, () => store().rotateRefreshToken(rotation, trace()))
      assert.deepEqual(tally(outcomes), { rotated: 1, repeated: 19 })
      const families = outcomes.map((one) => ('family' in one ? one.family : null))
      const standing = await store().findStanding(familyId, start)
      for (const family of families) assert.deepEqual(family, standing?.family)
      assert.equal(standing?.family.generation, 1)
    }
  })

  test('RC-21 of two changes of what both operators saw, one happens', async () => {
    const client = sampleClient()
    await store().createClient(client, trace())
    const resource = sampleResource()
    await store().createResource(resource, 10_000, trace())
    const group = { id: next('group') as GroupId, name: next('Group') }
    await store().createGroup(group, 10_000, trace())
    const id = next('issuer')
    const iss = `https://${id}.example`
    const words = { title: 'A', owner: 'email', grants: [], scope: [], clients: null } as const
    const keys = { jwks_uri: `${iss}/keys` }
    await store().createTrustedIssuer({ id, issuer: iss, keys, ...words }, 10_000, trace(), false)
    const title = { en: 'Two', zh: '二' }
    const kinds: Record<string, readonly (() => Promise<unknown>)[]> = {
      client: [
        () =>
          store().changeClient(
            client.id,
            { name: 'Two', newSalt: next('salt') },
            trace(),
            client.scope,
            client,
          ),
        () => store().deleteClient(client.id, trace(), client.scope, client),
      ],
      resource: [
        () => store().changeResource(resource.name, { title }, trace(), resource),
        () => store().deleteResource(resource.name, trace(), resource),
      ],
      group: [
        () => store().renameGroup(group.id, next('Group'), 0, trace()),
        () => store().deleteGroup(group.id, 0, trace()),
      ],
      issuer: [
        () => store().changeTrustedIssuer(id, { title: 'B' }, trace(), 0),
        () => store().endTrustedIssuer(id, trace(), 0),
      ],
    }
    const isRefused = (said: unknown) =>
      said === null || said === false || said === 'gone' || said === 'changed_meanwhile'
    for (const [kind, steps] of Object.entries(kinds)) {
      const said = await Promise.all(steps.map((step) => step()))
      assert.equal(said.filter(isRefused).length, 1, `${kind}: ${JSON.stringify(said)}`)
      // The state is gone, whichever of the two came first.
      assert.deepEqual((await Promise.all(steps.map((step) => step()))).map(isRefused), [
        true,
        true,
      ])
    }
  })

  test('RC-07 nothing that a refresh earns outlives a revocation beside it', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { familyId } = await settleFamily(store())
      const [, ended] = await Promise.all([
        together(5, (i) => store().rotateRefreshToken(sampleRotation(familyId, i), trace())),
        store().endFamily(familyId, trace()),
        together(5, () => store().rotateRefreshToken(sampleRotation(familyId, 5), trace())),
      ])
      assert.equal(ended, true)
      assert.equal(await store().findStanding(familyId, start), null)
      const rotation = sampleRotation(familyId, 5)
      assert.deepEqual(await store().rotateRefreshToken(rotation, trace()), { outcome: 'ended' })
    }
  })

  test('RC-08 nothing that a code earns outlives the end of its authorization', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const { authorization } = await settle(store())
      const redemptions = Array.from({ length: 10 }, () => sampleRedemption(authorization))
      const redeem = (part: typeof redemptions) =>
        Promise.all(part.map((one) => store().redeemCode(one, trace())))
      const [before, ended, after] = await Promise.all([
        redeem(redemptions.slice(0, 5)),
        store().endAuthorization(authorization.id, null, trace()),
        redeem(redemptions.slice(5)),
      ])
      assert.equal(ended, true)
      assert.deepEqual(tally(after), { ended: 5 })
      assert.deepEqual(tally(before), { redeemed: 5 })
      for (const { familyId } of redemptions) {
        assert.equal(await store().findStanding(familyId, start), null)
      }
    }
  })

  test('RC-08 nothing that an old password began outlives it', async () => {
    for (let round = 0; round < 10; round++) {
      const people = await addPeople(store())
      const { id, passwordHash } = people.owner
      const sessions = Array.from({ length: 10 }, () => sampleSession(id))
      const begun = Promise.all(
        sessions.map(async (session, i) => {
          await giveWay(i)
          const familyId = nextOwned<FamilyId>('family', id)
          const under = sampleApproval(people, { proof: { passwordHash } })
          const [, family] = await Promise.all([
            store().startSession(session, { passwordHash }, null, trace()),
            startIn(store(), { familyId, under, expiresAt: null }, trace()),
          ])
          return family
        }),
      )
      await giveWay(round % 10)
      await store().changePassword(id, { hash: 'new', salt: 'new' }, null, trace())
      for (const one of await begun) {
        if (one === null) continue
        const standing = await store().findStanding(one.family.id, start)
        assert.notEqual(standing?.authorization.salt, one.authorization.salt)
      }
      for (const session of sessions) {
        assert.equal(await store().findSession(session.id, start), null)
      }
    }
  })

  test('what was let in under former roles of an owner does nothing once the roles are others', async () => {
    for (let round = 0; round < 5; round++) {
      const { owner } = await addPeople(store())
      const { id, roles: former } = owner
      const attempts = together(10, async (i) => {
        await giveWay(i)
        const link = { id: next('link'), expiresAt: start + 600 }
        const { email, passwordHash } = owner
        const by = { link, email, passwordHash, roles: former, proves: '' }
        const hash = next('hash')
        const done = await Promise.all([
          store().changePassword(id, { hash, salt: hash }, null, trace(), former),
          store().changeOwner(id, { email: `${hash}@example.com` }, trace(), former),
          store().confirmEmail(id, `${hash}@example.net`, by, trace()),
        ])
        return done.filter((one) => one !== 'address_taken' && one?.roles.includes('operator'))
      })
      await giveWay(round * 2)
      const given = await store().changeOwner(id, { roles: ['operator'] }, trace())
      assert.deepEqual((await attempts).flat(), [])
      assert.deepEqual(await store().findOwner(id), given)
      const steps = [
        store().endOtherSessions(id, noSession, trace(), former),
        store().endAccessOf(id, trace(), former),
        store().resetFactors(id, trace(), former),
        store().endWaits(id, [], trace(), former),
        store().deleteOwner(id, trace(), former),
      ]
      assert.deepEqual(await Promise.all(steps), [0, false, false, false, false])
      assert.deepEqual(await store().findOwner(id), given)
    }
  })

  test('what was let in under the former scope of a client does nothing once the scope is another', async () => {
    for (let round = 0; round < 5; round++) {
      const { client } = await addPeople(store())
      const { id, scope } = client
      const attempts = together(10, async (i) => {
        await giveWay(i)
        const secret = { secretDigest: next('digest') as Digest, newSalt: next('salt') }
        return store().changeClient(id, secret, trace(), scope)
      })
      await giveWay(round * 2)
      const wider: Permissions = [...scope, 'owners:write']
      const given = await store().changeClient(id, { scope: wider, newSalt: 'wider' }, trace())
      for (const changed of await attempts) assert.deepEqual(changed?.scope ?? scope, scope)
      assert.deepEqual(await store().findClient(id), given)
      const salts = { own: next('salt'), family: next('salt') }
      assert.equal(await store().endClientTokens(id, salts, trace(), scope), null)
      assert.equal(await store().deleteClient(id, trace(), scope), false)
      assert.deepEqual(await store().findClient(id), given)
    }
  })
}
