/** Rules of client registration, and of client ID metadata documents. */
import { own, type RuleRows } from './rule.ts'

const metadata = 'RFC 7591 section 2'
const management = 'RFC 7592 section 2'
const uris = 'RFC 6749 section 3.1.2, RFC 9700 section 2.1'
const document = 'Client ID Metadata Document section 4'
const quota = own('registration')

export const registrationRules: RuleRows = {
  bad_redirect_uri: [
    uris,
    'Use https, http on loopback, or a scheme of the application.',
    'redirect_uris redirect_uri',
  ],
  native_redirect_uri: [
    'OpenID Connect Registration section 2',
    'Register as application_type native, or use https.',
    'redirect_uris application_type',
  ],
  too_many_redirect_uris: [
    own('limits'),
    'Remove redirect URIs that nobody uses.',
    'redirect_uris',
  ],
  bad_client_id: [metadata, 'Choose an id of the allowed characters.', 'client_id'],
  bad_token_endpoint_auth_method: [
    metadata,
    'Choose a method that the metadata of the server lists.',
    'token_endpoint_auth_method',
    'a method that the server offers',
  ],
  document_client_id: [
    document,
    'Put the URL of the document into client_id, character by character.',
  ],
  document_grants: [document, 'Name authorization_code in grant_types.'],
  document_member_missing: [document, 'Add the member to the document.'],
  document_method: [document, 'Set token_endpoint_auth_method to none.'],
  document_not_utf8: [document, 'Encode the document as UTF-8.'],
  document_secret: [
    document,
    'Take the secret out of the document, and make a new one: it is public.',
  ],
  document_type: [document, 'Serve the document as application/json.'],
  encryption_without_alg: [metadata, 'Register the algorithm as well.'],
  grant_needs_secret: [
    metadata,
    'Register with a method of authentication.',
    'grant_types token_endpoint_auth_method',
  ],
  grant_needs_trust: [own('clients'), 'The operator sets trusted for the client.', 'grant_types'],
  inconsistent_types: [
    'RFC 7591 section 2.1',
    'Register the types that belong together.',
    'grant_types response_types',
  ],
  method_lacks: [metadata, 'Register what the method needs.', 'token_endpoint_auth_method'],
  missing_keys: [metadata, 'Register jwks or jwks_uri.', 'jwks_uri'],
  no_grant_type: [metadata, 'Name a grant type.', 'grant_types'],
  not_a_document: [own('documents'), 'Pin only clients whose id is a URL.', 'client_id'],
  nothing_known: [metadata, 'Send at least one value that the server offers.'],
  other_client_id: [management, 'Send the client_id of this registration.', 'client_id'],
  other_client_secret: [management, 'Send the issued secret, or leave it out.', 'client_secret'],
  required_scope_outside: [own('clients'), 'Add the names to scope, too.', 'required_scope scope'],
  scope_beyond_registration: [own('clients'), 'Ask for what is in scope of the client.', 'scope'],
  set_by_operator: [management, 'Ask the operator to change it.'],
  several_sectors: [
    'OpenID Connect Core section 8.1',
    'Register redirect_uris of one host, or a sector_identifier_uri.',
    'redirect_uris sector_identifier_uri',
  ],
  two_key_sets: [metadata, 'Register jwks or jwks_uri, and not both.', 'jwks_uri'],
  registration_off: [quota, 'Ask the operator to register the client, or for a token.'],
  registrations_held_by_network: [
    quota,
    'Let a user approve a client, delete some, or ask the operator.',
  ],
  registrations_in_total: [quota, 'Ask the operator for an initial access token.'],
  registrations_of_network: [quota, 'Wait as Retry-After says, or ask the operator for a token.'],
  own_changes: [quota, 'Wait, and change the registration once for all.'],
  sectors_bounded: [quota, 'Wait, and check sector_identifier_uri.', 'sector_identifier_uri'],
}
