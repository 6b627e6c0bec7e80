/** RFC 8414: authorization server metadata. That all of it is true: `test/flows/metadata.test.ts`. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { secretAssertionAlgorithm, signatureAlgorithms } from '../../src/model/key.ts'
import { grantActions } from '../../src/requests/asked-grant.ts'
import { sampleResource } from '../store/sample.ts'
import {
  grantTypes,
  methodNames,
  promptNames,
  provingMethods,
  responseTypeNames,
} from '../support/advertised.ts'
import { start, startBefore } from '../support/start.ts'

const started = startBefore()

const wellKnown = '/.well-known/oauth-authorization-server'

const everything = ['calendar', 'contacts', 'photos'].flatMap((name) => [
  `${name}:read`,
  `${name}:write`,
])

const scopeWords = ['address', 'email', 'groups', 'offline_access', 'openid', 'phone', 'profile']
const withWords = [...everything, ...scopeWords].sort()

/** OpenID Connect Core section 5.4. */
const claims = [
  'sub',
  'iss',
  'auth_time',
  'acr',
  'address',
  'email',
  'email_verified',
  'groups',
  'phone_number',
  'phone_number_verified',
  'name',
  'family_name',
  'given_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'updated_at',
]

const keyEncryptions = [
  ...['RSA-OAEP', 'RSA-OAEP-256', 'RSA-OAEP-384', 'RSA-OAEP-512'],
  ...['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW'],
]
const contentEncryptions = ['A128CBC-HS256', 'A256CBC-HS512', 'A128GCM', 'A256GCM']

