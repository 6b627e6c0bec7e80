/** Keys: they change by themselves, and every node knows a key before it is used. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSealed, type SealedStatement, seal, verifySeal } from '../../../src/crypto/seal.ts'
import { getKeyPurpose } from '../../../src/crypto/wrap.ts'
import { text } from '../../../src/model/codec/types.ts'
import type { ServiceParts } from '../../../src/registries.ts'
import type { StoredKey } from '../../../src/store/contract/key.ts'
import type { Store } from '../../../src/store/store.ts'
import { type KeyKeeper, openKeyring } from '../../../src/tokens/keys/keyring.ts'
import { isOfKind, type KeyKind, keyLimits, sealingKind } from '../../../src/tokens/keys/kinds.ts'
import { rootOf } from '../../support/root.ts'

const statement: SealedStatement<string> = { kind: 'lk_at_', says: text() }

const secret = 'a root secret of more than 32 characters'
const { keyRotationSeconds, keyPublishSeconds } = keyLimits

/** A store with keys, a clock that moves on command, and unique bytes. */
const world = () => {
  const stored: StoredKey[] = []
  let now = 1_795_000_000
  let drawn = 0
  const store: Pick<Store, 'listKeys' | 'addKey'> = {
    listKeys: async () => [...stored],
    addKey: async (key, unlessSince) => {
      const alike = stored.filter((one) => isOfKind(one, key))
      if (alike.some(({ usableFrom }) => usableFrom >= unlessSince)) return 'present'
      stored.push(key)
      return 'added'
    },
  }
  const parts = {
    store: store as Store,
    clock: () => now * 1000,
    random: (bytes: number) => new Uint8Array(bytes).map(() => drawn++ % 251),
  } satisfies Partial<ServiceParts>
  return {
    stored,
    parts,
    advance: (seconds: number) => {
      now += seconds
    },
    open: (
      root: string | null = secret,
      issuer = 'https://auth.example',
      kinds: readonly KeyKind[] = [sealingKind],
    ) => openKeyring(parts, rootOf(root, parts.random), issuer, kinds),
  }
}

const sealOf = (keyring: KeyKeeper): string => seal(statement, keyring.current(), 'salt', 'x')

const opens = (keyring: KeyKeeper, text: string): boolean => {
  const sealed = readSealed(statement, text)
  return sealed !== null && verifySeal(sealed, keyring, 'salt')
}

describe('the first key', () => {
  test('is usable at once, and is the one that a second node finds', async () => {
    const { open, stored } = world()
    const [first, second] = [await open(), await open()]
    assert.equal(stored.length, 1)
    assert.equal(opens(second, sealOf(first)), true)
    assert.equal(opens(first, sealOf(second)), true)
  })

  test('of two nodes that start at once is one', async () => {
    const { open, stored } = world()
    const [first, second] = await Promise.all([open(), open()])
    assert.equal(stored.length, 1)
    assert.equal(opens(second, sealOf(first)), true)
  })
})

describe('rotation', () => {
  test('nothing changes before it is time', async () => {
    const { open, advance, stored } = world()
    const keyring = await open()
    advance(keyRotationSeconds - 1)
    await keyring.refresh()
    assert.equal(stored.length, 1)
  })

  test('a new key is known for an hour before it seals, and the old one goes on opening', async () => {
    const { open, advance, stored } = world()
    const keyring = await open()
    const [oldKey, oldText] = [keyring.current().id, sealOf(keyring)]
    advance(keyRotationSeconds)
    await keyring.refresh()
    await keyring.refresh()
    assert.equal(stored.length, 2)
    assert.equal(keyring.current().id, oldKey)
    advance(keyPublishSeconds - 1)
    assert.equal(keyring.current().id, oldKey)
    advance(1)
    assert.notEqual(keyring.current().id, oldKey)
    assert.equal(opens(keyring, oldText), true)
    assert.equal(opens(keyring, sealOf(keyring)), true)
  })

  test('a node that looks once an hour opens whatever any other has sealed', async () => {
    const { open, advance, stored } = world()
    const [busy, idle] = [await open(), await open()]
    for (let days = 0; days < 100; days++) {
      advance(24 * 3600 - keyPublishSeconds)
      await busy.refresh()
      advance(keyPublishSeconds)
      await idle.refresh()
      assert.equal(opens(idle, sealOf(busy)), true)
      assert.equal(opens(busy, sealOf(idle)), true)
    }
    assert.equal(stored.length, 4)
  })

  test('of two nodes that find at once that it is time, one adds a key', async () => {
    const { open, advance, stored } = world()
    const [first, second] = [await open(), await open()]
    advance(keyRotationSeconds)
    await Promise.all([first.refresh(), second.refresh()])
    assert.equal(stored.length, 2)
    advance(keyPublishSeconds)
    assert.equal(opens(second, sealOf(first)), true)
    assert.equal(first.current().id, second.current().id)
  })

  test('a clock that was set back seals with the oldest key, which all know', async () => {
    const { open, advance } = world()
    const keyring = await open()
    const oldest = keyring.current().id
    advance(keyRotationSeconds + keyPublishSeconds)
    await keyring.refresh()
    advance(-2 * keyRotationSeconds)
    assert.equal(keyring.current().id, oldest)
  })
})

