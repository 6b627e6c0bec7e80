/** Rules of OpenID Connect, of request objects and of keys. */
import type { RulesBySource } from './rule.ts'

export const openidRules: RulesBySource = {
  'OAuth 2.0 Form Post Response Mode section 2': {
    state_not_postable: ['Send a state without line breaks.', 'state response_mode'],
  },
  'OAuth 2.0 Multiple Response Types section 2.1': {
    bad_response_mode: [
      'Leave response_mode out, or send one that fits the response_type.',
      'response_mode response_type',
    ],
  },
  'OpenID Connect Core Error Code unmet_authentication_requirements section 2': {
    unmet_acr: [
      'The user sets up a second factor or a passkey. Or ask for a lower acr.',
      'acr_values claims',
    ],
  },
  'OpenID Connect Core section 3.1.2.1': {
    no_openid: ['Add openid to the scope.', 'scope response_type'],
    bad_prompt: ['Send values that the metadata lists; none stands alone.', 'prompt'],
    bad_max_age: ['Send max_age as a whole number of seconds.', 'max_age'],
    bad_id_token_hint: [
      'Send an ID token that this server issued to this client, or leave the hint out.',
      'id_token_hint',
    ],
  },
  'OpenID Connect Core section 3.1.2.6': {
    login_required: [
      'Send the user to a request without prompt=none, so that they can log in.',
      'prompt max_age',
      'a login that is recent enough',
    ],
    consent_required: [
      'Send the user to a request without prompt=none, so that they can allow access.',
      'prompt scope',
      'an earlier approval of all that is asked',
    ],
  },
  'OpenID Connect Core section 3.2.2.1': {
    missing_nonce: ['Send a fresh random nonce.', 'nonce response_type'],
  },
  'OpenID Connect Core section 5.3': {
    no_owner: [
      'Use an access token that a user approved.',
      'Authorization',
      'an access token that a user approved',
    ],
  },
  'OpenID Connect Core section 5.5': {
    bad_claims: ['Send claims as a JSON object with userinfo or id_token.', 'claims'],
  },
  'OpenID Connect Core section 6.2': {
    unregistered_request_uri: [
      'Add the URI to request_uris of the client.',
      'request_uri',
      'a registered request_uri',
    ],
  },
  'OpenID Connect Core section 8.1': {
    several_sectors: [
      'Register redirect_uris of one host, or a sector_identifier_uri.',
      'redirect_uris sector_identifier_uri',
    ],
  },
  'OpenID Connect Core section 10.2': {
    no_encryption_key: ['Register a key for encryption in jwks or jwks_uri.', 'client_id'],
  },
  'OpenID Connect Registration section 2': {
    native_redirect_uri: [
      'Register as application_type native, or use https.',
      'redirect_uris application_type',
    ],
  },
  'OpenID Connect RP-Initiated Logout section 2': {
    hint_of_other_client: [
      'Send the id_token_hint and the client_id of one and the same client.',
      'client_id id_token_hint',
    ],
    bad_logout_request: 'Encode the parameters with a library, and send fewer.',
  },
  'OpenID Connect RP-Initiated Logout section 3': {
    unregistered_post_logout_redirect_uri: [
      'Send a registered post_logout_redirect_uri, character by character.',
      'post_logout_redirect_uri',
      'a registered post_logout_redirect_uri',
    ],
  },
  'RFC 7515 section 4.1.4': {
    request_object_key: ['Name one key of the client by kid.', 'request'],
  },
  'RFC 7517 section 5': {
    client_keys_unusable: ['Serve a JWK set at jwks_uri.', 'jwks_uri'],
  },
  'RFC 9101 section 5': {
    two_request_objects: ['Send request or request_uri, and not both.', 'request request_uri'],
  },
  'RFC 9101 section 5.2': {
    request_uri_unreachable: [
      'Make the request object readable at a public https address.',
      'request_uri',
    ],
    request_uri_unusable: ['Serve the request object as its words say.', 'request_uri'],
  },
  'RFC 9101 section 6': {
    request_object_number: ['Send a long number as a string.', 'request'],
    request_object_algorithm: ['Sign with the registered algorithm.', 'request'],
    request_object_audience: ['Put the issuer of this server into aud.', 'request'],
    request_object_client: [
      'Send one and the same client_id inside and outside.',
      'request client_id',
    ],
    request_object_early: ['Check the clock of the application, and nbf.', 'request'],
    request_object_expired: ['Make a new request object, and check the clock.', 'request'],
    request_object_form: ['Send the request object as a signed JWT.', 'request'],
    request_object_issuer: ['Put the client_id into iss.', 'request'],
    request_object_nested: ['Leave request and request_uri out of the object.', 'request'],
    request_object_null: ['Leave members out that have no value.', 'request'],
    request_object_signature: [
      'Register the public key in jwks or jwks_uri, and name it in kid.',
      'request',
    ],
    request_object_subject: ['Leave sub out of the request object.', 'request'],
    request_object_times: ['Write exp and nbf as numbers of seconds.', 'request'],
  },
  'RFC 9101 section 10.5': {
    missing_request_object: [
      'Send the request as a signed object, as the client is registered.',
      'request request_uri',
    ],
  },
  'RFC 9101 section 10.8': {
    request_object_type: ['Set typ to oauth-authz-req+jwt or JWT, or leave it out.', 'request'],
  },
}
