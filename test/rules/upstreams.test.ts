/** The setting `upstreams`: each fault is named, and no secret is shown. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseUpstreams } from '../../src/config/upstreams.ts'

const good = {
  id: 'google',
  title: 'Google',
  type: 'oidc',
  issuer: 'https://accounts.google.com',
  client_id: 'us',
}

const faultOf = (...given: readonly unknown[]): string => {
  const parsed = parseUpstreams(given, '.')
  return 'expected' in parsed
    ? parsed.expected.replace('a list of at most 20 upstreams, but ', '')
    : ''
}

describe('the upstreams of the settings', () => {
  test('are read with their defaults', () => {
    const expected = {
      id: 'google',
      title: { en: 'Google', zh: 'Google' },
      type: 'oidc',
      issuer: 'https://accounts.google.com',
      clientId: 'us',
      clientSecret: null,
      scope: 'openid profile email',
      trustEmail: false,
      trustAcr: false,
    }
    assert.deepEqual(parseUpstreams([good], '.'), { value: [expected] })
    assert.deepEqual(parseUpstreams(JSON.stringify([good]), '.'), { value: [expected] })
  })

  test('take a secret from a file', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'google.secret'), 'the-secret\n')
    const parsed = parseUpstreams([{ ...good, client_secret_file: 'google.secret' }], folder)
    assert.equal('value' in parsed && parsed.value[0]?.clientSecret, 'the-secret')
  })

  const faults: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ isuer: 'x' }, 'entry 1 has an unknown member "isuer"; did you mean "issuer"?'],
    [{ id: 'Google' }, 'entry 1 needs an "id" of at most 30 lower-case letters, digits and "-"'],
    [{ type: 'saml' }, 'entry 1 needs one of oidc as "type"'],
    [
      { issuer: 'http://accounts.google.com' },
      'entry 1 needs an https URL (or an http one on a loopback address) as "issuer"',
    ],
    [{ issuer: 'https://a.example/?x=1' }, 'entry 1 needs an "issuer" without a query'],
    [{ client_id: undefined }, 'entry 1 needs a "client_id"'],
    [{ scope: 'email' }, 'entry 1 needs a "scope" with openid'],
    [{ scope: 'openid  email' }, 'entry 1 needs names separated by single spaces as "scope"'],
    [{ trust_email: 'yes' }, 'entry 1 needs true or false as "trust_email"'],
    [
      { client_secret: 'a', client_secret_file: import.meta.filename },
      'entry 1 has both "client_secret" and "client_secret_file"',
    ],
    [{ client_secret_file: 'missing' }, 'entry 1 has a "client_secret_file" that cannot be read'],
  ]
  for (const [change, expected] of faults) {
    test(`are refused: ${expected}`, () => {
      assert.equal(faultOf({ ...good, ...change }), expected)
    })
  }

  test('have ids of their own', () => {
    assert.equal(faultOf(good, good), '"google" is there twice')
  })
})
