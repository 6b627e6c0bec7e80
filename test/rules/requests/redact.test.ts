/** A refused request is kept without its secrets, and never longer than it was sent. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { keptLimits } from '../../../src/requests/limits.ts'
import { redactUri, stripSent } from '../../../src/requests/redact.ts'

describe('secrets of the same request', () => {
  it('are taken out, the longer ones first', () => {
    const secrets = ['photo', 'photo-secret', 'abc']
    assert.equal(stripSent('abc photo-secret photo', secrets), 'abc [a secret] [a secret]')
  })

  it('do not match what stands in place of others: the text stays short', () => {
    const secrets = ['oken', ...Array.from({ length: 48 }, (_, i) => (i % 2 ? 'ecre' : '[a s'))]
    assert.equal(stripSent('an access_token', secrets), 'an access_t[a secret]')
  })

  it('are never in the rest, whatever they are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '[', ' ', 's', 'e', '\0') })
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), (said, secrets) => {
        const kept = stripSent(said, secrets)
        assert.ok(kept.length <= said.length + 100)
        const rest = kept.replaceAll('[a secret]', '\n')
        for (const secret of secrets) {
          if (secret.length >= 4 && !secret.includes('\0')) assert.ok(!rest.includes(secret))
        }
      }),
    )
  })

  it('are too many to be looked for: then nothing is shown', () => {
    const secrets = Array.from({ length: keptLimits.secretsLookedFor + 1 }, (_, i) => `s-${i}-x`)
    assert.equal(stripSent('a sentence', secrets), 'a text of 10 characters')
  })
})

describe('a URI', () => {
  it('is looked at up to a limit, however long it is', () => {
    const long = `x:${'eyJ'.repeat(20_000)}`
    assert.equal(redactUri(long), redactUri(long.slice(0, 2 * keptLimits.valueCharacters)))
  })
})
