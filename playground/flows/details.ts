/** One photo: a client asks for a single item in detail (RFC 9396). */
import type { Flow, RequestRow } from '../flow.ts'
import {
  codeForm,
  houseApp,
  noToken,
  password,
  photoPrinter,
  read,
  refreshForm,
  token,
} from './rows.ts'

/** The photo has been learned as `item`. */
const onePhoto = '[{"type":"photos","actions":["read"],"identifier":"{item}"}]'

const asked = (details: string) => ({
  response_type: 'code',
  client_id: photoPrinter.id,
  redirect_uri: '{callback}',
  authorization_details: details,
  prompt: 'consent',
  state: '{state}',
})

const refused = (details: string): RequestRow => ({
  line: 'GET /authorize',
  query: asked(details),
  status: 302,
})

export const detailsFlow: Flow = {
  name: 'details',
  client: 'Photo Printer',
  owner: 'alice',
  steps: [
    {
      name: 'choose-photo',
      send: [
        { ...token(houseApp, password('photos:read')), learn: { access_token: 'house_token' } },
        {
          line: 'GET /api/photos',
          query: { limit: '1' },
          bearer: '{house_token}',
          learn: { 'items.0.id': 'item' },
        },
      ],
    },
    { name: 'ask-photo', visit: asked(onePhoto) },
    { name: 'arrive', arrive: 'query', at: '/callback' },
    {
      name: 'exchange-details',
      send: [{ ...token(photoPrinter, codeForm('{callback}')), forget: ['code'] }],
    },
    { name: 'read-photo', send: [read('/api/photos/{item}')] },
  ],
  attacks: [
    { name: 'read-all-photos', send: [read('/api/photos', 403)] },
    {
      name: 'grow-at-refresh',
      send: [
        noToken(photoPrinter, {
          ...refreshForm('{refresh_token}'),
          authorization_details: '[{"type":"photos","actions":["read","write"]}]',
        }),
      ],
    },
    {
      name: 'undeclared-member',
      send: [refused('[{"type":"photos","actions":["read"],"amount":"1.00"}]')],
    },
  ],
}
