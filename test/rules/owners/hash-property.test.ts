/** Whatever hash is accepted, verifying it works: a wrong try computes one of each kind for every name. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { verifyImported, verifyStrictly } from '../../../src/crypto/hashes.ts'
import { getHashKind, makeBlank } from '../../../src/crypto/phc.ts'
import { readPasswordHash } from '../../../src/owners/hashes/index.ts'
import fc from '../../support/seed.ts'

const below = (max: number) => fc.nat({ max })
/** Base64 of about so many bytes, also with bits after the last byte. */
const base64 = (min: number, max: number) =>
  fc
    .tuple(fc.uint8Array({ minLength: min, maxLength: max }), fc.constantFrom('', '', 'B', '='))
    .map(([bytes, rest]) => Buffer.from(bytes).toString('base64').replaceAll('=', '') + rest)
const ends = fc.tuple(base64(0, 60), base64(15, 130)).map((both) => both.join('$'))

/** Costs are small, or at the edge of what an algorithm computes at all. */
const scrypt = fc
  .tuple(
    fc.constantFrom('scrypt', 'firebase-scrypt'),
    fc.constantFrom('ln=0,r=1', 'ln=1,r=1', 'ln=3,r=8', 'ln=14,r=1', 'ln=16,r=1', 'ln=63,r=4'),
    below(2),
    ends,
  )
  .map(([name, cost, p, rest]) => `$${name}$${cost},p=${p}$${rest}`)

const argon2 = fc
  .tuple(
    fc.constantFrom('i', 'd', 'id'),
    fc.constantFrom('', '$v=16', '$v=19', '$v=18'),
    fc.tuple(below(40), below(2), below(3)),
    fc.boolean(),
    ends,
  )
  .map(([type, version, [m, t, p], isTurned, rest]) => {
    const cost = isTurned ? `p=${p},t=${t + 1},m=${m}` : `m=${m},t=${t + 1},p=${p}`
    return `$argon2${type}${version}$${cost}$${rest}`
  })

const pbkdf2 = fc
  .tuple(fc.constantFrom('sha1', 'sha256', 'sha512'), below(3), below(140), fc.boolean(), ends)
  .map(
    ([digest, i, l, isNamed, rest]) =>
      `$pbkdf2-${digest}$i=${i}${isNamed ? `,l=${l}` : ''}$${rest}`,
  )

const bcrypt = fc
  .tuple(
    fc.constantFrom('', '$django-bcrypt-sha256'),
    fc.constantFrom('a', 'b', 'y'),
    fc.constantFrom('00', '03', '04', '05'),
    fc.stringMatching(/^[./A-Za-z0-9]{53}$/),
  )
  .map(([django, minor, rounds, rest]) => `${django}$2${minor}$${rounds}$${rest}`)

const accepted = (given: string): string | null => {
  const read = readPasswordHash(given)
  return 'hash' in read ? read.hash : null
}

describe('every accepted password hash', () => {
  for (const [name, given] of Object.entries({ scrypt, argon2, pbkdf2, bcrypt })) {
    it(`is verified, and so is a blank one of its kind: ${name}`, async () => {
      let taken = 0
      await fc.assert(
        fc.asyncProperty(given, async (text) => {
          const stored = accepted(text)
          if (stored === null) return
          taken++
          const kind = getHashKind(stored)
          assert.notEqual(kind, '')
          assert.equal(await verifyStrictly(stored, 'a wrong one'), false)
          assert.equal(await verifyStrictly(makeBlank(kind), 'a wrong one'), false)
        }),
        { numRuns: 150 },
      )
      assert.ok(taken > 0)
    })
  }

  it('is none that scrypt cannot compute', async () => {
    const hash = `$scrypt$ln=16,r=1,p=1$c29tZXNhbHQ$${'A'.repeat(43)}`
    assert.deepEqual(readPasswordHash(hash), {
      problem: 'is a PHC string or bcrypt, but scrypt takes no ln=16 with r=1',
    })
    // One that an earlier version accepted is wrong, and no fault.
    assert.equal(await verifyImported(hash, 'a wrong one'), false)
  })
})
