/** The store contract for roles of the console: ways to log in that others set do not come along unseen. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientId } from '../../../src/model/ids.ts'
import type { WayIn } from '../../../src/model/way-in.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, sampleOwner, samplePasskey, sampleSession, start, trace } from '../sample.ts'

/** A step of an operator's program. */
const by = (clientId: string, at = start) => ({
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
  const addOwner = async (createdAt = start) => {
    const owner = sampleOwner({ roles: ['staff'] })
    assert.equal(await store().createOwner(owner, by('giver', start - 100)), 'created')
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
    const { owner, way } = await addOwner(start + 1)
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
