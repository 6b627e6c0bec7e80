/** Recovery codes: readable, different, and the same however they are typed. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { hashText } from '../../../src/crypto/digest.ts'
import type { OwnerId } from '../../../src/model/ids.ts'
import { hashRecovery, makeRecoveryCodes } from '../../../src/owners/one-time-codes.ts'
import type { Subjects } from '../../../src/owners/pairwise-secret.ts'

const parts = { random: (bytes: number) => randomBytes(bytes) }

const [alice, bob] = ['alice', 'bob'] as OwnerId[] as [OwnerId, OwnerId]

/** With a key of its own. */
const subjectsOf = (key: string): { readonly subjects: Subjects } => ({
  subjects: {
    hide: async (kind, word) => hashText(`${key}\n${kind}\n${word}`),
    of: async (sector, ownerId) => hashText(`${key}\n${sector}\n${ownerId}`),
  },
})

const hash = (code: string, ownerId = alice, key = 'a key') =>
  hashRecovery(code, ownerId, subjectsOf(key))

describe('recovery codes', () => {
  test('there are ten, in two groups of five letters that nobody mistakes', () => {
    const codes = makeRecoveryCodes(parts)
    assert.equal(new Set(codes).size, 10)
    for (const code of codes) assert.match(code, /^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/)
  })

  test('every letter stands for five random bits', () => {
    const all = Array.from({ length: 80 }, () => makeRecoveryCodes(parts).join('')).join('')
    assert.equal(new Set(all.replaceAll('-', '')).size, 32)
  })

  test('are recognised in capitals, without dashes, and with the letters that look like digits', async () => {
    const expected = await hash('01abc-defg0')
    for (const typed of ['01ABC DEFG0', 'oiabcdefgO', ' 0Labc--defg0\n']) {
      assert.equal(await hash(typed), expected)
    }
    assert.notEqual(await hash('01abc-defg1'), expected)
  })

  test('are kept under a key, and for one owner', async () => {
    const code = '01abc-defg0'
    const kept = await hash(code)
    assert.notEqual(kept, hashText('01abcdefg0'))
    assert.notEqual(kept, await hash(code, alice, 'another key'))
    assert.notEqual(kept, await hash(code, bob))
  })

  test('of an earlier version, which are longer, are kept as they were', async () => {
    const expected = hashText('01abcdefghjkmnpqrstvwxyz0')
    for (const typed of ['01abc-defgh-jkmnp-qrstv-wxyz0', '01ABC DEFGH JKMNP QRSTV WXYZ0']) {
      assert.equal(await hash(typed), expected)
    }
  })
})
