/** Secrets at rest: opened by the root secret they were wrapped under, for what they were wrapped for. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { createVault, getKeyPurpose, unwrapKey, wrapKey } from '../../../src/crypto/wrap.ts'
import { vaultOf } from '../../support/root.ts'

const bytes = randomBytes(20)
const vault = vaultOf('a root secret')

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
    assert.equal(unwrapKey(wrapped, 'a root secret', getKeyPurpose('sealing')), null)
    assert.equal(
      vault.unwrap(
        wrapKey(bytes, 'a root secret', randomBytes(12), getKeyPurpose('sealing')),
        'codes of bob',
      ),
      null,
    )
    assert.equal(vaultOf('another').unwrap(wrapped, 'codes of alice'), null)
    assert.equal(vaultOf(null).unwrap(wrapped, 'codes of alice'), null)
  })

  test('refuses what was changed', () => {
    const wrapped = vault.wrap(bytes, 'codes of alice')
    const last = wrapped.endsWith('A') ? 'B' : 'A'
    for (const text of ['', 'gcm', 'gcm.x', 'gcm.x.y', 'other.x.y', wrapped.slice(0, -1) + last]) {
      assert.equal(vault.unwrap(text, 'codes of alice'), null)
    }
  })

  test('without a root secret it hides nothing, which nobody who has one believes later', () => {
    const plain = vaultOf(null).wrap(bytes, 'codes of alice')
    assert.equal(plain, `plain.${bytes.toString('base64url')}`)
    assert.deepEqual(vaultOf(null).unwrap(plain, 'codes of alice'), bytes)
    assert.equal(vault.unwrap(plain, 'codes of alice'), null)
  })

  test('opens under every secret it knows, and wraps under the one in force', () => {
    const known = ['a new secret', 'a root secret']
    let inForce = 'a root secret'
    const both = createVault({ inForce: () => inForce, known }, randomBytes)
    const before = both.wrap(bytes, 'codes of alice')
    inForce = 'a new secret'
    const after = both.wrap(bytes, 'codes of alice')
    assert.deepEqual(
      [before, after].map((one) => vault.unwrap(one, 'codes of alice')),
      [bytes, null],
    )
    for (const wrapped of [before, after]) {
      assert.deepEqual(both.unwrap(wrapped, 'codes of alice'), bytes)
    }
  })
})
