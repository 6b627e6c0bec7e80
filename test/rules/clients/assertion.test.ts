/** Reading client assertions: whatever comes is an assertion or a refusal, and only the signed text is right. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readAssertion } from '../../../src/clients/methods/assertion.ts'
import { verifyByKey } from '../../../src/crypto/client-jws.ts'
import { type ClientKey, signatureAlgorithms } from '../../../src/model/key.ts'
import { parseParameters } from '../../../src/protocol/parameters.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'
import { assertionType } from '../../support/assertions.ts'
import { newKeys, sign } from '../../support/client-keys.ts'

const read = (text: string) => {
  const form = { client_assertion: text, client_assertion_type: assertionType }
  return readAssertion(parseParameters(new URLSearchParams(form).toString()), () => true)
}

const encode = (value: unknown): string =>
  Buffer.from(JSON.stringify(value) ?? '').toString('base64url')

describe('an assertion', () => {
  test('of any form is read or refused, and never a fault', () => {
    const part = fc.oneof(
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
      fc.stringMatching(/^[\w=.-]{0,30}$/),
      fc.record({ alg: fc.string(), sub: fc.anything(), typ: fc.anything() }).map(encode),
    )
    const text = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'))
    fc.assert(
      fc.property(text, (given) => {
        if (given === '') return
        const outcome = read(given)
        if (outcome instanceof Refusal) assert.equal(outcome.code, 'invalid_client')
        else assert.equal(typeof outcome?.id, 'string')
      }),
    )
  })

  for (const algorithm of signatureAlgorithms) {
    test(`signed with ${algorithm} counts as it was signed, under its key and algorithm`, async () => {
      const [keys, others] = [await newKeys(algorithm, 'k'), await newKeys(algorithm, 'k')]
      const key = keys.publicKey as ClientKey
      const claims = { sub: 'a', said: 'x'.repeat(20) }
      const text = await sign(claims, keys)
      assert.deepEqual(await verifyByKey(text, key, algorithm), claims)
      assert.equal(await verifyByKey(text, others.publicKey as ClientKey, algorithm), null)
      const wrong = signatureAlgorithms.filter((one) => one !== algorithm)
      for (const one of wrong) assert.equal(await verifyByKey(text, key, one), null)
      const critical = `${encode({ alg: algorithm, crit: ['x'], x: 1 })}${text.slice(text.indexOf('.'))}`
      assert.equal(await verifyByKey(critical, key, algorithm), null)
      const place = fc.integer({ min: 0, max: text.length - 1 })
      await fc.assert(
        fc.asyncProperty(place, fc.constantFrom('A', 'b', '_', '.', ''), async (at, letter) => {
          const changed = text.slice(0, at) + letter + text.slice(at + 1)
          if (changed !== text) assert.equal(await verifyByKey(changed, key, algorithm), null)
        }),
        { numRuns: 60 },
      )
    })
  }

  test('under an RSA key that is short behind leading zeros counts for nothing', async () => {
    const keys = await newKeys('RS256', 'k')
    const short = { ...(keys.publicKey as ClientKey), n: 'A'.repeat(300) + 'x'.repeat(42) }
    assert.equal(await verifyByKey(await sign({ sub: 'a' }, keys), short, 'RS256'), null)
  })
})
