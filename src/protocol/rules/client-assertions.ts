/** Rules of client assertions, and of platforms that prove clients. */
import { own, type RulesBySource } from './rule.ts'

const audience = 'the issuer of this server, as a string or a list of one'

export const clientAssertionRules: RulesBySource = {
  'RFC 7521 section 4.2': {
    assertion_type: [
      'Send client_assertion and client_assertion_type together.',
      'client_assertion client_assertion_type',
      'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    ],
  },
  'RFC 7523 section 3': {
    // The draft rfc7523bis has these three.
    assertion_audience: ['Put the issuer of this server into aud.', 'client_assertion', audience],
    assertion_token_endpoint: [
      'Put the issuer of this server into aud, not the token endpoint. For an older library, the operator sets accept_token_endpoint_audience of the client.',
      'client_assertion accept_token_endpoint_audience',
      audience,
    ],
    assertion_purpose: [
      'Leave typ out, or set it to client-authentication+jwt.',
      'client_assertion',
      'no typ, JWT or client-authentication+jwt',
    ],
    assertion_form: [
      'Send the assertion as a signed JWT, with the client_id in iss and sub.',
      'client_assertion',
    ],
    assertion_client: [
      'Compare sub of the assertion with the client_id of the registration. Check that the client is registered at this server.',
      'client_assertion',
      'the client_id of a registered client as sub',
    ],
    assertion_subject: ['Put the client_id into iss and sub.', 'client_assertion client_id'],
    assertion_times: ['Write exp, nbf and iat as numbers of seconds.', 'client_assertion'],
    assertion_expired: ['Make a new assertion, and check the clock.', 'client_assertion'],
    assertion_early: ['Check the clock of the application, and nbf and iat.', 'client_assertion'],
    assertion_far: ['Let the assertion end earlier.', 'client_assertion'],
    assertion_id: ['Put a new random jti into each assertion.', 'client_assertion'],
    assertion_replayed: [
      'Make a new assertion for each request, also when one is sent again.',
      'client_assertion',
      'a jti that did not come before',
    ],
    assertion_unsure: [
      'Make a new assertion. If that is refused as well, the clock of the client is late: set it right.',
      'client_assertion',
      'an iat after the last crash or restore of the service',
    ],
    assertion_signature: [
      'Sign with the private half of a registered key. After a change of keys, register the new one first.',
      'client_assertion jwks jwks_uri',
      'a signature by a registered key, or by a key of the platform',
    ],
    assertion_tag: [
      'Sign with the current secret of the client, as it was shown.',
      'client_assertion',
      'HS256 under the secret of the client',
    ],
  },
  'RFC 7515 section 4.1.4': {
    assertion_key: [
      'Name a registered key in kid, and check that its kty, crv, use and alg fit the algorithm.',
      'client_assertion jwks jwks_uri',
      'a signature by a registered key, or by a key of the platform',
    ],
    assertion_keys: [
      'Name one key of the client by kid: several fit.',
      'client_assertion',
      'the kid of one key',
    ],
  },
  'RFC 7517 section 5': {
    assertion_keys_unreachable: [
      'Make the key set readable at a public https address. It is asked again after 30 seconds.',
      'jwks_uri',
      'a key set that answers',
    ],
    assertion_keys_unusable: [
      'Serve a JWK set without private keys at the address.',
      'jwks_uri',
      'a JWK set of public keys',
    ],
  },
  'RFC 8725 section 3.1': {
    assertion_algorithm: [
      'Sign with the registered token_endpoint_auth_signing_alg, or with one that the metadata lists.',
      'client_assertion token_endpoint_auth_signing_alg',
      'the registered algorithm, or one of the metadata',
    ],
  },
  [own('client-keys')]: {
    unknown_platform: [
      'Compare iss, sub and aud of the token with federated_credentials of the client.',
      'client_assertion federated_credentials',
      'a token whose iss, sub and only aud the operator has named',
    ],
    assertion_old: [
      'Ask the platform for a new token: it may be an hour old at most.',
      'client_assertion',
    ],
    platform_of_public_client: [
      'Register another method, such as private_key_jwt.',
      'token_endpoint_auth_method federated_credentials',
    ],
  },
}
