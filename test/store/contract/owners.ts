/** The store contract for owners and their login sessions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '../../../src/model/event.ts'
import type { ItemId, OwnerId, SessionId } from '../../../src/model/ids.ts'
import type { Owner, OwnerChange } from '../../../src/model/owner.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, raceRounds, start, together, trace } from '../moments.ts'
import { sampleOwner, sampleSession } from '../sample.ts'
import { settle, told } from '../settle.ts'

const byRoles = (one: Event['details'], other: Event['details']): number =>
  String(one.roles).localeCompare(String(other.roles))

export const ownerContract = (store: () => Store): void => {
  const addOwner = async (change: Partial<Owner> = {}) => {
    const owner = sampleOwner(change)
    await store().createOwner(owner, trace())
    return owner
  }

  const addSession = async ({ id, passwordHash }: Owner) => {
    const session = sampleSession(id)
    assert.equal(await store().startSession(session, { passwordHash }, null, trace()), 'accepted')
    return session
  }

  test('LG-06 an owner is found by id and by any spelling of the username', async () => {
    const owner = sampleOwner({ username: 'Ａmélie' })
    assert.equal(await store().createOwner(owner, trace()), 'created')
    assert.deepEqual(await store().findOwner(owner.id), owner)
    assert.deepEqual(await store().findOwnerByName('AME\u0301LIE'), owner)
    assert.equal(await store().findOwnerByName('ameli'), null)
    const double = sampleOwner({ username: 'amélie' })
    assert.equal(await store().createOwner(double, trace()), 'taken')
    assert.equal(await store().findOwner(double.id), null)
    assert.deepEqual(await told(store(), { ownerId: owner.id }), ['owner.created'])
  })

  test('LG-06 an owner is found by a proven address, if enabled and with a password', async () => {
    const email = `${sampleOwner().username}@Example.com`
    const found = () => store().findOwnerByEmail(email.toLowerCase())
    for (const unfit of [{ emailVerified: false }, { disabled: true }, { passwordHash: '' }]) {
      const one = sampleOwner({ email, ...unfit })
      assert.equal(await store().createOwner(one, trace()), 'created')
      assert.equal(await found(), null)
      await store().changeOwner(one.id, { email: '' }, trace())
    }
    const owner = sampleOwner({ email })
    await store().createOwner(owner, trace())
    assert.deepEqual(await found(), owner)
    const beyond = sampleOwner({ email: `ä${email}` })
    await store().createOwner(beyond, trace())
    for (const none of ['', beyond.email]) {
      assert.equal(await store().findOwnerByEmail(none), null)
    }
    assert.deepEqual(await store().findOwnerByEmail(email.replace('@', '＠')), owner)
  })

  test('a confirmed address has one owner, however it is spelled and whichever step confirms it', async () => {
    const email = `${sampleOwner().username}@Example.com`
    const owner = await addOwner({ email })
    const shouted = email.toUpperCase()
    const refused = sampleOwner({ email: shouted })
    assert.equal(await store().createOwner(refused, trace()), 'taken')
    assert.equal(await store().findOwner(refused.id), null)
    const link = { id: next('link'), expiresAt: start + 600 }
    assert.equal(await store().signUp(refused, link, trace()), 'address_taken')
    // A link that stayed good would let its holder hash passwords without end.
    assert.equal(await store().isFinished(link.id), true)
    assert.equal(await store().signUp(refused, link, trace()), 'used')
    const another = await addOwner({ email: shouted, emailVerified: false })
    const confirm = { emailVerified: true }
    assert.equal(await store().changeOwner(another.id, confirm, trace()), 'address_taken')
    const given = await store().giveRoles(another.id, { ...confirm, roles: [] }, null, trace())
    assert.deepEqual(given, { outcome: 'address_taken' })
    assert.deepEqual(await store().findOwner(another.id), another)
    await store().changeOwner(owner.id, { email: '' }, trace())
    const changed = await store().changeOwner(another.id, confirm, trace())
    assert.ok(changed !== 'address_taken' && changed?.emailVerified)
    const back = { email, emailVerified: true }
    assert.equal(await store().changeOwner(owner.id, back, trace()), 'address_taken')
  })

  test('a confirmed address of other letters than ASCII has one owner, whatever the language of the database', async () => {
    const email = `Ä${sampleOwner().username}@I.example`
    await addOwner({ email })
    const other = await addOwner({ email, emailVerified: false })
    const confirm = { emailVerified: true }
    assert.equal(await store().changeOwner(other.id, confirm, trace()), 'address_taken')
    const lower = await addOwner({ email: email.replace('Ä', 'ä') })
    assert.equal(lower.emailVerified, true)
  })

  test('RC-10 of many who confirm one address at once, one does', async () => {
    const email = `${sampleOwner().username}@example.com`
    const outcomes = await together(10, async (i) => {
      if (i % 2 === 0) return store().createOwner(sampleOwner({ email }), trace())
      const { id } = await addOwner({ email, emailVerified: false })
      return store().changeOwner(id, { emailVerified: true }, trace())
    })
    const lost = outcomes.filter((one) => one === 'taken' || one === 'address_taken')
    assert.equal(lost.length, 9)
  })

  test('LG-06 nobody is found by an empty address', async () => {
    await store().createOwner(sampleOwner({ email: '', emailVerified: true }), trace())
    assert.equal(await store().findOwnerByEmail(''), null)
  })

  test('RC-10 of many who take one username at once, one gets it', async () => {
    const { username } = sampleOwner()
    const outcomes = await together(20, () =>
      store().createOwner(sampleOwner({ username }), trace()),
    )
    assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 1)
  })

  test('an owner that nobody created is null, for find, change and delete', async () => {
    const id = 'nobody' as OwnerId
    assert.equal(await store().findOwner(id), null)
    assert.equal(await store().changeOwner(id, { name: 'x' }, trace()), null)
    assert.equal(await store().deleteOwner(id, trace()), false)
  })

  test('another address is not verified, unless the change says so', async () => {
    const { id, email, updatedAt } = await addOwner()
    const change = async (to: OwnerChange) => {
      const changed = await store().changeOwner(id, to, trace())
      return changed !== 'address_taken' && changed?.emailVerified
    }
    assert.equal(await change({ disabled: false }), true)
    assert.equal((await store().findOwner(id))?.updatedAt, updatedAt)
    assert.equal(await change({ email, name: 'A' }), true)
    assert.equal((await store().findOwner(id))?.updatedAt, start)
    assert.equal(await change({ email: 'other@example.com' }), false)
    assert.equal(await change({ emailVerified: true }), true)
    assert.equal(await change({ email, emailVerified: true }), true)
    assert.equal(await change({ email: '', emailVerified: false }), false)
  })

  test('claims and attributes are replaced as a whole, and kept where a change does not name them', async () => {
    const owner = await addOwner()
    const claims = { birthdate: '0000-05-04', address: { formatted: 'One\nTwo "' } }
    const attributes = { groups: ['a', 'b"'], desk: { floor: 2, seat: null } }
    await store().changeOwner(owner.id, { attributes }, trace())
    const changed = await store().changeOwner(owner.id, { claims }, trace())
    assert.deepEqual(changed, { ...owner, claims, attributes, updatedAt: start })
    await store().changeOwner(owner.id, { name: owner.name }, trace())
    assert.deepEqual(await store().findOwner(owner.id), changed)
  })

  test('two changes of different fields at once both hold', async () => {
    const owner = await addOwner()
    await Promise.all([
      store().changeOwner(owner.id, { name: 'Alice L.' }, trace()),
      store().changeOwner(owner.id, { email: 'new@example.com' }, trace()),
    ])
    const expected = {
      ...owner,
      name: 'Alice L.',
      email: 'new@example.com',
      emailVerified: false,
      updatedAt: start,
    }
    assert.deepEqual(await store().findOwner(owner.id), expected)
  })

  test('each of two changes at once tells what it found and what it left', async () => {
    for (let round = 0; round < raceRounds; round++) {
      const owner = sampleOwner({ roles: ['operator'] })
      await store().createOwner(owner, trace())
      const { id } = owner
      await together(2, (i) =>
        store().changeOwner(id, { roles: i === 0 ? [] : ['operator'] }, trace()),
      )
      const { rows } = await store().listEvents({ ownerId: id }, null, 9)
      const changes = rows.filter(({ type }) => type === 'owner.changed')
      const isGivenBack = (await store().findOwner(id))?.roles.length === 1
      const texts = changes.map(({ details }) => details).toSorted(byRoles)
      assert.deepEqual(texts, [
        { changed: 'roles', rolesBefore: 'operator', roles: '' },
        { changed: 'roles', ...(isGivenBack ? { rolesBefore: '' } : {}), roles: 'operator' },
      ])
    }
  })

  test('owners are listed in pages, the disabled among them', async () => {
    const owners = [sampleOwner(), sampleOwner({ disabled: true }), sampleOwner()]
    for (const owner of owners) await store().createOwner(owner, trace())
    const before = String(owners[0]?.id).slice(0, -1)
    const first = await store().listOwners(before, 2)
    assert.deepEqual(first, { rows: owners.slice(0, 2), next: owners[1]?.id })
    const second = await store().listOwners(first.next, 2)
    assert.deepEqual(second, { rows: owners.slice(2), next: null })
    const hidden = owners[1] ?? sampleOwner()
    assert.equal(await store().findOwner(hidden.id), null)
    assert.equal(await store().findOwnerByName(hidden.username), null)
    assert.deepEqual(await store().findOwner(hidden.id, 'disabled'), hidden)
  })

  test('a session is found with its owner until it expires', async () => {
    const owner = await addOwner()
    const session = await addSession(owner)
    assert.deepEqual(await store().findSession(session.id, start), { session, owner })
    assert.deepEqual(await store().findSession(session.id, session.expiresAt - 1), {
      session,
      owner,
    })
    assert.equal(await store().findSession(session.id, session.expiresAt), null)
    assert.equal(await store().endSession(session.id, trace(session.expiresAt)), false)
  })

  test('LG-01 a new session ends the one it replaces in the same step', async () => {
    const owner = await addOwner()
    const before = await addSession(owner)
    const after = sampleSession(owner.id)
    await store().startSession(after, { passwordHash: owner.passwordHash }, before.id, trace())
    assert.equal(await store().findSession(before.id, start), null)
    assert.deepEqual(await store().findSession(after.id, start), { session: after, owner })
  })

  test('LG-14 a session ends once', async () => {
    const owner = await addOwner()
    const session = await addSession(owner)
    const ended = await together(5, () => store().endSession(session.id, trace()))
    assert.deepEqual(ended, [true, false, false, false, false])
    assert.equal(await store().findSession(session.id, start), null)
    const events = ['owner.created', 'login.succeeded', 'session.ended']
    assert.deepEqual(await told(store(), { ownerId: owner.id }), events)
  })

  test('RF-12 a new password ends all sessions but the one that is kept', async () => {
    const owner = await addOwner()
    const kept = await addSession(owner)
    const lost = await addSession(owner)
    const password = { hash: '$argon2id$new', salt: 'new' }
    const at = trace(start + 5)
    const by = { session: kept.id, passwordHash: owner.passwordHash }
    const changed = await store().changePassword(owner.id, password, by, at)
    const change = { passwordHash: '$argon2id$new', passwordChangedAt: start + 5 }
    assert.deepEqual(changed, { ...owner, ...change })
    assert.deepEqual(await store().findSession(kept.id, start), {
      session: kept,
      owner: { ...owner, ...change },
    })
    assert.equal(await store().findSession(lost.id, start), null)
    assert.equal((await told(store(), { ownerId: owner.id })).at(-1), 'owner.password_changed')
  })

  test('disabling an owner ends all sessions, and enabling does not bring them back', async () => {
    const owner = await addOwner()
    const session = await addSession(owner)
    await store().changeOwner(owner.id, { disabled: true }, trace())
    assert.equal(await store().findSession(session.id, start), null)
    await store().changeOwner(owner.id, { disabled: false }, trace())
    assert.equal(await store().findSession(session.id, start), null)
  })

  test('deleting an owner deletes sessions, authorizations and items', async () => {
    const { owner, client, authorization } = await settle(store())
    const session = await addSession(owner)
    const holder = `owner:${owner.id}` as const
    const item = { holder, resource: 'photos', id: 'item' as ItemId, fields: {}, version: 'v1' }
    await store().putItem({ ...item, condition: {}, createOnly: true, mostItems: 10 })
    assert.equal(await store().deleteOwner(owner.id, trace()), true)
    assert.equal(await store().findOwner(owner.id, 'disabled'), null)
    assert.equal(await store().findSession(session.id, start), null)
    assert.equal(await store().findAuthorization(authorization.id, start), null)
    assert.deepEqual(await store().findAuthorizations(owner.id, client.id, start), [])
    assert.equal(await store().findItem(holder, 'photos', item.id), null)
    assert.equal((await told(store(), { ownerId: owner.id })).at(-1), 'owner.deleted')
  })

  test('LG-05 a username is free again after its owner is gone, for a new id', async () => {
    const owner = await addOwner()
    await store().deleteOwner(owner.id, trace())
    const successor = sampleOwner({ username: owner.username })
    assert.equal(await store().createOwner(successor, trace()), 'created')
    assert.deepEqual(await store().findOwnerByName(owner.username), successor)
  })

  const ends: Record<string, (id: OwnerId) => Promise<unknown>> = {
    'the password changed': (id) =>
      store().changePassword(id, { hash: 'new', salt: 'new' }, null, trace()),
    'the owner was disabled': (id) => store().changeOwner(id, { disabled: true }, trace()),
    'the owner was deleted': (id) => store().deleteOwner(id, trace()),
  }
  for (const [why, end] of Object.entries(ends)) {
    test(`RC-08 a password that was right before ${why} begins no session`, async () => {
      const owner = await addOwner()
      const other = await addOwner()
      const before = await addSession(other)
      await end(owner.id)
      const session = sampleSession(owner.id)
      const { passwordHash } = owner
      const started = await store().startSession(session, { passwordHash }, before.id, trace())
      assert.equal(started, 'refused')
      assert.equal(await store().findSession(session.id, start), null)
      assert.deepEqual(await store().findSession(before.id, start), {
        session: before,
        owner: other,
      })
      const events = await told(store(), { ownerId: owner.id })
      assert.equal(events.includes('login.succeeded'), false)
    })
  }

  test('a session that nobody began does not end', async () => {
    assert.equal(await store().endSession('none' as SessionId, trace()), false)
  })
}