describe('section 2: the document', () => {
  test('holds what is required and what is built, and nothing else', async () => {
    const { issuer } = started
    const { status, body } = await started.ask(wellKnown)
    assert.equal(status, 200)
    const further = ['ES256', 'EdDSA', 'Ed25519', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87']
    assert.deepEqual(body, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      pushed_authorization_request_endpoint: `${issuer}/par`,
      device_authorization_endpoint: `${issuer}/device_authorization`,
      backchannel_authentication_endpoint: `${issuer}/bc-authorize`,
      backchannel_token_delivery_modes_supported: ['poll', 'ping'],
      backchannel_authentication_request_signing_alg_values_supported: signatureAlgorithms,
      backchannel_user_code_parameter_supported: false,
      require_pushed_authorization_requests: false,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      introspection_endpoint: `${issuer}/introspect`,
      revocation_feed_endpoint: `${issuer}/revocation-feed`,
      registration_endpoint: `${issuer}/register`,
      grant_management_endpoint: `${issuer}/grants`,
      grant_management_actions_supported: [...grantActions, 'query', 'revoke'],
      request_parameter_supported: true,
      request_uri_parameter_supported: true,
      require_request_uri_registration: true,
      request_object_signing_alg_values_supported: ['RS256', 'PS256', ...further],
      require_signed_request_object: false,
      client_id_metadata_document_supported: true,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/logout`,
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      subject_types_supported: ['public', 'pairwise'],
      id_token_signing_alg_values_supported: ['RS256', ...further],
      id_token_encryption_alg_values_supported: keyEncryptions,
      id_token_encryption_enc_values_supported: contentEncryptions,
      userinfo_signing_alg_values_supported: ['RS256', ...further],
      userinfo_encryption_alg_values_supported: keyEncryptions,
      userinfo_encryption_enc_values_supported: contentEncryptions,
      claim_types_supported: ['normal'],
      scopes_supported: withWords,
      authorization_details_types_supported: ['photos', 'contacts', 'calendar'],
      claims_supported: claims,
      response_types_supported: responseTypeNames,
      response_modes_supported: [
        ...['query', 'fragment', 'form_post', 'jwt'],
        ...['query.jwt', 'fragment.jwt', 'form_post.jwt'],
      ],
      authorization_signing_alg_values_supported: ['RS256', ...further],
      authorization_encryption_alg_values_supported: keyEncryptions,
      authorization_encryption_enc_values_supported: contentEncryptions,
      grant_types_supported: grantTypes,
      dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'PS256', 'RS256'],
      token_endpoint_auth_methods_supported: methodNames,
      token_endpoint_auth_signing_alg_values_supported: [
        secretAssertionAlgorithm,
        ...signatureAlgorithms,
      ],
      revocation_endpoint_auth_methods_supported: methodNames,
      revocation_endpoint_auth_signing_alg_values_supported: [
        secretAssertionAlgorithm,
        ...signatureAlgorithms,
      ],
      introspection_signing_alg_values_supported: ['RS256', ...further],
      introspection_endpoint_auth_methods_supported: provingMethods,
      introspection_endpoint_auth_signing_alg_values_supported: [
        secretAssertionAlgorithm,
        ...signatureAlgorithms,
      ],
      code_challenge_methods_supported: ['S256'],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      refresh_token_expiration_types_supported: ['authorization', 'token_timeout'],
      authorization_response_iss_parameter_supported: true,
      prompt_values_supported: promptNames,
      acr_values_supported: ['1', '2', 'phr'],
      display_values_supported: ['page'],
      claims_parameter_supported: true,
      ui_locales_supported: ['en', 'de', 'zh-Hans'],
      protected_resources: [
        issuer,
        `${issuer}/api`,
        ...['photos', 'contacts', 'calendar'].map((name) => `${issuer}/api/${name}`),
        `${issuer}/admin/api`,
        `${issuer}/scim/v2`,
      ],
    })
  })

  test('the issuer is a URL without query and fragment, the endpoints are without fragment (A-19)', async () => {
    const { body } = await started.ask(wellKnown)
    const { search, hash } = new URL(body.issuer)
    assert.deepEqual([search, hash], ['', ''])
    const urls = Object.entries(body).filter(([name]) => /_endpoint$|_uri$/.test(name))
    assert.equal(urls.length, 13)
    for (const [, url] of urls) assert.equal(new URL(String(url)).hash, '')
  })
})

describe('section 3: how it is asked for', () => {
  test('3.1 by GET; other methods are refused', async () => {
    const post = await started.ask(wellKnown, { method: 'POST' })
    assert.deepEqual([post.status, post.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
    const head = await started.ask(wellKnown, { method: 'HEAD' })
    assert.deepEqual([head.status, head.text], [200, ''])
  })

  test('3.2 answered as JSON with 200, to pages of any origin', async () => {
    const answer = await started.ask(wellKnown, { headers: { origin: 'https://app.example' } })
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json\b/)
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300')
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example')
  })

  test('a cache that keeps an answer keeps it for the origin that asked alone', async () => {
    for (const path of [wellKnown, '/jwks', '/.well-known/oauth-protected-resource']) {
      for (const headers of [{}, { origin: 'null' }, { origin: 'https://app.example' }]) {
        const answer = await started.ask(path, { headers })
        assert.equal(answer.headers.get('cache-control'), 'public, max-age=300', path)
        assert.equal(answer.headers.get('vary'), 'Origin', path)
      }
      const preflight = await started.ask(path, { method: 'OPTIONS' })
      assert.equal(preflight.headers.get('vary'), 'Origin', path)
    }
    assert.equal((await started.ask('/health/live')).headers.get('vary'), null)
  })

  test('3.3, LG-11: the issuer is the configured one, whatever the request claims', async () => {
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const { text } = await started.ask(wellKnown)
    const asked = await started.ask(`http://localhost:1${wellKnown}`, { headers: forged })
    assert.equal(asked.text, text)
    assert.equal(asked.body.issuer, started.issuer)
  })

  test('the same document stands where OpenID clients look', async () => {
    const [one, other] = [
      await started.ask(wellKnown),
      await started.ask('/.well-known/openid-configuration'),
    ]
    assert.equal(other.text, one.text)
  })
})

describe('section 2: the document follows the settings', () => {
  test('registration is told only where a stranger may register', async () => {
    const registrationToken = 'an-initial-access-token'
    for (const [registration, expected] of [
      ['off', undefined],
      ['token', undefined],
      ['open', '/register'],
    ] as const) {
      const closed = await start({ demo: false, registration, registrationToken })
      try {
        const { body } = await closed.ask(wellKnown)
        const url = expected === undefined ? undefined : closed.issuer + expected
        assert.equal(body.registration_endpoint, url)
      } finally {
        await closed.close()
      }
    }
  })

  test('scopes and protected resources are those that are configured', async () => {
    const maps = sampleResource({ name: 'maps' })
    const other = await start({ demo: false, resources: [maps], issuer: 'https://a.example' })
    try {
      const { body } = await other.ask(wellKnown)
      assert.deepEqual(body.scopes_supported, ['maps:read', 'maps:write', ...scopeWords].sort())
      assert.deepEqual(body.protected_resources, [
        'https://a.example',
        'https://a.example/api',
        'https://a.example/api/maps',
        'https://a.example/admin/api',
        'https://a.example/scim/v2',
      ])
      assert.equal(body.token_endpoint, 'https://a.example/token')
    } finally {
      await other.close()
    }
  })
})

test('ST-05: the key set holds public members only', async () => {
  const { status, body } = await started.ask('/jwks')
  assert.equal(status, 200)
  const members = new Set(body.keys.flatMap((key: object) => Object.keys(key)))
  const known = ['alg', 'crv', 'e', 'kid', 'kty', 'n', 'use', 'x', 'y']
  assert.deepEqual([...members].toSorted(), known)
})
