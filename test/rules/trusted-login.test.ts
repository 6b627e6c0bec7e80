/** How a login at an upstream counts, by what the upstream says of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTrustedLogin } from '../../src/upstreams/oidc.ts'

const none = { methods: [], isStrong: false, authTime: null }

test('a trusted upstream tells of two factors by acr or by amr', () => {
  for (const said of [{ acr: '2' }, { acr: 'phr' }, { amr: ['mfa'] }]) {
    const trusted = { methods: ['mfa'], isStrong: true, authTime: null }
    assert.deepEqual(readTrustedLogin(said, 100, { trustAcr: true }), trusted)
    assert.deepEqual(readTrustedLogin(said, 100, { trustAcr: false }), none)
  }
  assert.equal(
    readTrustedLogin({ acr: '1', amr: ['pwd'] }, 100, { trustAcr: true }).isStrong,
    false,
  )
})

test('a trusted login is never of the future', () => {
  const timeOf = (auth_time: number) =>
    readTrustedLogin({ auth_time }, 100, { trustAcr: true }).authTime
  assert.deepEqual([90, 100, 200, 0, 1.5].map(timeOf), [90, 100, 100, null, null])
})
