/** The store contract for deleting what much hangs on: gone in one small step, removed in pieces. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuthorizationId, makeClientHolder } from '../../../src/model/ids.ts'
import { usernameKey } from '../../../src/model/owner.ts'
import { storeLimits } from '../../../src/store/limits.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Open } from '../contract.ts'
import { next, start, together, trace } from '../moments.ts'
import {
  newSalt,
  type People,
  sampleApproval,
  sampleClient,
  sampleOwner,
  sampleRedemption,
  sampleSession,
} from '../sample.ts'
import { addPeople, approveIn, settleFamily, told } from '../settle.ts'
import { placeAll } from './revocations.ts'

const many = 3 * storeLimits.purgeRows + 100

/** More than fits into two pieces. */
export const some = 2 * storeLimits.purgeRows + 100

const approveAll = async (store: Store, times: number, of: (i: number) => Promise<People>) => {
  const approved = await together(times, async (i) =>
    approveIn(store, sampleApproval(await of(i)), trace()),
  )
  return approved.map((authorization) => {
    assert.ok(authorization !== null)
    return authorization
  })
}

/** The client of many owners. */
export const approvedByMany = async (store: Store, times: number) => {
  const { client, owner } = await addPeople(store)
  const authorizations = await approveAll(store, times, async () => {
    const another = sampleOwner({ passwordHash: '' })
    await store.createOwner(another, trace())
    return { client, owner: another }
  })
  return { client, owner, authorizations }
}

/** The pieces that housekeeping removes, until nothing is left. */
const removeAll = async (store: Store, most: number): Promise<readonly number[]> => {
  const went: number[] = []
  for (;;) {
    const piece = await store.removeDeleted(most, trace())
    if (piece === 0) return went
    assert.ok(piece <= most)
    went.push(piece)
  }
}

const sum = (pieces: readonly number[]): number => pieces.reduce((all, one) => all + one, 0)

/** How many of a list a caller sees, page by page. */
const listed = async (store: Store, of: Parameters<Store['listAuthorizations']>[0]) => {
  const ids: AuthorizationId[] = []
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<Store['listAuthorizations']>> = await store.listAuthorizations(
      of,
      after,
      200,
      start,
    )
    ids.push(...page.rows.map(({ id }) => id))
    after = page.next
    if (after === null) return ids
  }
}

