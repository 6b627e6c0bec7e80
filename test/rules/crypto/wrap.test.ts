/** Secrets at rest: opened by the root secret they were wrapped under, for what they were wrapped for. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { createVault, unwrapKey, wrapKey } from '../../../src/crypto/wrap.ts'

const bytes = randomBytes(20)
const vault = createVault('a root secret', randomBytes)

describe('the vault', () => {
  test('gives back what was put in, for the same purpose', () => {
    const wrapped = vault.wrap(bytes, 'codes of alice')
    assert.match(wrapped, /^gcm\.[\w-]{16}\.[\w-]+$/)
    assert.deepEqual(vault.unwrap(wrapped, 'codes of alice'), bytes)
    assert.notEqual(vault.wrap(bytes, 'codes of alice'), wrapped)
  })

  test('opens nothing for another purpose, nor under another secret or none', () => {
    const wrapped = vault.wrap(bytes, 'codes of alice')
    assert.equal(vault.unwrap(wrapped, 'codes of bob'), null)
    assert.equal(unwrapKey(wrapped, 'a root secret'), null)
    assert.equal(
      vault.unwrap(wrapKey(bytes, 'a root secret', randomBytes(12)), 'codes of bob'),
      null,
    )
    assert.equal(createVault('another', randomBytes).unwrap(wrapped, 'codes of alice'), null)
    assert.equal(createVault(null, randomBytes).unwrap(wrapped, 'codes of alice'), null)
  })

  test('refuses what was changed', () => {
    const wrapped = vault.wrap(bytes, 'codes of alice')
    const last = wrapped.endsWith('A') ? 'B' : 'A'
    for (const text of ['', 'gcm', 'gcm.x', 'gcm.x.y', 'other.x.y', wrapped.slice(0, -1) + last]) {
      assert.equal(vault.unwrap(text, 'codes of alice'), null)
    }
  })

  test('without a root secret it hides nothing, and is read by whoever has one later', () => {
    const plain = createVault(null, randomBytes).wrap(bytes, 'codes of alice')
    assert.equal(plain, `plain.${bytes.toString('base64url')}`)
    assert.deepEqual(vault.unwrap(plain, 'codes of alice'), bytes)
  })
})
