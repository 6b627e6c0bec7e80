/** A node learns keys that others made, and cannot be made to ask for them all the time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  learnKey,
  readSealed,
  type SealedStatement,
  seal,
  verifySeal,
} from '../../../src/crypto/seal.ts'
import { text } from '../../../src/model/codec/types.ts'
import type { StoredKey } from '../../../src/store/contract/key.ts'
import type { Store } from '../../../src/store/store.ts'
import { openKeyring } from '../../../src/tokens/keys/keyring.ts'
import { sealingKind } from '../../../src/tokens/keys/kinds.ts'
import { rootOf } from '../../support/root.ts'

const statement: SealedStatement<string> = { kind: 'lk_at_', says: text() }

/** As much of a store as keys need, and how often it was asked for them. */
const keyStore = () => {
  const keys: StoredKey[] = []
  let asked = 0
  const store: Pick<Store, 'listKeys' | 'addKey'> = {
    listKeys: async () => {
      asked++
      return [...keys]
    },
    addKey: async (key) => {
      keys.push(key)
      return 'added'
    },
  }
  return { store: store as Store, asked: () => asked, keys }
}

const openNode = (store: Store, at: () => number, filling: number) =>
  openKeyring(
    { store, clock: () => at() * 1000, random: (bytes) => new Uint8Array(bytes).fill(filling) },
    rootOf(null),
    'https://auth.example',
    [sealingKind],
  )

test('a seal by a key that another node made is recognised after asking once', async () => {
  const { store, asked } = keyStore()
  let at = 1_000_000
  const one = await openNode(store, () => at, 1)
  const other = await openNode(store, () => at, 2)
  at += 31 * 24 * 3600
  await one.refresh()
  at += 7200
  const sealed = readSealed(statement, seal(statement, one.current(), 'salt', 'a'))
  assert.ok(sealed)
  assert.equal(verifySeal(sealed, other, 'salt'), false)
  const before = asked()
  await learnKey(sealed, other)
  assert.equal(verifySeal(sealed, other, 'salt'), true)
  await learnKey(sealed, other)
  assert.equal(asked(), before + 1)
})

test('keys that there are not make a node ask once a second at most', async () => {
  const { store, asked } = keyStore()
  let at = 1_000_000
  const node = await openNode(store, () => at, 1)
  const stranger = { ...node.current(), id: 'strange' }
  const sealed = readSealed(statement, seal(statement, stranger, 'salt', 'a'))
  assert.ok(sealed)
  const before = asked()
  for (let second = 0; second < 3; second++) {
    at++
    await Promise.all(Array.from({ length: 100 }, () => learnKey(sealed, node)))
    assert.equal(asked(), before + second + 1)
  }
  assert.equal(verifySeal(sealed, node, 'salt'), false)
})

test('a list of keys that was read before a new key, and comes after it, takes no key away', async () => {
  const { store, keys } = keyStore()
  const at = 1_000_000
  const node = await openNode(store, () => at, 1)
  const gate = Promise.withResolvers<void>()
  const { listKeys } = store
  const late = async () => {
    const before = await listKeys()
    await gate.promise
    return before
  }
  Object.assign(store, { listKeys: late })
  const old = node.reload()
  await Promise.resolve()
  Object.assign(store, { listKeys })
  const [first] = keys
  assert.ok(first)
  keys.push({ ...first, id: 'newer' })
  await node.reload()
  gate.resolve()
  await old
  assert.deepEqual(
    node.stored('sealing').map(({ id }) => id),
    [first.id, 'newer'],
  )
})
