/** The store contract for keys, and for what else the root secret wraps. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnerId } from '../../../src/model/ids.ts'
import type { KeyUse } from '../../../src/model/key.ts'
import type { StoredKey } from '../../../src/store/contract/key.ts'
import type { Store } from '../../../src/store/store.ts'
import { next, start, together, trace } from '../moments.ts'
import { sampleKey, sampleOwner, sampleSession } from '../sample.ts'

const addOwnerWithCodes = async (store: Store): Promise<OwnerId> => {
  const owner = sampleOwner()
  await store.createOwner(owner, trace())
  const session = sampleSession(owner.id)
  await store.startSession(session, { passwordHash: owner.passwordHash }, null, trace())
  const ceremony = { id: next('ceremony'), expiresAt: start + 1000 }
  const by = { ownerId: owner.id, session: session.id }
  const codes = { secret: 'gcm.a.b', lastStep: 0 }
  assert.equal(await store.setOneTimeCodes(codes, ceremony, by, trace()), 'added')
  return owner.id
}

export const keyContract = (store: () => Store): void => {
  const key = sampleKey
  const publicKey = { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }
  const signingKey = (id: string, usableFrom: number): StoredKey => ({
    ...key(id, usableFrom),
    use: 'signing',
    algorithm: 'EdDSA',
    publicKey,
  })
  const idsOf = async (use: KeyUse) =>
    (await store().listKeys()).filter((one) => one.use === use).map(({ id }) => id)

  test('RC-12 of many nodes that add a key at once, one does', async () => {
    const first = key('k1', start)
    assert.equal(await store().addKey(first, start, trace()), 'added')
    const outcomes = await together(20, (i) =>
      store().addKey(key(`k2-${i}`, start + 100), start + 50, trace()),
    )
    assert.equal(outcomes.filter((outcome) => outcome === 'added').length, 1)
    assert.deepEqual(await store().listKeys(), [first, key('k2-0', start + 100)])
  })

  test('keys are taken away by their ids, and after the last the next is the first again', async () => {
    const before = await store().listKeys()
    assert.equal(await store().removeKeys(['unknown'], trace()), 0)
    assert.deepEqual(await store().listKeys(), before)
    const ids = before.map(({ id }) => id)
    assert.equal(await store().removeKeys([...ids, 'unknown'], trace()), before.length)
    assert.equal(await store().removeKeys(ids, trace()), 0)
    assert.deepEqual(await store().listKeys(), [])
    assert.equal(await store().addKey(key('k3', start), 0, trace()), 'added')
    const [event] = (await store().listEvents({}, null, 2)).rows.slice(1)
    const details = { keys: before.length, keyIds: ids.join(' ') }
    assert.deepEqual([event?.type, event?.details], ['keys.removed', details])
  })

  test('one key takes the place of all, and counts as the newest', async () => {
    await store().replaceKeys(key('k4', start + 10), trace())
    assert.deepEqual(await store().listKeys(), [key('k4', start + 10)])
    assert.equal(await store().addKey(key('k5', start + 20), start + 10, trace()), 'present')
    assert.equal(await store().addKey(key('k5', start + 20), start + 11, trace()), 'added')
  })

  test('keys of each use and algorithm have a turn of their own, and a public half', async () => {
    const sealing = await idsOf('sealing')
    const first = signingKey('s1', start)
    assert.equal(await store().addKey(first, start, trace()), 'added')
    assert.equal(await store().addKey(signingKey('s2', start), start, trace()), 'present')
    const other: StoredKey = { ...signingKey('r1', start), algorithm: 'RS256' }
    assert.equal(await store().addKey(other, start, trace()), 'added')
    assert.deepEqual(
      (await store().listKeys()).filter(({ use }) => use === 'signing'),
      [other, first],
    )
    await store().replaceKeys(signingKey('s3', start), trace())
    assert.deepEqual(await idsOf('signing'), ['r1', 's3'])
    assert.equal(await store().removeKeys(['s3'], trace()), 1)
    assert.equal(await store().addKey(signingKey('s4', start), start, trace()), 'added')
    assert.equal(await store().addKey({ ...other, id: 'r2' }, start, trace()), 'present')
    assert.equal(await store().removeKeys(['s4', 'r1'], trace()), 2)
    assert.deepEqual(await idsOf('sealing'), sealing)
  })

  test('a key is kept until the latest time that was asked for, and taken away after it', async () => {
    const kept = signingKey('kept', start)
    assert.equal(await store().addKey(kept, start, trace()), 'added')
    const keptUntil = async () =>
      (await store().listKeys()).find(({ id }) => id === 'kept')?.keepUntil
    assert.equal(await keptUntil(), null)
    const times = [start + 20, start + 50, start + 30]
    const answers = await Promise.all(times.map((until) => store().keepKey('kept', until)))
    assert.deepEqual(answers, [true, true, true])
    assert.equal(await keptUntil(), start + 50)
    assert.equal(await store().retireKey('kept', start + 49, trace()), false)
    const both = await Promise.all([1, 2].map(() => store().retireKey('kept', start + 50, trace())))
    assert.deepEqual(both.toSorted(), [false, true])
    assert.equal(await keptUntil(), undefined)
    assert.equal(await store().keepKey('kept', start + 60), false)
    const { rows } = await store().listEvents({}, null, 9)
    const event = rows.find(({ type }) => type === 'keys.removed')
    assert.deepEqual(event?.details, { keys: 1, keyId: 'kept' })
    assert.equal(await store().addKey(signingKey('next', start), start, trace()), 'added')
    assert.equal(await store().removeKeys(['next'], trace()), 1)
  })

  test('keys are wrapped anew together with the value of the root secret, or not at all', async () => {
    await store().setFact('root secret', null, 'one')
    const keys = [{ id: 'k4', wrapped: 'wrapped anew' }]
    const before = await store().listKeys()
    assert.equal(await store().rewrapKeys({ from: 'other', to: 'two', keys }, trace()), false)
    assert.deepEqual(await store().listKeys(), before)
    assert.equal(await store().rewrapKeys({ from: 'one', to: 'two', keys }, trace()), true)
    assert.equal(await store().findFact('root secret'), 'two')
    assert.deepEqual(
      (await store().listKeys()).map(({ id, wrapped }) => [id, wrapped]),
      [
        ['k4', 'wrapped anew'],
        ['k5', 'wrapped k5'],
      ],
    )
  })

  test('secrets of one-time codes are listed by owner, and changed where nobody else has', async () => {
    const owners = await Promise.all(['a', 'b', 'c'].map(() => addOwnerWithCodes(store())))
    const ids = owners.toSorted()
    const listed: string[] = []
    let after: string | null = null
    do {
      const page = await store().listOneTimeCodes(after, 2)
      assert.ok(page.rows.length <= 2)
      listed.push(
        ...page.rows.filter(({ secret }) => secret === 'gcm.a.b').map((row) => row.ownerId),
      )
      after = page.next
    } while (after !== null)
    assert.deepEqual(listed, ids)
    const changes = owners.map((ownerId, i) => ({
      ownerId,
      from: i === 0 ? 'gcm.other' : 'gcm.a.b',
      secret: `gcm.new.${i}`,
    }))
    assert.equal(await store().rewrapOneTimeCodes(changes), 2)
    const secretOf = async (ownerId: OwnerId) =>
      (await store().findFactors(ownerId)).oneTimeCodes?.secret
    assert.deepEqual(await Promise.all(owners.map(secretOf)), ['gcm.a.b', 'gcm.new.1', 'gcm.new.2'])
  })
}
