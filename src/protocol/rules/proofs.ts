/** Rules of tokens that are bound to a key of their client. */
import type { RulesBySource } from './rule.ts'

const sameKey = 'Sign the proof with the key that the code or token was asked for with.'

export const proofRules: RulesBySource = {
  'RFC 9449 section 11.1': {
    too_many_proofs: ['Send the request again later.', 'DPoP'],
  },
  'RFC 7800 section 3': {
    unknown_confirmation: ['Ask for a new access token.', 'Authorization'],
  },
  'RFC 8705 section 2.1': {
    certificate_date: [
      'Renew the certificate of the client, and set the clocks right.',
      'Client-Cert',
      'a certificate that has begun and not ended',
    ],
    certificate_use: [
      'Issue a certificate for clients: digitalSignature, clientAuth, and a key of 2,048 to 4,096 bits or on a curve of NIST.',
      'Client-Cert',
      'a certificate for clients',
    ],
    certificate_authority: [
      'Send the certificates between in Client-Cert-Chain, or put the authority into the file of LATCHKEY_CLIENT_CA.',
      'Client-Cert Client-Cert-Chain',
      'a certificate of an authority of this service',
    ],
    certificate_name: [
      'Compare the names in the certificate with the tls_client_auth_ member of the registration.',
      'Client-Cert',
      'the registered name',
    ],
  },
  'RFC 8705 section 2.2': {
    unknown_certificate: [
      'Register the certificate itself: the first of x5c in a key of jwks or jwks_uri.',
      'Client-Cert',
      'a certificate of the registered keys',
    ],
    certificate_keys: [
      'Publish the key set of the client at its jwks_uri.',
      'jwks_uri',
      'a JWK set of public keys',
    ],
  },
  'RFC 8705 section 2': {
    missing_certificate: [
      'Ask at an endpoint of mtls_endpoint_aliases, with the certificate. The proxy has to pass it on, and to be in LATCHKEY_TRUSTED_PROXIES.',
      'Client-Cert',
      'the certificate of the client',
    ],
  },
  'RFC 8705 section 3': {
    no_certificate: [
      'Ask at an endpoint of mtls_endpoint_aliases, with the certificate of the client.',
      'Client-Cert',
    ],
    other_certificate: ['Refresh with the certificate of the first token request.', 'Client-Cert'],
    token_without_certificate: [
      'Send the token in a connection with the certificate that it was asked for with.',
      'Client-Cert Authorization',
    ],
    token_of_other_certificate: [
      'Send the token in a connection with the certificate that it was asked for with.',
      'Client-Cert Authorization',
    ],
    certificate_behind_proxy: [
      'Register dpop_bound_access_tokens in place of the certificate, or check the token in the API by the certificate of its connection.',
      'Authorization',
    ],
    dpop_beside_certificate: ['Leave the DPoP header out, or register the other binding.', 'DPoP'],
  },
  'RFC 9440 section 2': {
    malformed_certificate: [
      'Let the proxy write the headers as docs/mutual-tls.md says, each once.',
      'Client-Cert Client-Cert-Chain',
      ':base64 of DER:',
    ],
    malformed_client_cert: [
      'Let the proxy write the headers as docs/mutual-tls.md says, each once.',
      'Client-Cert Client-Cert-Chain',
      ':base64 of DER:',
    ],
  },
  'RFC 9449 section 4.2': {
    dpop_form: ['Send one DPoP header with one JWT of three parts.', 'DPoP'],
    dpop_type: ['Set typ in the header of the proof.', 'typ', 'dpop+jwt'],
    dpop_algorithm: ['Sign the proof with one of the named algorithms.', 'alg'],
    dpop_key: ['Put the public key alone into the header of the proof.', 'jwk'],
    dpop_nonce_form: ['Copy nonce from the DPoP-Nonce header as it is.', 'nonce'],
    dpop_id: ['Give each proof a random jti.', 'jti'],
  },
  'RFC 9449 section 4.3': {
    dpop_signature: ['Sign the proof with the private key of its jwk.', 'DPoP'],
    dpop_method: ['Make a proof for each request, with its method as htm.', 'htm'],
    dpop_target: ['Make a proof for each request, with its URL as htu.', 'htu'],
    dpop_token: ['Digest the access token that is sent, with SHA-256.', 'ath'],
    dpop_time: ['Make the proof just before the request, by a right clock.', 'iat'],
    dpop_replayed: ['Make a new proof for each request, with a new jti.', 'jti'],
  },
  'RFC 9449 section 5': {
    missing_dpop_proof: ['Send a proof in the DPoP header.', 'DPoP'],
    other_key: [sameKey, 'DPoP'],
  },
  'RFC 9449 section 5.2': {
    bound_token_in_redirect: [
      'Leave token out of response_types: use a code.',
      'response_types dpop_bound_access_tokens',
    ],
  },
  'RFC 9449 section 7.1': {
    bound_token_without_proof: [
      'Send the token under the scheme DPoP, with a proof.',
      'Authorization',
    ],
    other_dpop_key: [sameKey, 'DPoP'],
    unbound_token: ['Send the token under the scheme Bearer.', 'Authorization'],
    unknown_proven_request: [
      'Let the proxy send the method and the path of the request that it asks about.',
      'X-Forwarded-Method X-Forwarded-Uri',
    ],
  },
  'RFC 9449 section 10.1': {
    other_dpop_jkt: ['Leave dpop_jkt out: the proof names the key.', 'dpop_jkt DPoP'],
  },
  'RFC 9449 section 10': {
    bad_dpop_jkt: ['Send the thumbprint of RFC 7638.', 'dpop_jkt', '43 characters of base64url'],
  },
  'RFC 9449 section 8': {
    dpop_no_nonce: ['Repeat the request with the nonce of the DPoP-Nonce header.', 'nonce'],
    profile_missing_nonce: ['Repeat the request with the nonce of the DPoP-Nonce header.', 'nonce'],
    dpop_old_nonce: ['Repeat the request with the newer nonce of the DPoP-Nonce header.', 'nonce'],
  },
}
