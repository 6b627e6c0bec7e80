/** Token exchange (RFC 8693): a helper acts for the owner of a token, and does no more than the token allows. */
import type { Flow, PlayedClient, RequestRow, Templates } from '../flow.ts'
import {
  addClient,
  admin,
  credentials,
  helper,
  houseApp,
  introspect,
  noToken,
  password,
  registered,
  revoke,
  token,
} from './rows.ts'

const exchangeForm = (subject: string, more: Templates = {}): Templates => ({
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: subject,
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  ...more,
})

/** @param to the name of the new token */
const exchange = (subject: string, to: string, more: Templates = {}): RequestRow => ({
  ...token(helper, exchangeForm(subject, more)),
  learn: { access_token: to },
})

const readWith = (of: string, status = 200): RequestRow => ({
  line: 'GET /api/photos',
  bearer: of,
  status,
})

/** Another token of alice, so that an attack leaves the first one alone. */
const another = (as: PlayedClient, to: string): RequestRow => ({
  ...token(as, password('photos:read')),
  learn: { access_token: to },
})

export const exchangeFlow: Flow = {
  name: 'exchange',
  client: 'Front Desk, Helper',
  owner: 'alice',
  steps: [
    {
      name: 'add-desk',
      send: addClient({
        client_name: 'Front Desk',
        grant_types: ['password'],
        response_types: [],
        trusted: true,
        may_act: [helper.id],
      }),
    },
    {
      name: 'desk-token',
      send: [
        token(registered, password('photos:read photos:write')),
        introspect(registered, '{access_token}'),
      ],
    },
    {
      name: 'exchange-token',
      send: [
        exchange('{access_token}', 'helper_token', { scope: 'photos:read' }),
        introspect(helper, '{helper_token}'),
      ],
    },
    { name: 'act-for-alice', send: [readWith('{helper_token}')] },
    {
      name: 'remove-desk',
      needs: ['helper_token'],
      send: [
        { ...token(admin, credentials('clients:write')), learn: { access_token: 'admin_token' } },
        {
          line: 'DELETE /admin/api/clients/{client_id}',
          bearer: '{admin_token}',
          status: [204, 404],
        },
        {
          ...readWith('{helper_token}', 401),
          forget: ['client_id', 'access_token', 'helper_token'],
        },
      ],
    },
  ],
  attacks: [
    {
      name: 'exchange-wider',
      send: [noToken(helper, exchangeForm('{helper_token}', { scope: 'photos:write' }))],
    },
    {
      name: 'exchange-foreign',
      send: [another(houseApp, 'foreign_token'), noToken(helper, exchangeForm('{foreign_token}'))],
    },
    {
      name: 'exchange-chain',
      send: [
        exchange('{helper_token}', 'second_token'),
        exchange('{second_token}', 'third_token'),
        exchange('{third_token}', 'fourth_token'),
        introspect(helper, '{fourth_token}'),
        noToken(helper, exchangeForm('{fourth_token}')),
      ],
    },
    {
      name: 'exchange-ended',
      send: [
        another(registered, 'subject_token'),
        exchange('{subject_token}', 'orphan_token'),
        revoke(registered, '{subject_token}'),
        readWith('{orphan_token}', 401),
        noToken(helper, exchangeForm('{subject_token}')),
      ],
    },
    {
      name: 'exchange-bound',
      send: [
        { ...another(registered, 'bound_token'), proof: {} },
        noToken(helper, exchangeForm('{bound_token}')),
        { ...exchange('{bound_token}', 'bound_again'), proof: { by: 'thief' } },
        readWith('{bound_again}', 401),
      ],
    },
  ],
}
