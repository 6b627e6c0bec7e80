/** When the last token of a family ends: never before a token of it; and what a client is told of the ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Client } from '../../../src/model/client.ts'
import { pickEnd } from '../../../src/model/token.ts'
import { getFamilyEnd } from '../../../src/tokens/issue.ts'
import { computeExpiresIn, refreshTokenTimeout } from '../../../src/tokens/members.ts'

const seconds = fc.integer({ min: 1, max: 315_360_000 })
const at = fc.integer({ min: 1_700_000_000, max: 2_000_000_000 })

const client = fc.record({
  accessTokenSeconds: fc.option(seconds),
  refreshTokenSeconds: seconds,
  grantTypes: fc.constantFrom<readonly string[]>(['authorization_code'], ['refresh_token']),
}) as unknown as fc.Arbitrary<Client>

test('it is not before the end of any token that is issued now', () => {
  fc.assert(
    fc.property(client, at, (client, now) => {
      const familyEnds = getFamilyEnd(client, now) ?? Number.POSITIVE_INFINITY
      assert.ok(familyEnds >= now + (client.accessTokenSeconds ?? Number.POSITIVE_INFINITY))
      if (!client.grantTypes.includes('refresh_token')) return
      assert.ok(familyEnds >= now + client.refreshTokenSeconds)
    }),
  )
})

test('it is none only where an access token is unlimited', () => {
  fc.assert(
    fc.property(client, at, (client, now) => {
      assert.equal(getFamilyEnd(client, now) === null, client.accessTokenSeconds === null)
    }),
  )
})

test('a row does not outlive what can be used of it', () => {
  const base = { accessTokenSeconds: 60, refreshTokenSeconds: 1000 }
  const once = { ...base, grantTypes: ['authorization_code'] } as unknown as Client
  const often = { ...base, grantTypes: ['refresh_token'] } as unknown as Client
  assert.equal(getFamilyEnd(once, 5000), 5060)
  assert.equal(getFamilyEnd(often, 5000), 6000)
})

const end = fc.option(at)

test('the earlier of two ends is one of them, and none only where both are none', () => {
  fc.assert(
    fc.property(end, end, (a, b) => {
      const [early = null] = [a, b].filter((one) => one !== null).sort((one, two) => one - two)
      assert.equal(pickEnd(a, b), early)
      assert.equal(pickEnd(b, a), early)
    }),
  )
})

test('a refresh token never lies longer than the authorization lives, and nothing is in the past', () => {
  fc.assert(
    fc.property(end, end, at, (refresh, authorization, now) => {
      const timeout = refreshTokenTimeout(refresh, authorization, now)
      const left = computeExpiresIn(authorization, now)
      assert.deepEqual(
        [timeout === undefined, left === undefined],
        [refresh === null, authorization === null],
      )
      assert.ok((timeout ?? 0) >= 0 && (left ?? 0) >= 0)
      if (timeout !== undefined && left !== undefined) assert.ok(timeout <= left)
    }),
  )
})
