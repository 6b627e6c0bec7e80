/** For whom passkeys are made: the name of the service, and never an address. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadSettings } from '../../../src/config/load.ts'
import { findPasskeyPlace } from '../../../src/owners/passkeys.ts'

const placeOf = (issuer: string, url = `${issuer}/login`) => {
  const settings = { ...loadSettings({ env: {}, flags: {}, cwd: '/nowhere' }), issuer }
  return findPasskeyPlace(new Request(url), { settings })
}

const here = (id: string, origin: string) => ({ is: 'here', party: { id, origin } })

describe('the relying party', () => {
  test('is the host of the issuer, without its port and path', () => {
    const origin = 'https://id.example.com:8443'
    assert.deepEqual(placeOf(`${origin}/latchkey`), here('id.example.com', origin))
  })

  test('does not depend on what a proxy makes of the request', () => {
    const party = here('id.example.com', 'https://id.example.com')
    assert.deepEqual(placeOf('https://id.example.com', 'http://10.0.0.7:6749/login'), party)
    assert.deepEqual(placeOf('https://id.example.com', 'http://localhost:6749/login'), party)
  })

  test('there is none at an IP address', () => {
    for (const issuer of ['https://203.0.113.7', 'https://[2001:db8::7]:8443']) {
      assert.deepEqual(placeOf(issuer), { is: 'nowhere' })
    }
  })

  test('on this machine it is localhost, for whoever came by that name', () => {
    const origin = 'http://localhost:6749'
    for (const issuer of ['http://127.0.0.1:6749', 'http://[::1]:6749']) {
      assert.deepEqual(placeOf(issuer), { is: 'elsewhere', origin })
      assert.deepEqual(placeOf(issuer, `${origin}/login`), here('localhost', origin))
    }
    assert.deepEqual(placeOf(origin), here('localhost', origin))
  })
})
