/** How sure a login is, out of how it was made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveContext, type Session } from '../../../src/model/session.ts'

test('one factor, two, and two that cannot be typed into a wrong page', () => {
  const cases: readonly (readonly [Session['methods'], string])[] = [
    [['pwd'], '1'],
    [['pwd', 'otp', 'mfa'], '2'],
    [['pwd', 'swk', 'user', 'mfa'], 'phr'],
    [['swk', 'user', 'mfa'], 'phr'],
    [['pop', 'user', 'mfa'], 'phr'],
    [[], '1'],
  ]
  for (const [methods, context] of cases) assert.equal(deriveContext({ methods }), context)
})
