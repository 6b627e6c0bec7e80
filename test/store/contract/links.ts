/** The store contract for links: each is used up by one step, and holds for one state of the account. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Owner } from '../../../src/model/owner.ts'
import type { Ceremony } from '../../../src/store/contract/factor.ts'
import type { UsedLink } from '../../../src/store/contract/owner.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../moments.ts'
import { sampleOwner, sampleSession } from '../sample.ts'
import { told } from '../settle.ts'

const newLink = (): Ceremony => ({ id: next('link'), expiresAt: start + 600 })

const stateOf = ({ email, passwordHash, roles }: Owner, link = newLink()): UsedLink => ({
  link,
  email,
  passwordHash,
  roles,
  proves: '',
})

export const linkContract = (store: () => Store): void => {
  const addOwner = async (change: Partial<Owner> = {}): Promise<Owner> => {
    const owner = sampleOwner(change)
    assert.equal(await store().createOwner(owner, trace()), 'created')
    return owner
  }
  const choose = ({ id }: Owner, by: UsedLink, hash = next('hash')) =>
    store().changePassword(id, { hash, salt: 'salt' }, by, trace())

  test('a link changes the password once, and ends all logins', async () => {
    const owner = await addOwner()
    const session = sampleSession(owner.id)
    await store().startSession(session, { passwordHash: owner.passwordHash }, null, trace())
    const by = stateOf(owner)
    assert.equal((await choose(owner, by, 'chosen'))?.passwordHash, 'chosen')
    assert.equal(await store().findSession(session.id, start), null)
    assert.equal(await choose(owner, by), null)
    assert.equal(await choose(owner, { ...by, passwordHash: 'chosen' }), null)
    assert.equal(await store().isFinished(by.link.id), true)
  })

  test('RC-05 of many uses of one link at once, one counts', async () => {
    const owner = await addOwner()
    const by = stateOf(owner)
    const changed = await together(10, () => choose(owner, by))
    assert.equal(changed.filter((one) => one !== null).length, 1)
    const others = await together(10, () => choose(owner, stateOf(owner)))
    assert.deepEqual(new Set(others), new Set([null]))
  })

  test('a link of another password, of another address or of a disabled owner changes nothing', async () => {
    const owner = await addOwner()
    assert.equal(await choose(owner, { ...stateOf(owner), passwordHash: 'other' }), null)
    assert.equal(await choose(owner, { ...stateOf(owner), email: 'other@example.com' }), null)
    await store().changeOwner(owner.id, { disabled: true }, trace())
    assert.equal(await choose(owner, stateOf(owner)), null)
    assert.equal(await store().confirmEmail(owner.id, owner.email, stateOf(owner), trace()), null)
  })

  test('a mailed link confirms the present address with the password, unless another owner has', async () => {
    const email = `${next('name')}@example.com`
    const owner = await addOwner({ email, emailVerified: false })
    const rival = await addOwner({ email, emailVerified: false })
    for (const proves of ['', `other-${email}`]) {
      const by = { ...stateOf((await store().findOwner(owner.id)) ?? owner), proves }
      assert.equal((await choose(owner, by))?.emailVerified, false)
    }
    const mailed = async (one: Owner) => {
      const now = await store().findOwner(one.id)
      return choose(one, { ...stateOf(now ?? one), proves: email })
    }
    assert.equal((await mailed(owner))?.emailVerified, true)
    assert.equal((await mailed(rival))?.emailVerified, false)
    assert.equal((await mailed(owner))?.emailVerified, true)
    const events = await told(store(), { ownerId: owner.id })
    assert.equal(events.filter((type) => type === 'owner.email_verified').length, 1)
  })

  test('a link confirms an address once, and a username that is the address follows', async () => {
    const email = `${next('name')}@example.com`
    const owner = await addOwner({ username: email, email, emailVerified: false })
    const by = stateOf(owner)
    const confirmed = await store().confirmEmail(owner.id, email, by, trace(start + 1))
    assert.deepEqual(confirmed, { ...owner, emailVerified: true, updatedAt: start + 1 })
    assert.equal(await store().confirmEmail(owner.id, email, by, trace()), null)
    const other = `${next('name')}@example.com`
    const moved = await store().confirmEmail(owner.id, other, stateOf(owner), trace(start + 2))
    const expected = { username: other, email: other, emailVerified: true, updatedAt: start + 2 }
    assert.deepEqual(moved, { ...owner, ...expected })
    assert.deepEqual(await store().findOwnerByName(other), moved)
    assert.equal(await store().findOwnerByName(email), null)
    const events = await told(store(), { ownerId: owner.id })
    assert.deepEqual(
      events.toSorted(),
      ['owner.created', 'owner.email_verified', 'owner.email_verified'].toSorted(),
    )
    const { rows } = await store().listEvents({ ownerId: owner.id }, null, 10)
    const changed = rows.flatMap(({ details }) => ('changed' in details ? [details.changed] : []))
    assert.deepEqual(changed.toSorted(), [false, true])
  })

  test('an address that another owner confirmed is taken, and the link is not used up', async () => {
    const other = await addOwner()
    const owner = await addOwner({ email: other.email.toUpperCase(), emailVerified: false })
    const by = stateOf(owner)
    assert.equal(await store().confirmEmail(owner.id, owner.email, by, trace()), 'address_taken')
    assert.equal(await store().isFinished(by.link.id), false)
    assert.deepEqual(await store().findOwner(owner.id), owner)
  })

  test('a username stays where it is no address', async () => {
    const named = await addOwner()
    const email = `${next('name')}@example.com`
    const changed = await store().confirmEmail(named.id, email, stateOf(named), trace())
    assert.ok(changed !== 'address_taken')
    assert.equal(changed?.username, named.username)
  })

  test('no former address stays behind as a username, where somebody else has the new one', async () => {
    const address = `${next('name')}@example.com`
    const owner = await addOwner({ username: address, email: address })
    const taken = await addOwner({ username: `${next('name')}@example.com` })
    const by = stateOf(owner)
    const outcome = await store().confirmEmail(owner.id, taken.username, by, trace())
    assert.equal(outcome, 'address_taken')
    assert.equal(await store().isFinished(by.link.id), false)
    assert.deepEqual(await store().findOwner(owner.id), owner)
  })

  test('RC-10 a link signs up once, and nobody under a name that is taken', async () => {
    const link = newLink()
    const outcomes = await together(10, () => store().signUp(sampleOwner(), link, trace()))
    assert.deepEqual(outcomes.toSorted(), ['created', ...Array<string>(9).fill('used')])
    const { username } = await addOwner()
    assert.equal(await store().signUp(sampleOwner({ username }), newLink(), trace()), 'taken')
  })
}
