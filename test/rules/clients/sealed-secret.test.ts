/** The sealed secret of a client, when several changes come at the same moment. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Client, ClientChange } from '../../../src/model/client.ts'
import { changeOf } from '../../../src/model/client-change.ts'
import type { Digest } from '../../../src/model/ids.ts'
import { sampleClient } from '../../store/sample.ts'

const method = 'client_secret_jwt'
const digest = (name: string) => name as Digest

/** A new secret as every rotation makes it. */
const secretOf = (name: string) => ({ secretDigest: digest(name), sealedSecret: `gcm.${name}` })

const hashed = sampleClient({ secretDigest: digest('first') })
const sealed: Client = { ...hashed, authenticationMethod: method, ...secretOf('first') }

const changeAll = (client: Client, ...changes: readonly Omit<ClientChange, 'newSalt'>[]): Client =>
  changes.reduce((now, change) => changeOf(now, { newSalt: 'salt', ...change }, 1), client)

describe('the sealed form of a secret', () => {
  test('is of the secret that counts, whatever order a rotation and a change have', () => {
    const becomes = { authenticationMethod: method, ...secretOf('second') }
    const rotates = secretOf('third')
    assert.equal(changeAll(hashed, becomes, rotates).sealedSecret, 'gcm.third')
    assert.equal(changeAll(hashed, rotates, becomes).sealedSecret, 'gcm.second')
    const leaves = { authenticationMethod: 'client_secret_basic', sealedSecret: null }
    assert.equal(changeAll(sealed, leaves, rotates).sealedSecret, null)
    assert.equal(changeAll(sealed, rotates, leaves).sealedSecret, null)
  })

  test('goes along with a kept old secret, and goes with the method', () => {
    const kept = changeAll(sealed, { ...secretOf('second'), keepSecretUntil: 100 })
    const old = { digest: 'first', salt: sealed.salt, expiresAt: 100, sealed: 'gcm.first' }
    assert.deepEqual(kept.oldSecret, old)
    const left = changeAll(kept, {
      authenticationMethod: 'client_secret_basic',
      sealedSecret: null,
    })
    assert.deepEqual([left.oldSecret, left.sealedSecret], [null, null])
    const of = changeAll(hashed, { ...secretOf('second'), keepSecretUntil: 100 })
    assert.deepEqual(of.oldSecret, { digest: 'first', salt: hashed.salt, expiresAt: 100 })
    assert.equal(of.sealedSecret, null)
  })

  test('is never another one than that of the digest, and only where the method needs it', () => {
    let made = 0
    const next = () => secretOf(`s-${made++}`)
    const change = fc.oneof(
      fc.constant(() => next()),
      fc.constant(() => ({ authenticationMethod: method, ...next() })),
      fc.constant(() => ({ authenticationMethod: 'client_secret_basic', sealedSecret: null })),
      fc.constant(() => ({ authenticationMethod: 'client_secret_post' })),
      fc.constant(() => ({ authenticationMethod: 'none', secretDigest: null, sealedSecret: null })),
      fc.constant(() => ({ name: 'Other' })),
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        const client = changeAll(hashed, ...changes.map((make) => make()))
        if (client.sealedSecret === null) return
        assert.equal(client.authenticationMethod, method)
        assert.equal(client.sealedSecret, `gcm.${client.secretDigest}`)
      }),
    )
  })
})
