/** The store contract for imported password hashes: their kinds, and the hash that replaces one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientId, GroupId, OwnerId } from '../../../src/model/ids.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../moments.ts'
import { newSalt, sampleClient, sampleOwner, sampleSession } from '../sample.ts'
import { told } from '../settle.ts'

const ours = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$'
const bcrypt = (cost: string): string => `$2b$${cost}$${'.'.repeat(53)}`
const pbkdf2 = '$pbkdf2-sha256$i=1000,l=32$c2FsdA$'

export const importedContract = (store: () => Store): void => {
  const addOwner = async (passwordHash: string, disabled = false) => {
    const owner = sampleOwner({ passwordHash, disabled })
    assert.equal(await store().createOwner(owner, trace()), 'created')
    return owner
  }

  test('lists each kind of imported hash once, until nobody has one of it', async () => {
    await addOwner(`${ours}a`)
    assert.deepEqual(await store().listPasswordKinds(), [])
    const first = await addOwner(`${pbkdf2}a`)
    const second = await addOwner(`${pbkdf2}b`)
    await addOwner(bcrypt('10'), true)
    const third = await addOwner(bcrypt('12'))
    const kinds = ['$2b$10$', '$2b$12$', '$pbkdf2-sha256$i=1000,l=32$']
    assert.deepEqual(await store().listPasswordKinds(), kinds)
    const hash = { former: `${pbkdf2}a`, next: `${ours}b` }
    await store().rehashPassword(first.id, hash, trace())
    assert.deepEqual(await store().listPasswordKinds(), kinds)
    await store().changePassword(second.id, { hash: `${ours}c`, salt: newSalt }, null, trace())
    await store().deleteOwner(third.id, trace())
    assert.deepEqual(await store().listPasswordKinds(), ['$2b$10$'])
  })

  test('of many that bring one person at once, one does, with groups and codes or not at all', async () => {
    const group = { id: next('group') as GroupId, name: next('Group') }
    await store().createGroup(group, 10_000, trace())
    const owner = sampleOwner()
    const nowhere = { groups: [group.name, 'nowhere'], codes: 'wrapped' }
    assert.equal(await store().importOwner(owner, nowhere, trace()), 'unknown_group')
    assert.equal(await store().findOwner(owner.id), null)
    const brought = { groups: [group.name, group.name], codes: 'wrapped' }
    const said = await together(5, () => store().importOwner(owner, brought, trace()))
    assert.equal(said.filter((outcome) => outcome === 'created').length, 1)
    assert.equal(said.filter((outcome) => outcome === 'taken').length, 4)
    assert.deepEqual(await store().findOwner(owner.id), owner)
    const { oneTimeCodes } = await store().findFactors(owner.id)
    assert.deepEqual(oneTimeCodes, { secret: 'wrapped', lastStep: 0, createdAt: start })
    const groups = await store().listGroupsOf(owner.id)
    assert.deepEqual(groups, [{ ...group, byOperator: true, upstreams: [] }])
    const events = ['owner.groups_changed', 'factor.added', 'owner.created']
    assert.deepEqual((await told(store(), { ownerId: owner.id })).toSorted(), events.toSorted())
  })

  test('a username that is the confirmed address of another owner is taken', async () => {
    const email = `${next('victim')}@example.com`
    const victim = sampleOwner({ email, emailVerified: true })
    assert.equal(await store().createOwner(victim, trace()), 'created')
    const shadow = sampleOwner({ username: email.toUpperCase() })
    const brought = { groups: [], codes: 'wrapped' }
    assert.equal(await store().createOwner(shadow, trace()), 'taken')
    assert.equal(await store().importOwner(shadow, brought, trace()), 'taken')
    await store().changeOwner(victim.id, { emailVerified: false }, trace())
    assert.equal(await store().importOwner(shadow, brought, trace()), 'created')
  })

  test('an id is of one owner or of one client', async () => {
    const id = next('auth0|Upper-') as OwnerId
    const owner = sampleOwner({ id })
    assert.equal(await store().createOwner(owner, trace()), 'created')
    assert.deepEqual(await store().findOwner(id), owner)
    assert.equal(await store().createOwner(sampleOwner({ id }), trace()), 'taken')
    const client = sampleClient({ id: id as string as ClientId })
    assert.equal(await store().createClient(client, trace()), 'taken')
    const other = sampleClient()
    await store().createClient(other, trace())
    const named = sampleOwner({ id: other.id as string as OwnerId })
    assert.equal(await store().createOwner(named, trace()), 'taken')
    const { rows } = await store().listOwners(id, 10)
    assert.equal(
      rows.some((found) => found.id === id),
      false,
    )
  })

  test('a new hash of the same password ends nothing, and is told to nobody', async () => {
    const owner = await addOwner(`${pbkdf2}c`)
    const session = sampleSession(owner.id)
    const login = { passwordHash: owner.passwordHash }
    await store().startSession(session, login, null, trace())
    const hash = { former: owner.passwordHash, next: `${ours}d` }
    const rehashed = { ...owner, passwordHash: hash.next }
    assert.deepEqual(await store().rehashPassword(owner.id, hash, trace()), rehashed)
    assert.deepEqual(await store().findOwner(owner.id), rehashed)
    assert.deepEqual(await store().findSession(session.id, start), { session, owner: rehashed })
    assert.deepEqual(await told(store(), { ownerId: owner.id }), [
      'owner.created',
      'login.succeeded',
    ])
    const late = sampleSession(owner.id)
    assert.equal(await store().startSession(late, login, null, trace()), 'refused')
  })

  test('of many who replace one hash at once, one does', async () => {
    const { id, passwordHash } = await addOwner(`${pbkdf2}d`)
    const next = (): string => `${ours}${sampleSession(id).id}`
    const outcomes = await together(20, () =>
      store().rehashPassword(id, { former: passwordHash, next: next() }, trace()),
    )
    const [winner, ...others] = outcomes.filter((outcome) => outcome !== null)
    assert.equal(others.length, 0)
    assert.deepEqual(await store().findOwner(id), winner)
  })

  test('a hash is not replaced after a new password, nor of somebody who is disabled', async () => {
    const { id, passwordHash } = await addOwner(`${pbkdf2}e`)
    await store().changePassword(id, { hash: `${ours}e`, salt: newSalt }, null, trace())
    const hash = { former: passwordHash, next: `${ours}f` }
    assert.equal(await store().rehashPassword(id, hash, trace()), null)
    assert.equal((await store().findOwner(id))?.passwordHash, `${ours}e`)
    const disabled = await addOwner(`${pbkdf2}f`, true)
    const other = { former: `${pbkdf2}f`, next: `${ours}g` }
    assert.equal(await store().rehashPassword(disabled.id, other, trace()), null)
    assert.deepEqual(await store().findOwnerByName(disabled.username, 'disabled'), disabled)
  })
}
