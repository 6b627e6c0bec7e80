/** The store contract for pictures of owners. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionId } from '../../../src/model/ids.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../moments.ts'
import { sampleOwner, sampleSession } from '../sample.ts'

export const pictureContract = (store: () => Store): void => {
  const addOwner = async () => {
    const owner = sampleOwner()
    await store().createOwner(owner, trace())
    const session = sampleSession(owner.id)
    const login = { passwordHash: owner.passwordHash }
    assert.equal(await store().startSession(session, login, null, trace()), 'accepted')
    return { owner, by: { ownerId: owner.id, session: session.id } }
  }
  const newPicture = () =>
    ({ name: next('picture'), type: 'image/png', content: 'iVBORw0KGgo=' }) as const

  test('an owner has one picture, found by its name until it is replaced or removed', async () => {
    const { owner, by } = await addOwner()
    const [first, second] = [newPicture(), newPicture()]
    assert.equal(await store().findOwnerPicture(first.name), null)
    assert.equal(await store().setOwnerPicture(by, first, trace(start + 1)), true)
    assert.deepEqual(await store().findOwnerPicture(first.name), { ...first, ownerId: owner.id })
    assert.deepEqual(await store().findOwner(owner.id), {
      ...owner,
      pictureName: first.name,
      pictureSource: 'own',
      updatedAt: start + 1,
    })
    const [event] = (await store().listEvents({ ownerId: owner.id }, null, 1)).rows
    assert.deepEqual(
      [event?.type, event?.details],
      ['owner.profile_changed', { changed: 'picture' }],
    )
    assert.equal(await store().setOwnerPicture(by, second, trace()), true)
    assert.equal(await store().findOwnerPicture(first.name), null)
    assert.equal(await store().setOwnerPicture(by, null, trace()), true)
    assert.equal(await store().findOwnerPicture(second.name), null)
    assert.equal((await store().findOwner(owner.id))?.pictureName, '')
  })

  test('only a session that lives sets it, and no other owner loses one', async () => {
    const [one, other] = [await addOwner(), await addOwner()]
    const [kept, picture] = [newPicture(), newPicture()]
    assert.equal(await store().setOwnerPicture(other.by, kept, trace()), true)
    const wrong = [
      { ...one.by, session: 'unknown' as SessionId },
      { ...one.by, session: other.by.session },
    ]
    for (const by of wrong) {
      assert.equal(await store().setOwnerPicture(by, picture, trace()), false)
      assert.equal(await store().setOwnerPicture(by, null, trace()), false)
    }
    assert.equal(await store().findOwnerPicture(picture.name), null)
    assert.ok(await store().findOwnerPicture(kept.name))
  })

  test('two at once leave one picture, whose name the owner has', async () => {
    const { owner, by } = await addOwner()
    const pictures = [newPicture(), newPicture()]
    const both = await together(2, (i) => store().setOwnerPicture(by, pictures[i] ?? null, trace()))
    assert.deepEqual(both, [true, true])
    const { pictureName } = (await store().findOwner(owner.id)) ?? {}
    const found = await Promise.all(pictures.map(({ name }) => store().findOwnerPicture(name)))
    assert.deepEqual(
      found.flatMap((one) => (one === null ? [] : [one.name])),
      [pictureName],
    )
  })

  test('a linked upstream tells a picture, unless its owner chose one or none', async () => {
    const { owner, by } = await addOwner()
    const account = { upstream: 'other', issuer: 'https://other.example', subject: next('subject') }
    const link = { ...account, ownerId: owner.id, label: 'a', createdAt: start, lastUsedAt: null }
    const keep = (from = account, ownerId = owner.id) =>
      store().keepUpstreamPicture(from, 'source', { ...newPicture(), ownerId }, trace(start + 1))
    assert.equal(await keep(), false)
    const ceremony = { id: next('trip'), expiresAt: start + 600 }
    assert.equal(await store().linkUpstream(link, ceremony, by, trace()), 'linked')
    const stranger = await addOwner()
    assert.equal(await keep({ ...account, subject: 'another' }), false)
    assert.equal(await keep(account, stranger.owner.id), false)
    const read = async () => {
      const { pictureName = '', pictureSource } = (await store().findOwner(owner.id)) ?? {}
      return { pictureSource, isThere: (await store().findOwnerPicture(pictureName)) !== null }
    }
    assert.deepEqual(await read(), { pictureSource: '', isThere: false })
    assert.equal(await keep(), true)
    assert.deepEqual(await read(), { pictureSource: 'source', isThere: true })
    const [event] = (await store().listEvents({ ownerId: owner.id }, null, 1)).rows
    assert.deepEqual(
      [event?.type, event?.details],
      ['owner.profile_changed', { changed: 'picture', upstream: 'other' }],
    )
    const own = newPicture()
    await together(2, (i) => (i === 0 ? keep() : store().setOwnerPicture(by, own, trace())))
    assert.equal(await keep(), false)
    assert.equal((await store().findOwner(owner.id))?.pictureName, own.name)
    assert.equal(await store().setOwnerPicture(by, null, trace()), true)
    assert.equal(await keep(), false)
    assert.deepEqual(await read(), { pictureSource: 'own', isThere: false })
  })

  test('a deleted owner has none, and one who is leaving gets none', async () => {
    const [leaver, gone] = [await addOwner(), await addOwner()]
    await store().setOwnerPicture(leaver.by, newPicture(), trace())
    await store().requestDeletion(leaver.by, start + 900, trace())
    assert.equal(await store().setOwnerPicture(leaver.by, newPicture(), trace()), false)
    const picture = newPicture()
    await store().setOwnerPicture(gone.by, picture, trace())
    await store().deleteOwner(gone.owner.id, trace())
    assert.equal(await store().findOwnerPicture(picture.name), null)
  })
}
