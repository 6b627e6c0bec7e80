/** The store contract for roles of the console: ways to log in that others set do not come along unseen. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WayIn } from '../../../src/model/factor.ts'
import type { ClientId } from '../../../src/model/ids.ts'
import type { Trace } from '../../../src/store/contract/trace.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, trace } from '../moments.ts'
import { sampleOwner, samplePasskey, sampleSession } from '../sample.ts'

/** A step of an operator's program. */
const by = (clientId: string, at = start): Trace => ({
  ...trace(at),
  actor: {
    type: 'operator',
    clientId: clientId as ClientId,
    tokenId: 'token',
    network: '',
  } as const,
})

const roles = { roles: ['operator'] }

export const raisedContract = (store: () => Store): void => {
  /** Somebody with a passkey of this time. */
  const addOwner = async (createdAt = start, creation = by('giver', start - 100)) => {
    const owner = sampleOwner({ roles: ['staff'], createdAt: start - 100 })
    assert.equal(await store().createOwner(owner, creation), 'created')
    const session = sampleSession(owner.id)
    const login = { passwordHash: owner.passwordHash }
    assert.equal(await store().startSession(session, login, null, trace()), 'accepted')
    const passkey = samplePasskey(owner.id, { createdAt })
    const ceremony = { id: next('ceremony'), expiresAt: start + 600 }
    const added = { ownerId: owner.id, session: session.id }
    assert.equal(await store().addPasskey(passkey, 9, ceremony, added, trace()), 'added')
    return { owner, session, passkey, way: wayOf(passkey) }
  }
  const wayOf = ({ id, name, createdAt }: { id: string; name: string; createdAt: number }) =>
    ({ id: `passkey:${id}`, kind: 'passkey', name, at: createdAt }) satisfies WayIn
  const setPassword = (id: Parameters<Store['findOwner']>[0], who: string, at: number) =>
    store().changePassword(id, { hash: `hash of ${who}`, salt: next('salt') }, null, by(who, at))

  test('a role ends all logins, and keeps the ways that nobody else touched', async () => {
    const { owner, session, passkey } = await addOwner()
    const given = await store().giveRoles(owner.id, roles, null, by('giver'))
    assert.deepEqual(given, { outcome: 'given', owner: { ...owner, roles: ['operator'] } })
    assert.equal(await store().findSession(session.id, start), null)
    assert.deepEqual((await store().findFactors(owner.id)).passkeys, [passkey])
  })

  test('a role that opens nothing more asks nothing, and ends nothing', async () => {
    const { owner, session } = await addOwner()
    await store().changeOwner(owner.id, { email: 'x@example.com' }, by('writer'))
    const given = await store().giveRoles(owner.id, { roles: ['editor'] }, null, by('giver'))
    assert.equal(given.outcome, 'given')
    assert.notEqual(await store().findSession(session.id, start), null)
  })

  test('a role waits for a word on each way since another program took a hand', async () => {
    // The account was made by no program of an operator.
    const { owner, way } = await addOwner(start + 1, trace(start - 100))
    const { id } = owner
    await setPassword(id, 'writer', start)
    const password = { id: `password:${start}`, kind: 'password', name: '', at: start } as const
    const asks = { outcome: 'asks', ways: [password, way] }
    assert.deepEqual(await store().giveRoles(id, roles, null, by('giver')), asks)
    assert.deepEqual(await store().listWaysOfOthers(id, 'client:giver'), asks.ways)
    assert.deepEqual(await store().listWaysOfOthers(id, 'client:writer'), [])
    assert.deepEqual((await store().findOwner(id))?.roles, ['staff'])
    const given = await store().giveRoles(id, roles, [way.id], by('giver', start + 2))
    assert.equal(given.outcome, 'given')
    assert.equal((await store().findOwner(id))?.passwordHash, '')
    assert.equal((await store().findFactors(id)).passkeys.length, 1)
  })

  test('a passkey counts from the second on in which another program reset the factors', async () => {
    const { owner: reset, session } = await addOwner(start)
    assert.equal(await store().resetFactors(reset.id, by('writer', start + 1)), true)
    const passkey = samplePasskey(reset.id, { createdAt: start + 1 })
    const ceremony = { id: next('ceremony'), expiresAt: start + 600 }
    const added = { ownerId: reset.id, session: session.id }
    assert.equal(await store().addPasskey(passkey, 9, ceremony, added, trace()), 'added')
    const asks = { outcome: 'asks', ways: [wayOf(passkey)] }
    assert.deepEqual(await store().giveRoles(reset.id, roles, null, by('giver')), asks)
  })

  test('a passkey under the former password goes, unless it is kept', async () => {
    for (const isKept of [false, true]) {
      const { owner, way } = await addOwner(start + 1)
      await setPassword(owner.id, 'giver', start + 5)
      const asked = await store().giveRoles(owner.id, roles, null, by('giver', start + 6))
      assert.deepEqual(asked, { outcome: 'asks', ways: [way] })
      await store().giveRoles(owner.id, roles, isKept ? [way.id] : [], by('giver', start + 6))
      const { passkeys } = await store().findFactors(owner.id)
      assert.equal(passkeys.length, isKept ? 1 : 0)
      assert.equal((await store().findOwner(owner.id))?.passwordHash, 'hash of giver')
    }
  })

  test('an address that another program set is a way, since a reset goes there', async () => {
    const { owner } = await addOwner()
    const { id } = owner
    assert.equal((await store().findOwner(id))?.email, owner.email)
    await setPassword(id, 'writer', start + 1)
    const before = await store().listWaysOfOthers(id, 'client:giver')
    assert.deepEqual(
      before.map(({ kind }) => kind),
      ['passkey', 'password'],
    )
    const email = 'writer@example.com'
    const set = by('writer', start + 2)
    await store().changeOwner(id, { email, emailVerified: true }, set)
    const asked = await store().giveRoles(id, roles, null, by('giver', start + 3))
    assert.ok(asked.outcome === 'asks')
    const way = asked.ways.find(({ kind }) => kind === 'email')
    const told = { id: `email:${set.eventId}`, kind: 'email', name: email, at: start + 2 } as const
    assert.deepEqual(way, told)
    const another = by('writer', start + 2)
    await store().changeOwner(id, { email: 'other@example.com' }, another)
    const given = await store().giveRoles(id, roles, [told.id], by('giver', start + 3))
    assert.ok(given.outcome === 'given')
    assert.deepEqual([given.owner.email, given.owner.emailVerified], ['', false])
  })

  test('an address stays that is kept, or that comes with the role', async () => {
    for (const isKept of [true, false]) {
      const owner = sampleOwner({ roles: [] })
      await store().createOwner(owner, by('giver', start - 100))
      const set = by('writer', start)
      await store().changeOwner(owner.id, { email: 'writer@example.com' }, set)
      const email = isKept ? 'writer@example.com' : 'operator@example.com'
      const change = isKept ? roles : { ...roles, email }
      const keep = isKept ? [`email:${set.eventId}`] : []
      await store().giveRoles(owner.id, change, keep, by('giver', start + 1))
      assert.equal((await store().findOwner(owner.id))?.email, email)
    }
  })

  test('all ways of an account that another program created are asked about', async () => {
    const { id, email } = (await addOwner(start, by('writer', start - 100))).owner
    const kinds = async (who: string) =>
      (await store().listWaysOfOthers(id, `client:${who}`)).map(({ kind }) => kind).toSorted()
    assert.notEqual(email, '')
    assert.deepEqual(await kinds('writer'), [])
    assert.deepEqual(await kinds('giver'), ['email', 'passkey', 'password'])
    // Its owner chose passwords meanwhile. The passkey is from before the former one.
    await setPassword(id, 'giver', start + 10)
    await setPassword(id, 'giver', start + 20)
    assert.deepEqual(await kinds('giver'), ['email', 'passkey', 'password'])
  })

  test('a password that changed after it was kept is another way', async () => {
    const owner = sampleOwner({ roles: [] })
    await store().createOwner(owner, by('giver', start - 100))
    await setPassword(owner.id, 'writer', start)
    const kept = `password:${start}`
    await setPassword(owner.id, 'writer', start + 1)
    await store().giveRoles(owner.id, roles, [kept], by('giver', start + 2))
    assert.equal((await store().findOwner(owner.id))?.passwordHash, '')
    assert.deepEqual(await store().giveRoles(next('nobody') as never, roles, [], by('giver')), {
      outcome: 'gone',
    })
  })
}
