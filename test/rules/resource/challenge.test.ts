import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Refusal } from '../../../src/protocol/refusal.ts'
import { formatChallenge, makeMetadataUrl } from '../../../src/resource/challenge.ts'

const issuer = 'https://auth.example.com'

describe('where the metadata of a path stands (RFC 9728 section 3.1)', () => {
  const rows: [string, string, string][] = [
    [issuer, '/api/photos', `${issuer}/.well-known/oauth-protected-resource/api/photos`],
    [issuer, '/api/photos/1', `${issuer}/.well-known/oauth-protected-resource/api/photos`],
    [issuer, '/userinfo', `${issuer}/.well-known/oauth-protected-resource`],
    [issuer, '/admin/api/clients', `${issuer}/.well-known/oauth-protected-resource/admin/api`],
    [issuer, '/admin', `${issuer}/.well-known/oauth-protected-resource`],
    [issuer, '/api/"evil', `${issuer}/.well-known/oauth-protected-resource`],
    [
      `${issuer}/base`,
      '/base/api/photos',
      `${issuer}/.well-known/oauth-protected-resource/base/api/photos`,
    ],
  ]
  for (const [of, path, expected] of rows) {
    test(`${path} of ${of}`, () => assert.equal(makeMetadataUrl(of, path), expected))
  }
})

const pointers = { metadata: makeMetadataUrl(issuer, '/api/photos'), errorUri: null }
const metadata = `resource_metadata="${issuer}/.well-known/oauth-protected-resource/api/photos"`

test('without a token there is no error (RFC 6750 section 3.1)', () => {
  const refusal = new Refusal('invalid_token', 'missing_token', 'needed', { scope: 'photos:read' })
  assert.equal(
    formatChallenge(refusal, pointers),
    `Bearer realm="latchkey", scope="photos:read", ${metadata}`,
  )
})

test('with one there is, and nothing in it ends its quotes (RFC 6750 section 3)', () => {
  const refusal = new Refusal('invalid_request', 'some_reason', 'it has to be "x" or \\é\r\n')
  assert.equal(
    formatChallenge(refusal, pointers),
    `Bearer realm="latchkey", error="invalid_request", error_description="it has to be 'x' or ''''", ${metadata}`,
  )
})

test('the page that explains the error is named where there is one (RFC 6750 section 3)', () => {
  const refusal = new Refusal('invalid_token', 'unknown_token', 'gone')
  const errorUri = 'https://docs.example/errors#'
  assert.equal(
    formatChallenge(refusal, { metadata: null, errorUri }),
    'Bearer realm="latchkey", error="invalid_token", error_description="gone", error_uri="https://docs.example/errors#invalid_token"',
  )
})
