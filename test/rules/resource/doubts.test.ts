/** Revocations as an offline guard remembers them, and their meaning for a JWT. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createDoubts, type Doubt } from '../../../src/resource/doubts.ts'
import { guardLimits } from '../../../src/resource/guard-limits.ts'

const at = 1_000_000
const { clockSkewSeconds, revocationSeconds, revocations } = guardLimits

const claims = (iat: number | undefined = at, jti = 'family.0') => ({
  ...{ iat, jti, client_id: 'printer', lk_authorization: 'approval' },
})

const ofClient: Doubt = { subject: 'client', id: 'printer', isFinal: false, at }
const ofFamily: Doubt = { subject: 'family', id: 'family', isFinal: true, at }

describe('a JWT', () => {
  const subjects: readonly (readonly [string, string])[] = [
    ['token', 'family.0'],
    ['family', 'family'],
    ['authorization', 'approval'],
    ['client', 'printer'],
  ]
  for (const [subject, id] of subjects) {
    test(`has ended with its ${subject}, and with no other`, () => {
      const doubts = createDoubts(() => at)
      doubts.add({ subject, id: 'another', isFinal: true, at })
      assert.equal(doubts.judge(claims()), 'good')
      doubts.add({ subject, id, isFinal: true, at })
      assert.equal(doubts.judge(claims()), 'ended')
    })
  }

  test('from before a change is asked about, and so is one of the tolerated skew after it', () => {
    const doubts = createDoubts(() => at)
    doubts.add(ofClient)
    assert.equal(doubts.judge(claims(at - 3600)), 'ask')
    assert.equal(doubts.judge(claims(at + clockSkewSeconds)), 'ask')
    assert.equal(doubts.judge(claims(at + clockSkewSeconds + 1)), 'good')
  })

  test('that does not say when it was issued is asked about', () => {
    const doubts = createDoubts(() => at)
    doubts.add(ofClient)
    const { iat: _, ...others } = claims()
    assert.equal(doubts.judge(others), 'ask')
  })

  test('of a family that ended has ended, whenever it says that it was issued', () => {
    const doubts = createDoubts(() => at)
    doubts.add(ofFamily)
    assert.equal(doubts.judge(claims(at + 2 * clockSkewSeconds)), 'ended')
  })

  test('from before a change of the service is asked about', () => {
    const doubts = createDoubts(() => at)
    doubts.add({ subject: 'service', id: '', isFinal: false, at })
    doubts.add({ subject: 'service', id: '', isFinal: false, at: at - 100 })
    assert.equal(doubts.judge(claims()), 'ask')
    assert.equal(doubts.judge(claims(at + clockSkewSeconds + 1)), 'good')
  })
})

describe('a revocation', () => {
  test('stays final, and the later one counts, in either order', () => {
    for (const order of [
      [ofFamily, { ...ofFamily, isFinal: false }],
      [{ ...ofFamily, isFinal: false }, ofFamily],
    ]) {
      const doubts = createDoubts(() => at)
      for (const doubt of order) doubts.add(doubt)
      assert.equal(doubts.judge(claims()), 'ended')
    }
    const doubts = createDoubts(() => at)
    doubts.add({ ...ofClient, at: at + 100 })
    doubts.add(ofClient)
    assert.equal(doubts.judge(claims(at + 100)), 'ask')
  })

  test('is remembered for as long as a JWT may live, and then forgotten', () => {
    let now = at
    const doubts = createDoubts(() => now)
    doubts.add(ofFamily)
    now = at + revocationSeconds
    doubts.add({ ...ofClient, id: 'another', at: now })
    assert.equal(doubts.judge(claims()), 'ended')
    now++
    doubts.add({ ...ofClient, id: 'another', at: now })
    assert.equal(doubts.judge(claims()), 'good')
  })

  test('too many are forgotten together, and every JWT of before is asked about', () => {
    const doubts = createDoubts(() => at)
    doubts.add(ofFamily)
    for (let i = 1; i < revocations; i++) doubts.add({ ...ofClient, id: `client-${i}`, at: at + 5 })
    assert.equal(doubts.judge(claims()), 'ended')
    assert.equal(doubts.judge(claims(at, 'another.0')), 'good')
    doubts.add({ ...ofClient, id: 'one more' })
    assert.equal(doubts.judge(claims()), 'ask')
    assert.equal(doubts.judge(claims(at + 5 + clockSkewSeconds, 'another.0')), 'ask')
    assert.equal(doubts.judge(claims(at + 6 + clockSkewSeconds, 'another.0')), 'good')
  })
})
