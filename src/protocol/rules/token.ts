/** Rules of the token endpoint, of client authentication, and of what needs them. */
import { own, type RuleRows } from './rule.ts'

const authentication = 'RFC 6749 section 2.3.1'
const exchange = 'RFC 6749 section 4.1.3'
const refreshing = 'RFC 6749 section 6'
const scope = 'RFC 6749 section 3.3'
const indicators = 'RFC 8707 section 2'
const again = 'Ask the user for access again, and redeem the new code at once.'
const credentials = 'Authorization client_id client_secret'

export const tokenRules: RuleRows = {
  wrong_secret: [
    authentication,
    'Compare the secret with the issued one. If it is lost, make a new one: latchkey client rotate-secret.',
    credentials,
    'the current secret of the client',
  ],
  old_secret: [
    authentication,
    'The secret was rotated. Give the application the new one.',
    credentials,
    'the current secret of the client',
  ],
  missing_secret: [
    authentication,
    'Send the client secret. If the application cannot keep one, register it with token_endpoint_auth_method none.',
    credentials,
    'the secret of the client',
  ],
  other_kind_of_secret: [
    authentication,
    'Send the client secret. The value that came begins like another kind of credential.',
    credentials,
    'the secret of the client',
  ],
  oversized_credentials: [authentication, 'Send the credentials as they were issued.', credentials],
  malformed_credentials: [
    authentication,
    'Send the credentials as their method says.',
    credentials,
  ],
  wrong_credentials: [authentication, 'Send the credentials that are registered.', credentials],
  bad_basic: [
    authentication,
    'Encode client_id and secret as a form does, join them by a colon, and encode that in base64.',
    'Authorization',
    'Basic base64(client_id:secret)',
  ],
  secret_of_public_client: [
    authentication,
    'The client is registered as public: send no secret, or register another method.',
    credentials,
    'a client_id without a secret',
  ],
  other_method: [
    authentication,
    'Authenticate by the registered token_endpoint_auth_method, or register this one.',
    credentials,
    'the registered method',
  ],
  unsupported_method: [
    'RFC 7521 section 4.2',
    'Authenticate by a method that the metadata lists.',
    'client_assertion',
  ],
  two_authentication_methods: [
    authentication,
    'Send the secret in one place: in the Authorization header or in the body.',
    credentials,
  ],
  two_client_ids: [authentication, 'Send one and the same client_id.', 'client_id Authorization'],
  public_client_introspects: [
    'RFC 7662 section 2.1',
    'Register a client with a secret for the API that asks.',
    'client_id',
  ],
  public_client_asks: [
    own('explain'),
    'Ask the operator: a public client cannot prove that the request was its own.',
    'client_id',
  ],
  not_a_form: [
    'RFC 6749 section 3.2',
    'Send a form: Content-Type application/x-www-form-urlencoded.',
    'Content-Type',
  ],
  query_parameters: [
    authentication,
    'Send all parameters in the body. A query stays in logs.',
    'path',
    'a URL without a query',
  ],
  missing_grant_type: [exchange, 'Send grant_type.', 'grant_type', 'a grant_type'],
  unknown_grant_type: [
    'RFC 6749 section 5.2',
    'Send a grant_type that the metadata lists.',
    'grant_type grant_types',
  ],
  grant_type_not_registered: [
    'RFC 6749 section 5.2',
    'Add the grant type to grant_types of the client. For password, the operator sets trusted.',
    'grant_type',
    'a grant_type that the client is registered for',
  ],
  dpop_proof: ['RFC 9449 section 5', 'Send the request without the DPoP header.', 'DPoP'],
  malformed_code: [
    exchange,
    'Send the code as it came, whole and decoded once.',
    'code',
    'a code of this server',
  ],
  forged_code: [
    exchange,
    `${again} The code is not of this server, or was changed.`,
    'code',
    'a code of this server',
  ],
  code_expired: [
    'RFC 6749 section 4.1.2',
    `${again} A code holds for a short time.`,
    'code',
    'a code that was issued a moment ago',
  ],
  code_replayed: [
    'RFC 6749 section 4.1.2',
    'Redeem each code once. Its tokens have ended: ask the user for access again.',
    'code',
    'a code that was not used before',
  ],
  code_of_other_client: [
    exchange,
    'Redeem the code with the client that asked for it.',
    'code client_id',
    'a code that was issued to this client',
    'forged_code',
  ],
  code_of_ended_authorization: [
    exchange,
    'The user or the operator has ended the access. Ask the user for access again.',
    'code',
    'a code of a living authorization',
  ],
  redirect_uri_differs: [
    exchange,
    'Send the redirect_uri of the authorization request, character by character.',
    'redirect_uri',
    'the redirect_uri of the authorization request',
  ],
  missing_code_verifier: [
    'RFC 7636 section 4.5',
    'Send the code_verifier behind the code_challenge of this request.',
    'code_verifier',
    'a code_verifier',
  ],
  wrong_code_verifier: [
    'RFC 7636 section 4.6',
    'Send the code_verifier of the same request: the application may have started two. The code is used up.',
    'code_verifier',
    'the code_verifier behind the code_challenge',
  ],
  verifier_without_challenge: [
    'RFC 9700 section 4.8.2',
    'Send code_challenge with the authorization request, too.',
    'code_verifier',
  ],
  public_without_challenge: [
    'RFC 9700 section 2.1.1',
    'Use PKCE: send code_challenge with the authorization request.',
    'code_verifier',
    'a code of a request with PKCE',
  ],
  nothing_left_of_grant: [
    scope,
    'Nothing that the user allowed is left. Ask for access again.',
    'scope',
    'a permission that is still granted',
  ],
  unknown_refresh_token: [
    refreshing,
    'The token has ended or was replaced. Store the newest refresh token, and ask the user again.',
    'refresh_token',
    'the newest refresh token',
  ],
  refresh_token_of_other_client: [
    refreshing,
    'Refresh with the client that the token was issued to.',
    'refresh_token client_id',
    'a refresh token of this client',
    'unknown_refresh_token',
  ],
  token_of_other_client: [
    'RFC 7009 section 2.1',
    'Revoke with the client that the token was issued to.',
    'token client_id',
  ],
  authorization_paused: [
    own('pausing'),
    'Wait: the user has paused the application, and can resume it. The token stays good.',
    'refresh_token',
  ],
  wrong_password: [
    'RFC 6749 section 4.3.2',
    'Check name and password, or set a new password.',
    'username password',
    'name and password of an enabled account',
  ],
  second_factor_needed: [
    own('second-factor'),
    'Use the authorization code grant.',
    'grant_type',
    'a login with two factors',
  ],
  nothing_to_stand_on: [
    own('accounts'),
    'Check that client and account are enabled, and ask again.',
    'client_id',
  ],
  no_scope: [scope, 'Send scope with the names that the words of the refusal list.', 'scope'],
  empty_scope: [scope, 'Name at least one permission, or leave scope out.', 'scope'],
  bad_scope_character: [scope, 'Separate the names by one blank, and send nothing else.', 'scope'],
  scope_too_long: [own('limits'), 'Ask for fewer permissions.', 'scope'],
  unknown_scope: [
    scope,
    'Send names that exist and that the client is registered for.',
    'scope required_scope',
    'names of permissions that exist',
  ],
  scope_beyond_grant: [
    refreshing,
    'Ask for less, or ask the user for more access.',
    'scope',
    'a part of what the user allowed',
  ],
  nothing_grantable: [scope, 'Ask for something that a user can grant.', 'scope'],
  scope_of_other_resource: [
    own('forward-auth'),
    'Name permissions of the resource of this question.',
    'scope resource',
  ],
  unknown_resource: [
    indicators,
    'Send the uri of a registered resource, character by character. In a path, send the name of one of this service.',
    'resource path',
    'the uri of a registered resource',
  ],
  resource_beyond_grant: [indicators, 'Name only resources that the user approved.', 'resource'],
  unreached_resource: [
    indicators,
    'Let scope name a permission of each resource.',
    'resource scope',
    'a scope with a permission of the resource',
  ],
  audience_too_long: [own('audiences'), 'Name fewer resources.', 'resource', 'fewer resources'],
  no_resource_server: [
    own('audiences'),
    'Add the client to introspection_clients of a resource.',
    'client_id',
  ],
  malformed_poll: ['RFC 8936 section 2.2', 'Send the members as the documentation says.'],
  too_many_polls: ['RFC 8936 section 2.4', 'Wait as Retry-After says, and poll with one process.'],
}
