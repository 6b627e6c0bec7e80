/** Request objects (RFC 9101): the client signs what it asks for. */
import type { Flow, RequestRow } from '../flow.ts'
import { sampleKey } from '../sample-key.ts'
import { idTokenFor, keys, loginExchange, loginRequest } from './login-rows.ts'
import { addClient, registered } from './rows.ts'

const { kid, algorithm, publicKey } = sampleKey

const asked = loginRequest(registered.id)

/** Also outside the object, so that a refusal goes back to the client. */
const refused = (request: string): RequestRow => ({
  line: 'GET /authorize',
  query: { ...asked, request },
  status: 302,
})

export const signedRequestFlow: Flow = {
  name: 'signed-request',
  client: 'Signed Sender',
  owner: 'alice',
  steps: [
    {
      name: 'register-signer',
      send: addClient({
        client_name: 'Signed Sender',
        redirect_uris: ['{callback}'],
        grant_types: ['authorization_code'],
        jwks: { keys: [{ ...publicKey, kid, use: 'sig', alg: algorithm }] },
        request_object_signing_alg: algorithm,
        require_signed_request_object: true,
      }),
      sign: {
        as: 'request_object',
        claims: {
          ...asked,
          iss: registered.id,
          aud: '{issuer}',
          state: '{state}.ask-signed',
        },
      },
    },
    { name: 'ask-signed', visit: { client_id: registered.id, request: '{request_object}' } },
    { name: 'arrive', arrive: 'query', at: '/callback' },
    { name: 'exchange-login', send: [loginExchange(registered)] },
    {
      name: 'check-id-token',
      send: [keys],
      inspect: idTokenFor('{client_id}', { hashes: { at_hash: '{access_token}' } }),
    },
  ],
  attacks: [
    { name: 'unsigned-request', send: [refused('{request_object|unsigned}')] },
    { name: 'changed-request', send: [refused('{request_object|changed}')] },
    {
      name: 'plain-request',
      send: [{ line: 'GET /authorize', query: asked, status: 302 }],
    },
  ],
}
