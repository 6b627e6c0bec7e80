/** The setting `upstreams`: each fault is named, and no secret is shown. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseUpstreams } from '../../src/config/upstreams.ts'
import { deriveMostLeavers } from '../../src/features/leavers/check.ts'
import { isLocked } from '../../src/upstreams/locked.ts'

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
      title: { en: 'Google' },
      type: 'oidc',
      issuer: 'https://accounts.google.com',
      clientId: 'us',
      clientSecret: null,
      scope: 'openid profile email',
      trustEmail: false,
      signUp: false,
      username: 'suffix',
      link: 'owner',
      groups: null,
      trustAcr: false,
      asksAgain: true,
    }
    assert.deepEqual(parseUpstreams([good], '.'), { value: [expected] })
    assert.deepEqual(parseUpstreams(JSON.stringify([good]), '.'), { value: [expected] })
    assert.deepEqual(parseUpstreams('[{"id": "google",}]', '.'), {
      expected:
        'JSON that can be read, with a list of at most 20 upstreams, each with "id", "title" and "type"',
    })
  })

  test('take a secret from a file', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'google.secret'), 'the-secret\n')
    const parsed = parseUpstreams([{ ...good, client_secret_file: 'google.secret' }], folder)
    assert.equal('value' in parsed && Object(parsed.value[0]).clientSecret, 'the-secret')
  })

  const faults: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ isuer: 'x' }, 'entry 1 has an unknown member "isuer"; did you mean "issuer"?'],
    [{ id: 'Google' }, 'entry 1 needs an "id" of at most 30 lower-case letters, digits and "-"'],
    [{ type: 'saml' }, 'entry 1 needs one of oidc, oauth2, ldap as "type"'],
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

  const github = {
    id: 'github',
    title: 'GitHub',
    type: 'oauth2',
    authorization_endpoint: 'https://github.com/login/oauth/authorize',
    token_endpoint: 'https://github.com/login/oauth/access_token',
    userinfo_endpoint: 'https://api.github.com/user',
    client_id: 'us',
    scope: 'read:user',
  }
  test('describe an OAuth 2.0 provider with defaults', () => {
    const expected = {
      id: 'github',
      title: { en: 'GitHub' },
      trustEmail: false,
      signUp: false,
      username: 'suffix',
      link: 'owner',
      groups: null,
      type: 'oauth2',
      issuer: null,
      authorizationEndpoint: 'https://github.com/login/oauth/authorize',
      tokenEndpoint: 'https://github.com/login/oauth/access_token',
      userinfoEndpoint: 'https://api.github.com/user',
      emailsEndpoint: null,
      clientId: 'us',
      clientSecret: null,
      isBasicKnown: false,
      pkce: true,
      scope: 'read:user',
      members: {
        id: 'id',
        username: 'username',
        name: 'name',
        email: 'email',
        emailVerified: 'email_verified',
        picture: 'picture',
      },
    }
    assert.deepEqual(parseUpstreams([github], '.'), { value: [expected] })
  })

  const oauth2Faults: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ userinfo_endpoint: undefined }, 'entry 1 needs a "userinfo_endpoint"'],
    [{ scope: undefined }, 'entry 1 needs a "scope"'],
    // Such a provider tells nothing of a login that could be trusted.
    [{ trust_acr: true }, 'entry 1 has an unknown member "trust_acr"'],
    [{ id_member: 'data..id' }, 'entry 1 needs names with single dots between them as "id_member"'],
    [
      { token_endpoint_auth_method: 'private_key_jwt' },
      'entry 1 needs client_secret_post or client_secret_basic as "token_endpoint_auth_method"',
    ],
  ]
  for (const [change, expected] of oauth2Faults) {
    test(`are refused: ${expected}`, () => {
      assert.equal(faultOf({ ...github, ...change }), expected)
    })
  }

  const company = {
    id: 'company',
    title: 'The company',
    type: 'ldap',
    url: 'ldaps://ldap.example.net',
    base_dn: 'ou=people,dc=example,dc=net',
  }
  test('describe a directory with defaults', () => {
    const expected = {
      id: 'company',
      title: { en: 'The company' },
      trustEmail: false,
      signUp: false,
      username: 'suffix',
      link: 'owner',
      groups: null,
      type: 'ldap',
      url: 'ldaps://ldap.example.net',
      startTls: false,
      ca: null,
      account: null,
      baseDn: 'ou=people,dc=example,dc=net',
      filter: '(uid={username})',
      peopleFilter: null,
      attributes: { id: 'entryUUID', username: 'uid', name: 'cn', email: 'mail' },
    }
    assert.deepEqual(parseUpstreams([company], '.'), { value: [expected] })
    const filter = '(&(|(uid={username})(mail={username}))(!(employeeType=former)))'
    const peopleFilter = '(&(|(uid=*)(mail=*))(!(employeeType=former)))'
    const checked = { ...company, filter, disable_owners: true }
    const value = [{ ...expected, filter, peopleFilter }]
    assert.deepEqual(parseUpstreams([checked], '.'), { value })
  })

  const ldapFaults: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [
      { url: 'https://ldap.example.net' },
      'entry 1 needs ldaps://host:port, or ldap:// with "start_tls", as "url"',
    ],
    [
      { url: 'ldaps://ldap.example.net/dc=example' },
      'entry 1 needs ldaps://host:port, or ldap:// with "start_tls", as "url"',
    ],
    [{ start_tls: true }, 'entry 1 needs ldaps://host:port, or ldap:// with "start_tls", as "url"'],
    [
      { url: 'ldap://ldap.example.net' },
      'entry 1 needs "start_tls" or ldaps:// outside of this machine',
    ],
    [
      { filter: 'uid={username}' },
      'entry 1 needs a "filter" in parentheses, with {username} in it',
    ],
    [{ filter: '(uid=x)' }, 'entry 1 needs a "filter" in parentheses, with {username} in it'],
    [
      { filter: '(uid={username})(cn=x)' },
      'entry 1 needs a "filter" in parentheses, with {username} in it',
    ],
    ...[
      '(cn={username}*)',
      '(uid:caseExactMatch:={username})',
      '(|(uid={username})(cn=x {username}))',
    ].map(
      (filter) =>
        [
          { filter, disable_owners: true },
          'entry 1 needs a "filter" with {username} as a whole value, such as (uid={username}), for "disable_owners"',
        ] as const,
    ),
    [{ bind_dn: 'cn=us' }, 'entry 1 needs a "bind_password" with its "bind_dn"'],
    [{ bind_password: 'secret' }, 'entry 1 needs a "bind_dn" with its "bind_password"'],
    [{ id_attribute: 'entry UUID' }, 'entry 1 needs the name of an attribute as "id_attribute"'],
    [{ trust_acr: true }, 'entry 1 has an unknown member "trust_acr"'],
  ]
  for (const [change, expected] of ldapFaults) {
    test(`are refused: ${JSON.stringify(change)}`, () => {
      assert.equal(faultOf({ ...company, ...change }), expected)
    })
  }

  test('have ids of their own', () => {
    assert.equal(faultOf(good, good), '"google" is there twice')
  })
})

test('an entry is locked by what an administrator set, and not by wrong passwords', () => {
  const at = Date.UTC(2026, 10, 21, 12) / 1000
  const windowsTime = (seconds: number) => String((BigInt(seconds) + 11_644_473_600n) * 10_000_000n)
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['userAccountControl', '514', true],
    ['userAccountControl', '512', false],
    ['userAccountControl', 'x2', false],
    ['accountExpires', windowsTime(at), true],
    ['accountExpires', windowsTime(at + 1), false],
    ['accountExpires', '0', false],
    ['accountExpires', '9223372036854775807', false],
    ['nsAccountLock', 'TRUE', true],
    ['nsAccountLock', 'FALSE', false],
    ['pwdAccountLockedTime', '000001010000Z', true],
    ['pwdAccountLockedTime', '20261121115900Z', false],
    ['loginDisabled', 'true', true],
    ['ds-pwp-account-disabled', 'true', true],
    ['uid', 'true', false],
  ]
  for (const [attribute, value, expected] of rows) {
    const isIt = isLocked((name) => (name === attribute ? value : ''), at)
    assert.equal(isIt, expected, `${attribute}: ${value}`)
  }
})

test('a directory disables few at once, and never more than half of its people', () => {
  const bounds = [0, 1, 2, 3, 5, 6, 30, 100, 9999, 1_000_000].map(deriveMostLeavers)
  assert.deepEqual(bounds, [0, 0, 1, 1, 2, 3, 3, 10, 999, 1000])
})