describe('the root secret', () => {
  test('stands before every key: in the store there is none in clear', async () => {
    const { open, stored } = world()
    await open()
    assert.match(stored[0]?.wrapped ?? '', /^gcm\./)
  })

  test('a wrong one, or none, opens nothing, and no new keys are made over the old ones', async () => {
    const { open, stored } = world()
    const text = sealOf(await open())
    for (const wrong of ['another secret of more than 32 characters', null]) {
      await assert.rejects(open(wrong), /^Error: the root secret does not open the sealing keys/)
    }
    assert.equal(stored.length, 1)
    assert.equal(opens(await open(), text), true)
  })
})

describe('a further kind of key', () => {
  const publicKey = { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }
  const toy: KeyKind = {
    use: 'signing',
    algorithm: 'EdDSA',
    rotationSeconds: keyRotationSeconds / 2,
    make: async (random) => ({ secret: random(32), publicKey }),
  }
  const kinds = [sealingKind, toy]
  const idsOf = (keys: readonly StoredKey[]) => keys.map(({ id }) => id)

  test('is made when it is needed, also beside older keys, and once', async () => {
    const { open, stored } = world()
    const sealing = await open()
    assert.deepEqual(sealing.stored('signing'), [])
    const both = await open(secret, undefined, kinds)
    await both.refresh()
    assert.deepEqual(both.stored('signing'), [])
    await both.ensure('signing')
    await both.ensure('signing')
    const [made] = both.stored('signing')
    assert.deepEqual(
      stored.map(({ use, algorithm }) => [use, algorithm]),
      [
        ['sealing', 'HS256'],
        ['signing', 'EdDSA'],
      ],
    )
    assert.deepEqual(made?.publicKey, publicKey)
    assert.equal(opens(sealing, sealOf(both)), true)
  })

  test('rotates by its own time, and its next key is known for an hour before', async () => {
    const { open, advance, parts } = world()
    const [node, other] = [
      await open(secret, undefined, kinds),
      await open(secret, undefined, kinds),
    ]
    await Promise.all([node.ensure('signing'), other.ensure('signing')])
    advance(toy.rotationSeconds)
    await node.refresh()
    await other.refresh()
    const [, next] = node.stored('signing')
    assert.equal(next?.usableFrom, Math.floor(parts.clock() / 1000) + keyPublishSeconds)
    assert.equal(node.stored('sealing').length, 1)
    assert.deepEqual(idsOf(other.stored('signing')), idsOf(node.stored('signing')))
  })

  test('is wrapped for its use: it opens as no other', async () => {
    const { open, parts } = world()
    const node = await open(secret, undefined, kinds)
    await node.ensure('signing')
    const { vault } = rootOf(secret, parts.random)
    const wrapped = node.stored('signing')[0]?.wrapped ?? ''
    assert.equal(vault.unwrap(wrapped, getKeyPurpose('signing'))?.length, 32)
    assert.equal(vault.unwrap(wrapped, getKeyPurpose('sealing')), null)
  })
})
