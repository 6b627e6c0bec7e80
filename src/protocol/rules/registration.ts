/** Rules of registration, of metadata documents, of HTTP and of JSON. */
import type { RulesBySource } from './rule.ts'

export const registrationRules: RulesBySource = {
  'Client ID Metadata Document section 4': {
    document_unusable: ['Mend the document as the difference says.', 'client_id'],
    document_client_id: 'Put the URL of the document into client_id, character by character.',
    document_grants: 'Name authorization_code in grant_types.',
    document_member_missing: 'Add the member to the document.',
    document_method: 'Set token_endpoint_auth_method to none.',
    document_not_utf8: 'Encode the document as UTF-8.',
    document_secret: 'Take the secret out of the document, and make a new one: it is public.',
    document_type: 'Serve the document as application/json.',
  },
  'Client ID Metadata Document section 5': {
    document_unreachable: [
      'Serve the document at its URL, with status 200 and in time.',
      'client_id',
    ],
  },
  'RFC 7591 section 2': {
    client_keys_unreachable: ['Make jwks_uri readable at a public https address.', 'jwks_uri'],
    bad_client_id: ['Choose an id of the allowed characters.', 'client_id'],
    bad_token_endpoint_auth_method: [
      'Choose a method that the metadata of the server lists.',
      'token_endpoint_auth_method',
      'a method that the server offers',
    ],
    bad_token_endpoint_auth_signing_alg: [
      'Register an algorithm of the method.',
      'token_endpoint_auth_signing_alg',
    ],
    encryption_without_alg: 'Register the algorithm as well.',
    grant_needs_secret: [
      'Register with a method of authentication.',
      'grant_types token_endpoint_auth_method',
    ],
    method_lacks: ['Register what the method needs.', 'token_endpoint_auth_method'],
    missing_keys: ['Register jwks or jwks_uri.', 'jwks_uri'],
    no_grant_type: ['Name a grant type.', 'grant_types'],
    nothing_known: 'Send at least one value that the server offers.',
    two_bindings: [
      'Register one of the two.',
      'dpop_bound_access_tokens tls_client_certificate_bound_access_tokens',
    ],
    two_key_sets: ['Register jwks or jwks_uri, and not both.', 'jwks_uri'],
    unknown_details_type: [
      'Name resources of the server.',
      'authorization_details_types',
      'names of resources',
    ],
  },
  'RFC 7591 section 2.1': {
    inconsistent_types: ['Register the types that belong together.', 'grant_types response_types'],
  },
  'RFC 7592 section 2': {
    other_client_id: ['Send the client_id of this registration.', 'client_id'],
    other_client_secret: ['Send the issued secret, or leave it out.', 'client_secret'],
    set_by_operator: 'Ask the operator to change it.',
  },
  'RFC 8259': {
    bad_json: ['Send JSON that a parser accepts.', 'Content-Type', 'a JSON document'],
  },
  'RFC 8259 section 4': {
    json_not_object: 'Send one JSON object.',
  },
  'RFC 8259 section 6': {
    number_not_exact: 'Send the number as a string.',
  },
  'RFC 8259 section 8.1': {
    body_not_utf8: ['Encode the body as UTF-8.', 'Content-Type'],
  },
  'RFC 8936 section 2.2': {
    malformed_poll: 'Send the members as the documentation says.',
  },
  'RFC 8936 section 2.4': {
    too_many_polls: 'Wait as Retry-After says, and poll with one process.',
  },
  'RFC 9110 section 13.1': {
    precondition_failed: 'Read the item again, and repeat the change on its new version.',
    malformed_condition: 'Send the ETag of an earlier answer, with its quotes.',
  },
  'RFC 9110 section 15.5.5': {
    unknown_path: [
      'Compare the path with the metadata of the service.',
      'path',
      'a path of this service',
    ],
  },
  'RFC 9110 section 15.5.6': {
    wrong_method: ['Use a method that Allow names.', 'path', 'a method of the path'],
  },
  'RFC 9110 section 15.5.14': {
    body_too_large: 'Send less in one request.',
  },
  'RFC 9110 section 15.5.16': {
    not_json: ['Send Content-Type: application/json.', 'Content-Type'],
  },
  'RFC 9110 section 15.5.20': {
    unknown_host: [
      'Use the host of the issuer. Or the operator adds this one to LATCHKEY_HOSTS.',
      'Host',
      'the host of the issuer',
    ],
  },
  'RFC 9110 section 15.6.4': {
    bodies_waiting: 'Try again in a moment.',
  },
}
