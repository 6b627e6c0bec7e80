/** ID-JAG: a company signs, and its application gets a token for alice without a consent page. */
import type { Flow, RequestRow, SignRow, Templates } from '../flow.ts'
import { sampleKey } from '../sample-key.ts'
import { addClient, admin, credentials, noToken, readStep, registered, token } from './rows.ts'

const { kid, algorithm, publicKey } = sampleKey

const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

const issuer = 'https://login.acme.example/{state}'

const formOf = (assertion: string, scope = 'photos:read'): Templates => ({
  grant_type: grantType,
  assertion,
  scope,
})

const signed = (as: string, change: Templates = {}): SignRow => ({
  as,
  typ: 'oauth-id-jag+jwt',
  claims: {
    ...{ iss: issuer, sub: 'alice', aud: '{issuer}', client_id: registered.id },
    ...{ jti: `{state}.${as}`, scope: 'photos:read', ...change },
  },
})

const refused = (assertion: string): RequestRow => noToken(registered, formOf(assertion))

export const trustedIssuerFlow: Flow = {
  name: 'trusted-issuer',
  client: 'Notes',
  owner: null,
  steps: [
    {
      name: 'trust-issuer',
      send: [
        ...addClient({ client_name: 'Notes', grant_types: [grantType] }),
        {
          ...token(admin, credentials('issuers:write authorizations:read authorizations:write')),
          learn: { access_token: 'admin_token' },
        },
        {
          line: 'POST /admin/api/issuers',
          bearer: '{admin_token}',
          json: {
            issuer,
            title: 'Acme',
            jwks: { keys: [{ ...publicKey, kid, use: 'sig', alg: algorithm }] },
            owner: 'username',
            grants: ['id-jag'],
            scope: 'photos:read contacts:read',
          },
          status: 201,
          learn: { id: 'issuer_id' },
        },
      ],
      sign: [
        signed('assertion'),
        signed('assertion_for_other', { aud: 'https://other.example' }),
        signed('assertion_of_other', { client_id: 'photo-printer' }),
        signed('assertion_of_few'),
        signed('assertion_of_later'),
      ],
    },
    { name: 'exchange-assertion', send: [token(registered, formOf('{assertion}'))] },
    readStep,
  ],
  attacks: [
    { name: 'replayed-assertion', send: [refused('{assertion}')] },
    { name: 'unsigned-assertion', send: [refused('{assertion|unsigned}')] },
    { name: 'assertion-for-other', send: [refused('{assertion_for_other}')] },
    { name: 'assertion-of-other', send: [refused('{assertion_of_other}')] },
    {
      name: 'widened-assertion',
      send: [token(registered, formOf('{assertion_of_few}', 'photos contacts calendar'))],
    },
    {
      name: 'ended-approval',
      send: [
        {
          line: 'GET /admin/api/authorizations',
          query: { client: registered.id },
          bearer: '{admin_token}',
          learn: { 'items.0.id': 'authorization' },
        },
        {
          line: 'DELETE /admin/api/authorizations/{authorization}',
          bearer: '{admin_token}',
          status: 204,
        },
        refused('{assertion_of_later}'),
        { line: 'DELETE /admin/api/issuers/{issuer_id}', bearer: '{admin_token}', status: 204 },
      ],
      needs: ['access_token'],
    },
  ],
}
