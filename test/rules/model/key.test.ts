/** The table of signature algorithms: the keys that fit each, and the lists made of it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  getKeyAlgorithm,
  isKeyFor,
  isKeyKnown,
  jwsAlgorithms,
  keyEncryptions,
  listSignatureNames,
  signatureAlgorithms,
  signingAlgorithms,
} from '../../../src/model/key.ts'

const lattices = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87']

/** A key of each type, with the signatures that it may check. */
const rows: readonly (readonly [Readonly<Record<string, string>>, readonly string[]])[] = [
  [{ kty: 'RSA' }, ['RS256', 'PS256']],
  [{ kty: 'RSA', alg: 'ML-DSA-44' }, ['RS256', 'PS256']],
  [{ kty: 'EC', crv: 'P-256' }, ['ES256']],
  [{ kty: 'EC', crv: 'P-256', alg: 'ML-DSA-44' }, ['ES256']],
  [{ kty: 'EC', crv: 'P-384' }, []],
  [{ kty: 'OKP', crv: 'Ed25519' }, ['EdDSA', 'Ed25519']],
  [{ kty: 'OKP', crv: 'X25519' }, []],
  [{ kty: 'OKP', crv: 'ML-DSA-44' }, []],
  ...lattices.map((alg) => [{ kty: 'AKP', alg }, [alg]] as const),
  [{ kty: 'AKP', alg: 'ML-DSA-44', crv: 'Ed25519' }, ['ML-DSA-44']],
  [{ kty: 'AKP' }, []],
  [{ kty: 'AKP', alg: 'RS256' }, []],
  [{ kty: 'AKP ML-DSA-44', alg: '' }, []],
  [{ kty: 'AKP', crv: 'ML-DSA-44' }, []],
  [{ kty: 'oct', alg: 'HS256' }, []],
  [{}, []],
]

describe('a key', () => {
  for (const [key, expected] of rows) {
    test(`${JSON.stringify(key)} checks ${expected.join(', ') || 'nothing'}`, () => {
      const others = ['HS256', 'none', '', 'ml-dsa-44', '__proto__', 'toString']
      const fitting = [...signatureAlgorithms, ...others].filter((name) => isKeyFor(key, name))
      assert.deepEqual(fitting, expected)
      const isForEncryption = keyEncryptions.some((name) => isKeyFor(key, name))
      assert.equal(isKeyKnown(key), expected.length > 0 || isForEncryption)
    })
  }
})

describe('the lists', () => {
  test('of others and of the service differ in PS256 alone', () => {
    const own: readonly string[] = jwsAlgorithms
    assert.deepEqual(
      signatureAlgorithms.filter((name) => !own.includes(name)),
      ['PS256'],
    )
    assert.equal(jwsAlgorithms[0], 'RS256')
  })

  test('name each signature of a key of the service once', () => {
    assert.deepEqual(signingAlgorithms, ['RS256', 'ES256', 'EdDSA', ...lattices])
    assert.deepEqual(signingAlgorithms.flatMap(listSignatureNames), jwsAlgorithms)
    for (const name of jwsAlgorithms)
      assert.ok(listSignatureNames(getKeyAlgorithm(name)).includes(name))
  })
})
