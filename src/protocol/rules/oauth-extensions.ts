/** Rules of what extends OAuth 2.0: requests for an API, PKCE, resources, revocation, introspection. */
import type { RulesBySource } from './rule.ts'

export const oauthExtensionRules: RulesBySource = {
  'RFC 6750 section 2': {
    several_tokens: [
      'Send the token in one way, best in the header.',
      'Authorization access_token',
    ],
    repeated_token: ['Send access_token once.', 'access_token'],
  },
  'RFC 6750 section 2.1': {
    malformed_authorization: ['Send one header, and one token in it.', 'Authorization'],
    malformed_token: ['Send the token as it was issued.', 'access_token'],
  },
  'RFC 6750 section 2.2': {
    form_token_not_posted: ['Send the token in the header.', 'access_token'],
    form_not_ascii: ['Percent-encode the form, or send the token in the header.', 'Content-Type'],
  },
  'RFC 6750 section 2.3': {
    query_token_may_be_kept: [
      'Send the token in the header. Or send Cache-Control: no-store.',
      'access_token',
    ],
  },
  'RFC 6750 section 3': {
    missing_token: [
      'Send the header Authorization: Bearer TOKEN.',
      'Authorization access_token',
      'an access token',
    ],
  },
  'RFC 6750 section 3.1': {
    unknown_token: [
      'Refresh the token, or ask for a new one. It has expired, was revoked, or is of another server.',
      'Authorization access_token',
      'a living access token of this server',
    ],
    dead_token: [
      'Get a new access token: this one has expired or was revoked.',
      'Authorization',
      'a living access token',
    ],
    token_too_long: ['Send the token as it was issued.', 'Authorization access_token'],
    missing_permission: [
      'Ask for a token with the permission that the challenge names.',
      'Authorization',
      'a token with the permission',
    ],
    owner_gone: ['Ask the user for access again, or forget the account.', 'Authorization'],
    client_gone: ['Register the client again. If a body came, send it in time.', 'Authorization'],
  },
  'RFC 7009 section 2.1': {
    token_of_other_client: [
      'Revoke with the client that the token was issued to.',
      'token client_id',
    ],
  },
  'RFC 7009 section 2.1, RFC 7662 section 2.1': {
    missing_token_parameter: [
      'Send the token in the body, as the parameter token.',
      'token',
      'the token that the request is about',
    ],
  },
  'RFC 7636 section 4.2': {
    bad_code_challenge: [
      'Send BASE64URL(SHA-256(code_verifier)) without padding: 43 characters.',
      'code_challenge',
    ],
  },
  'RFC 7636 section 4.2, RFC 9700 section 2.1.1': {
    bad_code_challenge_method: [
      'Send code_challenge_method=S256. The method plain is not supported.',
      'code_challenge_method',
    ],
  },
  'RFC 7636 section 4.4.1': {
    missing_code_challenge: [
      'Use PKCE: send code_challenge with code_challenge_method=S256. Most libraries do it with one option.',
      'code_challenge code_challenge_method',
      'a code_challenge',
    ],
  },
  'RFC 7636 section 4.5': {
    missing_code_verifier: [
      'Send the code_verifier behind the code_challenge of this request.',
      'code_verifier',
      'a code_verifier',
    ],
  },
  'RFC 7636 section 4.6': {
    wrong_code_verifier: [
      'Send the code_verifier of the same request: the application may have started two. The code is used up.',
      'code_verifier',
      'the code_verifier behind the code_challenge',
    ],
  },
  'RFC 7662 section 2.1': {
    public_client_introspects: [
      'Register a client with a secret for the API that asks.',
      'client_id',
    ],
  },
  'RFC 8252 section 8.6': {
    asked_each_time: [
      'Send the request without prompt=none. Or use an https redirect_uri, or a client that authenticates.',
      'prompt redirect_uri',
    ],
  },
  'RFC 8414 section 3': {
    unknown_endpoint: ['Read the URLs of the endpoints from the metadata.', 'path'],
  },
  'RFC 8707 section 2': {
    unknown_resource: [
      'Send the uri of a registered resource, character by character. In a path, send the name of one of this service.',
      'resource path',
      'the uri of a registered resource',
    ],
    resource_beyond_grant: ['Name only resources that the user approved.', 'resource'],
    unreached_resource: [
      'Let scope name a permission of each resource.',
      'resource scope',
      'a scope with a permission of the resource',
    ],
    other_audience: [
      'Ask for a token for this API: send its uri as resource.',
      'Authorization resource',
      'a token for this API',
    ],
  },
  'RFC 9126 section 2.1': {
    pushed_request_uri: ['Push the parameters, or one request object.', 'request_uri'],
  },
  'RFC 9126 section 2.3': {
    pushed_request_too_long: ['Ask for less in one request, such as fewer claims.', 'path'],
  },
  'RFC 9126 section 4': {
    unknown_pushed_request: [
      'Send the request_uri as /par answered it.',
      'request_uri',
      'a request_uri of this server',
    ],
    foreign_pushed_request: [
      'Send the client_id that pushed the request.',
      'request_uri client_id',
      'a request_uri that this client pushed',
      'unknown_pushed_request',
    ],
    expired_pushed_request: [
      'Push the request just before the browser goes to /authorize.',
      'request_uri',
      'a request_uri that has not expired',
    ],
    ended_pushed_request: [
      'Push the request again: the secret of the client has changed since.',
      'request_uri',
    ],
    repeated_pushed_request: ['Send request_uri once.', 'request_uri'],
  },
  'RFC 9126 section 5': {
    request_not_pushed: [
      'Push the request to /par, and send client_id and request_uri to /authorize.',
      'request_uri',
      'a pushed request',
    ],
  },
  'RFC 9126 section 7.3': {
    used_pushed_request: [
      'Push a new request: the client got its answer to this one.',
      'request_uri',
      'a request_uri without an answer yet',
    ],
  },
  'RFC 9470 section 3': {
    login_too_old: [
      'Send the user to /authorize again, with the max_age of the challenge.',
      'Authorization',
      'a token of a newer login',
    ],
    login_too_weak: [
      'Send the user to /authorize again, with the acr_values of the challenge.',
      'Authorization',
      'a token of a stronger login',
    ],
  },
  'RFC 9396 section 2': {
    bad_details: [
      'Send a JSON list of objects, each with type and actions.',
      'authorization_details',
      'a JSON list of one object or more',
    ],
    bad_detail_actions: [
      'Name actions of the resource, each once.',
      'authorization_details',
      'actions of the resource',
    ],
    bad_detail_identifier: [
      'Name one item as identifier, or leave it out.',
      'authorization_details',
      'the id of one item',
    ],
    bad_detail_locations: [
      'Leave locations out, or send the uri of the resource alone.',
      'authorization_details',
      'a list of the uri of the resource',
    ],
    bad_detail_value: [
      'Send a short text without control characters, a number or a boolean.',
      'authorization_details',
      'a text, a number or a boolean',
    ],
    details_too_long: ['Ask for less at once.', 'authorization_details resource'],
    too_many_details: ['Ask for fewer details at once.', 'authorization_details'],
    repeated_detail: ['Send each detail once.', 'authorization_details'],
  },
  'RFC 9396 section 3': {
    detail_beyond_resource: [
      'Let resource name the API of each detail, or leave resource out.',
      'authorization_details resource',
      'details about the named resource',
    ],
  },
  'RFC 9396 section 5': {
    unknown_detail_type: [
      'Send the name of a resource that this client may ask for. The operator can register more.',
      'authorization_details',
      'the name of a resource',
    ],
    unknown_detail_member: [
      'Send only members that the resource declares. The operator can declare more.',
      'authorization_details',
      'members that the resource declares',
    ],
  },
  'RFC 9396 section 6': {
    detail_beyond_registration: [
      'Ask for actions in the scope of the client, or let the operator widen it.',
      'authorization_details',
      'actions in the scope of the client',
    ],
    details_without_page: [
      'Use the authorization code grant, or ask with scope.',
      'authorization_details grant_type',
    ],
  },
  'RFC 9396 section 6.1': {
    detail_beyond_grant: [
      'Ask for some of the granted details, or for some of the actions of one.',
      'authorization_details',
      'some of the granted details',
    ],
  },
  'RFC 9700 section 2.1.1': {
    public_without_challenge: [
      'Use PKCE: send code_challenge with the authorization request.',
      'code_verifier',
      'a code of a request with PKCE',
    ],
  },
  'RFC 9700 section 4.7': {
    wrong_csrf_token: ['Reload the page, with cookies on, and send its form again.', 'csrf'],
    cross_site_form: [
      'Send the form from a page of this service.',
      'Origin',
      'a form of this service',
    ],
  },
  'RFC 9700 section 4.8.2': {
    verifier_without_challenge: [
      'Send code_challenge with the authorization request, too.',
      'code_verifier',
    ],
  },
}
