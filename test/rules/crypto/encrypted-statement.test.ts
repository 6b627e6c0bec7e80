/** Encrypted statements: read back by the service alone, and never after any change. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { drawRandom } from '../../../src/crypto/digest.ts'
import {
  decryptStatement,
  type EncryptedStatement,
  encryptStatement,
} from '../../../src/crypto/encrypted-statement.ts'
import { type Keyring, makeSealingKey } from '../../../src/crypto/seal.ts'
import { field, number, record, text } from '../../../src/model/codec/types.ts'

type Said = { readonly said: string; readonly at: number }

const statement: EncryptedStatement<Said> = {
  kind: 'pushed request',
  says: record({ said: field(1, text()), at: field(2, number) }),
}

const keyringOf = (id: string, byte: number, issuer = 'https://a.example'): Keyring => {
  const key = makeSealingKey(id, new Uint8Array(32).fill(byte), issuer)
  return { current: () => key, find: (asked) => (asked === id ? key : null), learn: async () => {} }
}

const keyring = keyringOf('k1', 1)
const parts = { keyring, random: drawRandom }
const saids = fc.record(
  { said: fc.string({ unit: 'binary' }), at: fc.nat() },
  { noNullPrototype: true },
)

describe('encryptStatement', () => {
  test('any statement is read back', async () => {
    await fc.assert(
      fc.asyncProperty(saids, async (said) => {
        assert.deepEqual(
          await decryptStatement(statement, encryptStatement(statement, parts, said), keyring),
          said,
        )
      }),
    )
  })

  test('equal statements look different, and show nothing of what they say', () => {
    const said = { said: 'a request that nobody may read', at: 7 }
    const [one, other] = [
      encryptStatement(statement, parts, said),
      encryptStatement(statement, parts, said),
    ]
    assert.notEqual(one, other)
    const bytes = Buffer.from(one, 'base64url').toString('latin1')
    assert.ok(!bytes.includes('request'))
  })
})

describe('decryptStatement', () => {
  test('no changed byte goes unseen', async () => {
    await fc.assert(
      fc.asyncProperty(saids, fc.nat(), fc.integer({ min: 1, max: 255 }), async (said, at, by) => {
        const bytes = Buffer.from(encryptStatement(statement, parts, said), 'base64url')
        const place = at % bytes.length
        bytes[place] = (bytes[place] ?? 0) ^ by
        const read = await decryptStatement(statement, bytes.toString('base64url'), keyring)
        // A length may be written in two ways.
        if (read !== null) assert.deepEqual(read, said)
      }),
    )
  })

  test('any other text is none, and is no fault', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.base64String()), async (given) => {
        assert.equal(await decryptStatement(statement, given, keyring), null)
      }),
    )
  })

  test('a part of one is none', async () => {
    const whole = encryptStatement(statement, parts, { said: 'whole', at: 1 })
    for (let end = 0; end < whole.length; end++) {
      assert.equal(await decryptStatement(statement, whole.slice(0, end), keyring), null)
    }
  })

  test('nothing of another key, or of another service on the same key', async () => {
    const said = { said: 'x', at: 1 }
    for (const other of [
      keyringOf('k1', 2),
      keyringOf('k2', 1),
      keyringOf('k1', 1, 'https://b.example'),
    ]) {
      const theirs = encryptStatement(statement, { keyring: other, random: drawRandom }, said)
      assert.equal(await decryptStatement(statement, theirs, keyring), null)
    }
  })

  test('a key that another node made is looked for', async () => {
    const other = keyringOf('k2', 2)
    const text = encryptStatement(
      statement,
      { keyring: other, random: drawRandom },
      { said: 'x', at: 1 },
    )
    let learned = false
    const late: Keyring = {
      ...keyring,
      find: (id) => (learned ? other.find(id) : null),
      learn: async () => {
        learned = true
      },
    }
    assert.deepEqual(await decryptStatement(statement, text, late), { said: 'x', at: 1 })
  })
})
