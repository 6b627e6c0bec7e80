/** Clients that prove themselves by a signed JWT (RFC 7523): under a key, a secret, or by their platform. */
import type { AssertionRow, Flow, RequestRow } from '../flow.ts'
import { sampleKey } from '../sample-key.ts'
import { addClient, credentials, keyed, noToken, readStep, registered, token } from './rows.ts'

const { kid, algorithm, publicKey } = sampleKey

const machine = {
  grant_types: ['client_credentials'],
  response_types: [],
  scope: 'photos:read',
} as const

const form = credentials('photos:read')

const proven = (assertion: AssertionRow): RequestRow => ({ ...token(keyed, form), assertion })

const refused = (assertion: AssertionRow): RequestRow => ({
  ...noToken(keyed, form, 401),
  assertion,
})

export const assertionFlow: Flow = {
  name: 'assertion',
  client: 'Key Holder',
  owner: null,
  steps: [
    {
      name: 'register-key-holder',
      send: addClient(
        {
          ...machine,
          client_name: 'Key Holder',
          token_endpoint_auth_method: 'private_key_jwt',
          jwks: { keys: [{ ...publicKey, kid, use: 'sig', alg: algorithm }] },
        },
        { client_id: 'client_id' },
      ),
    },
    { name: 'assertion-token', send: [proven({})] },
    readStep,
  ],
  attacks: [
    { name: 'assertion-replay', send: [proven({}), refused({ again: true })] },
    {
      name: 'assertion-elsewhere',
      send: [refused({ claims: { aud: 'https://other.example' } })],
    },
    { name: 'assertion-other-key', send: [refused({ by: 'thief' })] },
    { name: 'assertion-unsigned', send: [refused({ forged: 'unsigned' })] },
  ],
}

export const secretAssertionFlow: Flow = {
  name: 'secret-assertion',
  client: 'Secret Signer',
  owner: null,
  steps: [
    {
      name: 'register-secret-signer',
      send: addClient({
        ...machine,
        client_name: 'Secret Signer',
        token_endpoint_auth_method: 'client_secret_jwt',
      }),
    },
    { name: 'secret-assertion-token', needs: ['client_secret'], send: [proven({ by: 'secret' })] },
    readStep,
  ],
  attacks: [
    { name: 'secret-itself', send: [noToken(registered, form, 401)] },
    { name: 'guessed-secret', send: [refused({ by: 'guesser' })] },
    {
      name: 'secret-assertion-replay',
      needs: ['client_secret'],
      send: [proven({ by: 'secret' }), refused({ again: true })],
    },
  ],
}

const platform = 'https://build.example'
const mainBranch = 'repo:example/app:ref:refs/heads/main'

/** A token of the platform, for one run of a program there. */
const vouched = { iss: platform, sub: mainBranch } as const

export const platformFlow: Flow = {
  name: 'platform',
  client: 'Deploy',
  owner: null,
  steps: [
    {
      name: 'register-platform',
      send: addClient(
        {
          ...machine,
          client_name: 'Deploy',
          token_endpoint_auth_method: 'private_key_jwt',
          federated_credentials: [
            {
              issuer: platform,
              subject: mainBranch,
              audience: '{issuer}',
              jwks_uri: '{issuer}/documents/platform-keys.json',
            },
          ],
        },
        { client_id: 'client_id' },
      ),
    },
    { name: 'platform-token', send: [proven({ claims: vouched })] },
    readStep,
  ],
  attacks: [
    {
      name: 'other-branch',
      send: [refused({ claims: { iss: platform, sub: 'repo:example/app:pull_request' } })],
    },
    {
      name: 'other-platform-audience',
      send: [refused({ claims: { ...vouched, aud: 'https://other.example' } })],
    },
    { name: 'other-platform', send: [refused({ claims: vouched, by: 'thief' })] },
  ],
}
