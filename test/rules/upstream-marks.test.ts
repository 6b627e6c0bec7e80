/** The drawing of an upstream follows from its whole host. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMark } from '../../src/paper/upstreams.ts'
import { upstreamsOf } from '../support/upstream.ts'

const common = { id: 'one', title: 'One', client_id: 'us' }

test('a well-known host has a drawing of ours, a directory a tree, and any other none', () => {
  const at = (issuer: string) => upstreamsOf([{ ...common, type: 'oidc', issuer }])
  const github = (host: string) =>
    upstreamsOf([
      {
        ...common,
        type: 'oauth2',
        authorization_endpoint: `https://${host}/login/oauth/authorize`,
        token_endpoint: `https://${host}/login/oauth/access_token`,
        userinfo_endpoint: `https://api.${host}/user`,
        scope: 'read:user',
      },
    ])
  const marks = [
    ...at('https://accounts.google.com'),
    ...at('https://login.microsoftonline.com/a/v2.0'),
    ...at('https://appleid.apple.com'),
    ...at('https://gitlab.com'),
    ...github('github.com'),
    ...upstreamsOf([{ id: 'one', title: 'One', type: 'ldap', url: 'ldaps://a', base_dn: 'dc=a' }]),
    ...at('https://github.com.evil.example'),
    ...github('constructor'),
  ].map(findMark)
  assert.deepEqual(marks, ['search', 'panes', 'fruit', 'loop', 'branch', 'tree', null, null])
})