export const removalContract = (open: Open): void => {
  test('a deleted client with many authorizations is gone at once, and its rows go in pieces', async () => {
    const opened = await open()
    const { store } = opened
    const { client, authorizations } = await approvedByMany(store, many)
    const [authorization] = authorizations
    assert.ok(authorization !== undefined)
    const redemption = sampleRedemption(authorization, { expiresAt: null })
    await store.redeemCode(redemption, trace())
    const other = await settleFamily(store)
    const item = { holder: makeClientHolder(client.id), resource: 'photos', id: 'a' as never }
    const put = { ...item, fields: {}, version: 'v1', condition: {}, createOnly: true }
    await store.putItem({ ...put, mostItems: 1 })
    // The last ones: the step has removed the first.
    const id = authorizations.at(-1)?.id as AuthorizationId
    const { ownerId } = authorizations.at(-1) ?? authorization

    assert.equal(await store.deleteClient(client.id, trace()), true)
    const assertGone = async (now: Store) => {
      assert.equal(await now.findClient(client.id, 'disabled'), null)
      assert.deepEqual(
        (await now.listClients(null, 100)).rows.map(({ id }) => id),
        [other.client.id],
      )
      const by = { search: client.id }
      assert.deepEqual((await now.listClientsBy(by, null, 10)).rows, [])
      assert.equal(await now.findStanding(redemption.familyId, start, 'disabled'), null)
      assert.equal(await now.findAuthorization(id, start), null)
      assert.deepEqual(await now.findAuthorizations(ownerId, client.id, start), [])
      for (const ended of [{ ended: true }, {}] as const) {
        assert.deepEqual(await listed(now, { clientId: client.id, ...ended }), [])
        assert.deepEqual(await listed(now, { ownerId, ...ended }), [])
      }
      assert.deepEqual(await listed(now, {}), [other.authorization.id])
      assert.deepEqual((await now.listUnusedAuthorizations(1, null, 5000, start + 1e6)).rows, [
        { ownerId: other.owner.id, clientId: other.client.id },
      ])
      assert.equal(await now.endAuthorization(id, null, trace()), false)
      assert.equal(await now.narrowAuthorization(id, null, [], trace()), null)
      assert.equal(await now.pauseAuthorizations({ ownerId, clientId: client.id }, trace()), 0)
      assert.equal(await now.changeClient(client.id, { name: 'Again', newSalt }, trace()), null)
      assert.equal(await now.deleteClient(client.id, trace()), false)
    }
    await assertGone(store)
    assert.equal(await store.createClient(client, trace()), 'taken')
    // A client of the same id would come to life with these rows.
    assert.equal(await store.removeDeleted(storeLimits.purgeRows, trace()), storeLimits.purgeRows)
    const after = await opened.reopen()
    await assertGone(after)
    // The first piece went with the step, and the row of the client is one more.
    const left = await removeAll(after, storeLimits.purgeRows)
    assert.equal(sum(left), many - 2 * storeLimits.purgeRows + 2)
    assert.equal((await told(after, { clientId: client.id })).at(-1), 'client.deleted')
    assert.equal(await after.createClient(client, trace()), 'created')
    assert.deepEqual(await listed(after, { clientId: client.id }), [])
    assert.equal(await after.findItem(item.holder, 'photos', item.id), null)
    assert.notEqual(await after.findStanding(other.familyId, start), null)
    await opened.dispose()
  })

  test('a deleted owner of many authorizations is gone at once, and an API hears of each', async () => {
    const opened = await open()
    const { store } = opened
    const { owner, client } = await addPeople(store)
    const session = sampleSession(owner.id)
    await store.startSession(session, { passwordHash: owner.passwordHash }, null, trace())
    const link = { upstream: 'google', issuer: 'https://accounts.example', subject: owner.id }
    const linked = { ...link, label: '', createdAt: start, lastUsedAt: null }
    const newCeremony = () => ({ id: next('ceremony'), expiresAt: start + 600 })
    const mine = { ownerId: owner.id, session: session.id }
    const first = { ...linked, ownerId: owner.id }
    assert.equal(await store.linkUpstream(first, newCeremony(), mine, trace()), 'linked')
    const authorizations = await approveAll(store, some, async () => {
      const another = sampleClient()
      await store.createClient(another, trace())
      return { client: another, owner }
    })
    const before = await placeAll(store)

    assert.equal(await store.deleteOwner(owner.id, trace()), true)
    for (let now = store, times = 0; times < 2; now = await opened.reopen(), times++) {
      assert.equal(await now.findOwner(owner.id, 'disabled'), null)
      assert.equal(await now.findOwnerByName(owner.username, 'disabled'), null)
      assert.equal(await now.findOwnerByName(`\n${owner.id}`, 'disabled'), null)
      assert.deepEqual((await now.listOwners(null, 10)).rows, [])
      assert.deepEqual((await now.listOwnersBy({}, null, 10)).rows, [])
      const by = { search: owner.username }
      assert.deepEqual((await now.listOwnersBy(by, null, 10)).rows, [])
      assert.equal(await now.findSession(session.id, start), null)
      assert.deepEqual(await now.listOwnersOfEmail(owner.email, 10), [])
      assert.deepEqual(await listed(now, { ownerId: owner.id }), [])
      assert.deepEqual(await listed(now, {}), [])
      assert.equal(await now.changeOwner(owner.id, { disabled: false }, trace()), null)
      assert.equal(
        await now.changePassword(owner.id, { hash: 'h', salt: 's' }, null, trace()),
        null,
      )
      assert.equal(await now.endAccessOf(owner.id, trace()), false)
      assert.equal(await now.deleteOwner(owner.id, trace()), false)
      const approval = sampleApproval({ client, owner })
      assert.deepEqual(await now.approve(approval, trace()), { outcome: 'impossible' })
      // The name is free, and the id is nobody's before the rows have gone.
      assert.equal(await now.createOwner(owner, trace()), 'taken')
    }
    const after = await opened.reopen()
    const namesake = sampleOwner({ username: owner.username, email: owner.email })
    assert.equal(await after.createOwner(namesake, trace()), 'created')
    assert.equal(usernameKey(namesake.username), usernameKey(owner.username))
    // The account at an upstream is free as well.
    const login = { passwordHash: namesake.passwordHash }
    const theirs = sampleSession(namesake.id)
    assert.equal(await after.startSession(theirs, login, null, trace()), 'accepted')
    const by = { ownerId: namesake.id, session: theirs.id }
    const second = { ...linked, ownerId: namesake.id }
    assert.equal(await after.linkUpstream(second, newCeremony(), by, trace()), 'linked')
    const left = await removeAll(after, storeLimits.purgeRows)
    // The session and the row of the owner are two more.
    assert.equal(sum(left), some - storeLimits.purgeRows + 2)
    await placeAll(after)
    const noted = await after.listRevocations(before, some + 1)
    assert.deepEqual(
      new Set(noted.map(({ subjectId }) => subjectId)),
      new Set(authorizations.map(({ id }) => id)),
    )
    assert.equal((await after.findOwnerByName(owner.username))?.id, namesake.id)
    const again = { ...owner, username: 'another', email: '' }
    assert.equal(await after.createOwner(again, trace()), 'created')
    assert.deepEqual(await listed(after, { ownerId: owner.id }), [])
    await opened.dispose()
  })
}
