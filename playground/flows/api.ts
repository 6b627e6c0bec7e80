/** The resource server: reading and writing with the three ways to send a token (RFC 6750 section 2). */
import type { Flow, RequestRow } from '../flow.ts'
import { houseApp, password, read, token } from './rows.ts'

const byQuery: RequestRow = {
  line: 'GET /api/photos',
  query: { limit: '1', access_token: '{access_token}' },
}
const notKept = { headers: { 'Cache-Control': 'no-store' } } as const

const photo = { title: 'The white rabbit', place: 'Oxford' }

const add: RequestRow = { line: 'POST /api/photos', json: photo }

export const apiFlow: Flow = {
  name: 'api',
  client: 'House App',
  owner: 'alice',
  steps: [
    {
      name: 'api-tokens',
      send: [
        token(houseApp, password('photos:read photos:write')),
        {
          ...token(houseApp, password('photos:read')),
          learn: { access_token: 'reading_token' },
        },
      ],
    },
    { name: 'by-header', send: [read('/api/photos?limit=1')] },
    { name: 'by-query', send: [{ ...byQuery, ...notKept }] },
    {
      name: 'by-body',
      send: [{ line: 'POST /api/photos', form: { access_token: '{access_token}' } }],
    },
    {
      name: 'create',
      send: [
        { ...add, bearer: '{access_token}', status: 201, learn: { id: 'photo', ETag: 'etag' } },
      ],
    },
    {
      name: 'change',
      send: [
        {
          line: 'PUT /api/photos/{photo}',
          bearer: '{access_token}',
          headers: { 'If-Match': '{etag}' },
          json: { ...photo, title: 'The white rabbit, late' },
          learn: { ETag: 'etag' },
        },
      ],
    },
    {
      name: 'delete',
      send: [
        {
          line: 'DELETE /api/photos/{photo}',
          bearer: '{access_token}',
          status: 204,
          forget: ['photo', 'etag'],
        },
      ],
    },
  ],
  attacks: [
    { name: 'write-with-read', send: [{ ...add, bearer: '{reading_token}', status: 403 }] },
    {
      name: 'two-ways',
      send: [{ ...byQuery, ...notKept, bearer: '{access_token}', status: 400 }],
    },
    { name: 'query-kept', send: [{ ...byQuery, status: 400 }] },
    { name: 'no-token', send: [{ line: 'GET /api/photos', status: 401 }] },
  ],
}
