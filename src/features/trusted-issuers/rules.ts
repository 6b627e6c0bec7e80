/** Rules behind refused assertions of trusted issuers, and behind refused changes of these. */
import { own, type RulesBySource } from '../../protocol/rules/rule.ts'

const trusted = 'a JWT of an issuer that is trusted here'

export const issuerRules: RulesBySource = {
  'RFC 7523 section 3.1': {
    grant_form: ['Send the JWT as it was issued.', 'assertion', trusted],
    grant_issuer: [
      'Compare iss of the assertion with the trusted issuers, character by character.',
      'assertion',
      trusted,
    ],
    grant_signature: [
      'Compare the key of the issuer with its jwks or jwks_uri here.',
      'assertion jwks jwks_uri',
      trusted,
    ],
    grant_audience: ['Ask the issuer for an assertion with aud of this server.', 'assertion'],
    grant_subject: ['The issuer has to name the person in sub.', 'assertion'],
    grant_times: ['The issuer has to write exp, nbf and iat as numbers of seconds.', 'assertion'],
    grant_expired: ['Ask the issuer for a new assertion, and check the clocks.', 'assertion'],
    grant_early: ['Check the clock of the issuer.', 'assertion'],
    grant_far: ['The issuer has to let its assertions end earlier.', 'assertion'],
    grant_id: ['The issuer has to put a new jti into each assertion.', 'assertion'],
    grant_replayed: [
      'Get a new assertion for each request, also when a request is sent again.',
      'assertion',
      'a jti that did not come before',
    ],
    grant_owner: [
      'Compare sub of the assertion with the owner, as the issuer names owners here.',
      'assertion',
      'an enabled owner',
    ],
    grant_scope: ['The issuer has to write scope as names separated by spaces.', 'assertion'],
    grant_resource: ['Ask the issuer for an assertion for an API of this server.', 'assertion'],
    grant_client: [
      'Ask the issuer for an assertion with the client_id that the client has here.',
      'assertion client_id',
    ],
  },
  'RFC 7515 section 4.1.3': {
    grant_key: ['Compare kid of the assertion with the keys of the issuer.', 'assertion', trusted],
    grant_keys: [
      'The issuer has to name one key by kid: several fit.',
      'assertion',
      trusted,
      'grant_key',
    ],
  },
  'RFC 7517 section 4': {
    grant_keys_unreachable: [
      'Make jwks_uri of the issuer reachable. It is asked again after 30 seconds.',
      'jwks_uri',
      trusted,
    ],
    grant_keys_unusable: [
      'Serve a JWK set without private keys at jwks_uri of the issuer.',
      'jwks_uri',
      trusted,
    ],
  },
  'RFC 7800 section 3': {
    grant_confirmation: ['The issuer may bind an assertion by jkt or x5t#S256 alone.', 'assertion'],
    grant_unproven: [
      'Prove the key that cnf of the assertion names: send a proof of it, or show the certificate.',
      'assertion DPoP Client-Cert',
    ],
  },
  'RFC 8725 section 3.11': {
    grant_purpose: [
      'Send an assertion of a kind in grants of the issuer. Its typ tells the kind.',
      'assertion grants',
    ],
    grant_algorithm: [
      'The issuer has to sign by RS256, PS256, ES256 or EdDSA.',
      'assertion',
      trusted,
    ],
  },
  [own('trusted-issuers')]: {
    grant_details: [
      'Ask the issuer for an assertion that is limited by scope and resource.',
      'assertion authorization_details',
    ],
    grant_tenant: [
      'Ask the issuer for an assertion that names no customer.',
      'assertion tenant aud_tenant',
    ],
    grant_client_unlisted: [
      'The operator adds the client to clients of the issuer.',
      'client_id clients',
    ],
    grant_opens_nothing: [
      'Compare the scopes of the issuer, of the client and of the assertion.',
      'scope assertion',
    ],
    grant_ended: [
      'The owner allows it again on the account page, or the operator by latchkey issuer allow.',
      'assertion',
    ],
    grant_taken: ['Ask for something that the owner has left.', 'scope'],
    malformed_issuer: ['Send the members as the words of the refusal say.', 'issuers'],
    issuer_scope: ['Name permissions that owners can give.', 'scope'],
    issuer_renamed: ['Leave id out: it stays.', 'id'],
    issuer_id_taken: ['Choose another id.', 'id'],
    issuer_issuer_taken: ['Change the issuer that has this iss.', 'issuer'],
    issuer_too_many: ['Delete an issuer that nobody uses.', 'id'],
    nothing_to_allow: [
      'Compare owner, client and issuer: nothing of them has ended.',
      'owner client',
    ],
  },
}
