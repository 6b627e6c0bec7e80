/** When the last token of a family ends: never after the authorization, never before a token of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Client } from '../../../src/model/client.ts'
import { familyEnd } from '../../../src/tokens/issue.ts'

const seconds = fc.integer({ min: 1, max: 315_360_000 })
const at = fc.integer({ min: 1_700_000_000, max: 2_000_000_000 })

const client = fc.record({
  accessTokenSeconds: fc.option(seconds),
  refreshTokenSeconds: seconds,
  grantTypes: fc.constantFrom<readonly string[]>(['authorization_code'], ['refresh_token']),
}) as unknown as fc.Arbitrary<Client>

const authorizationEnd = (now: number) => fc.option(seconds.map((more) => now + more))

const cases = at.chain((now) => fc.tuple(client, authorizationEnd(now), fc.constant(now)))

test('RF-10: it is never after the end of the authorization', () => {
  fc.assert(
    fc.property(cases, ([client, end, now]) => {
      const familyEnds = familyEnd(client, end, now)
      if (end !== null) assert.ok(familyEnds !== null && familyEnds <= end)
    }),
  )
})

test('it is not before the end of any token that is issued now', () => {
  fc.assert(
    fc.property(cases, ([client, end, now]) => {
      const familyEnds = familyEnd(client, end, now) ?? Number.POSITIVE_INFINITY
      const bound = end ?? Number.POSITIVE_INFINITY
      const access = now + (client.accessTokenSeconds ?? Number.POSITIVE_INFINITY)
      assert.ok(familyEnds >= Math.min(access, bound))
      if (!client.grantTypes.includes('refresh_token')) return
      assert.ok(familyEnds >= Math.min(now + client.refreshTokenSeconds, bound))
    }),
  )
})

test('it is none only where an access token is unlimited and the authorization, too', () => {
  fc.assert(
    fc.property(cases, ([client, end, now]) => {
      const isUnlimited = client.accessTokenSeconds === null && end === null
      assert.equal(familyEnd(client, end, now) === null, isUnlimited)
    }),
  )
})

test('a row does not outlive what can be used of it', () => {
  const base = { accessTokenSeconds: 60, refreshTokenSeconds: 1000 }
  const once = { ...base, grantTypes: ['authorization_code'] } as unknown as Client
  const often = { ...base, grantTypes: ['refresh_token'] } as unknown as Client
  assert.equal(familyEnd(once, null, 5000), 5060)
  assert.equal(familyEnd(often, null, 5000), 6000)
  assert.equal(familyEnd(often, 5500, 5000), 5500)
})
