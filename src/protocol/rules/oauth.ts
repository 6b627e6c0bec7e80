/** Rules of OAuth 2.0 itself (RFC 6749). */
import type { RulesBySource } from './rule.ts'

export const oauthRules: RulesBySource = {
  'RFC 6749 appendix B': {
    bad_character: 'Encode the parameters as UTF-8 with a library. NUL is not allowed.',
    bad_percent_encoding: 'Encode the parameters with a library, such as URLSearchParams.',
    not_encoded: 'Encode the parameters with a library.',
  },
  'RFC 6749 section 2.2': {
    unknown_client: [
      'Compare client_id with the registration. Check that the client is registered at this server.',
      'client_id Authorization',
      'the client_id of a registered client',
    ],
  },
  'RFC 6749 section 2.3.1': {
    wrong_secret: [
      'Compare the secret with the issued one. If it is lost, make a new one: latchkey client rotate-secret.',
      'Authorization client_id client_secret',
      'the current secret of the client',
    ],
    old_secret: [
      'The secret was rotated. Give the application the new one.',
      'Authorization client_id client_secret',
      'the current secret of the client',
    ],
    missing_secret: [
      'Send the client secret. If the application cannot keep one, register it with token_endpoint_auth_method none.',
      'Authorization client_id client_secret',
      'the secret of the client',
    ],
    other_kind_of_secret: [
      'Send the client secret. The value that came begins like another kind of credential.',
      'Authorization client_id client_secret',
      'the secret of the client',
    ],
    oversized_credentials: [
      'Send the credentials as they were issued.',
      'Authorization client_id client_secret',
      'the credentials as they were issued',
    ],
    malformed_credentials: [
      'Send the credentials as their method says.',
      'Authorization client_id client_secret',
      'credentials in the form of their method',
    ],
    wrong_credentials: [
      'Send the credentials that are registered.',
      'Authorization client_id client_secret',
      'the registered credentials',
    ],
    bad_basic: [
      'Encode client_id and secret as a form does, join them by a colon, and encode that in base64.',
      'Authorization',
      'Basic base64(client_id:secret)',
    ],
    secret_of_public_client: [
      'The client is registered as public: send no secret, or register another method.',
      'Authorization client_id client_secret',
      'a client_id without a secret',
    ],
    other_method: [
      'Authenticate by the registered token_endpoint_auth_method, or register this one.',
      'Authorization client_id client_secret',
      'the registered method',
    ],
    two_authentication_methods: [
      'Send the secret in one place: in the Authorization header or in the body.',
      'Authorization client_id client_secret',
    ],
    two_client_ids: ['Send one and the same client_id.', 'client_id Authorization'],
    query_parameters: [
      'Send all parameters in the body. A query stays in logs.',
      'path',
      'a URL without a query',
    ],
  },
  'RFC 6749 section 3.1': {
    repeated_parameter: [
      'Send each parameter once. Only resource may come more than once.',
      '',
      'each parameter once',
    ],
  },
  'RFC 6749 section 3.1.1': {
    unknown_response_type: [
      'Send a response_type that the metadata lists. Most applications need code.',
      'response_type',
    ],
  },
  'RFC 6749 section 3.1.2, RFC 9700 section 2.1': {
    bad_redirect_uri: [
      'Use https, http on loopback, or a scheme of the application.',
      'redirect_uris redirect_uri',
    ],
  },
  'RFC 6749 section 3.1.2.3, RFC 9700 section 4.1.3': {
    unregistered_redirect_uri: [
      'Send a registered redirect_uri, character by character. Or add this one to redirect_uris of the client.',
      'redirect_uri',
      'a redirect_uri that is registered for the client',
    ],
  },
  'RFC 6749 section 3.2': {
    not_a_form: ['Send a form: Content-Type application/x-www-form-urlencoded.', 'Content-Type'],
  },
  'RFC 6749 section 3.3': {
    nothing_left_of_grant: [
      'Nothing that the user allowed is left. Ask for access again.',
      'scope',
      'a permission that is still granted',
    ],
    no_scope: ['Send scope with the names that the words of the refusal list.', 'scope'],
    empty_scope: ['Name at least one permission, or leave scope out.', 'scope'],
    bad_scope_character: ['Separate the names by one blank, and send nothing else.', 'scope'],
    unknown_scope: [
      'Send names that exist and that the client is registered for.',
      'scope required_scope',
      'names of permissions that exist',
    ],
    nothing_grantable: ['Ask for something that a user can grant.', 'scope'],
  },
  'RFC 6749 section 4.1.1, RFC 6749 section 2.3': {
    missing_client_id: [
      'Send client_id, or authenticate in the Authorization header.',
      'client_id Authorization',
      'the client_id of a registered client',
    ],
  },
  'RFC 6749 section 4.1.2': {
    code_expired: [
      'Ask the user for access again, and redeem the new code at once. A code holds for a short time.',
      'code',
      'a code that was issued a moment ago',
    ],
    code_replayed: [
      'Redeem each code once. Its tokens have ended: ask the user for access again.',
      'code',
      'a code that was not used before',
    ],
  },
  'RFC 6749 section 4.1.2.1': {
    response_type_not_registered: [
      'Send a registered response_type, or add this one to response_types of the client.',
      'response_type',
      'a response_type that the client is registered for',
    ],
    owner_denied: [
      'The user said no. Ask again when they choose to connect, and for less.',
      'scope',
      'an approval of the user',
    ],
  },
  'RFC 6749 section 4.1.3': {
    missing_grant_type: ['Send grant_type.', 'grant_type', 'a grant_type'],
    malformed_code: [
      'Send the code as it came, whole and decoded once.',
      'code',
      'a code of this server',
    ],
    forged_code: [
      'Ask the user for access again, and redeem the new code at once. The code is not of this server, or was changed.',
      'code',
      'a code of this server',
    ],
    code_of_other_client: [
      'Redeem the code with the client that asked for it.',
      'code client_id',
      'a code that was issued to this client',
      'forged_code',
    ],
    code_of_ended_authorization: [
      'The user or the operator has ended the access. Ask the user for access again.',
      'code',
      'a code of a living authorization',
    ],
    redirect_uri_differs: [
      'Send the redirect_uri of the authorization request, character by character.',
      'redirect_uri',
      'the redirect_uri of the authorization request',
    ],
  },
  'RFC 6749 section 4.3.2': {
    wrong_password: [
      'Check name and password, or set a new password.',
      'username password',
      'name and password of an enabled account',
    ],
  },
  'RFC 6749 section 5.2': {
    unknown_grant_type: ['Send a grant_type that the metadata lists.', 'grant_type grant_types'],
    grant_type_not_registered: [
      'Add the grant type to grant_types of the client. For password, the operator sets trusted.',
      'grant_type',
      'a grant_type that the client is registered for',
    ],
  },
  'RFC 6749 section 6': {
    unknown_refresh_token: [
      'The token has ended or was replaced. Store the newest refresh token, and ask the user again.',
      'refresh_token',
      'the newest refresh token',
    ],
    refresh_token_of_other_client: [
      'Refresh with the client that the token was issued to.',
      'refresh_token client_id',
      'a refresh token of this client',
      'unknown_refresh_token',
    ],
    scope_beyond_grant: [
      'Ask for less, or ask the user for more access.',
      'scope',
      'a part of what the user allowed',
    ],
  },
  'RFC 6749 sections 3.1.2.3 and 4.1.3': {
    missing_redirect_uri: [
      'Send redirect_uri with each request, or register one for the client. At /token, send the one of /authorize.',
      'redirect_uri redirect_uris',
      'a redirect_uri that is registered for the client',
    ],
  },
}
