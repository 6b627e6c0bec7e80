/** The resource server: reading and writing with the three ways to send a token (RFC 6750 section 2). */
import { formType } from '../../http/body.ts'
import type { Call, Flow, Message } from '../flow.ts'
import {
  bearer,
  encodeForm,
  get,
  houseApp,
  json,
  learning,
  said,
  toApi,
  tokenCall,
} from '../messages.ts'
import { passwordForm } from './steps.ts'

const api = (message: Message, expected: number): Call => ({ message, way: toApi, expected })

const queryPath = (token: string): string =>
  `/api/photos?${encodeForm({ limit: '1', access_token: token })}`

const formBody = (token: string): Message => ({
  method: 'POST',
  path: '/api/photos',
  headers: { 'Content-Type': formType },
  body: encodeForm({ access_token: token }),
})

const photo = { title: 'The white rabbit', place: 'Oxford' }

export const apiFlow: Flow = {
  name: 'api',
  client: 'House App',
  owner: 'alice',
  steps: [
    {
      kind: 'send',
      name: 'api-tokens',
      needs: [],
      calls: [
        () => tokenCall(houseApp, passwordForm('photos:read photos:write')),
        () =>
          tokenCall(
            houseApp,
            passwordForm('photos:read'),
            learning({ access_token: 'reading_token' }),
          ),
      ],
    },
    {
      kind: 'send',
      name: 'by-header',
      needs: ['access_token'],
      calls: [(known) => api(get('/api/photos?limit=1', bearer(said(known, 'access_token'))), 200)],
    },
    {
      kind: 'send',
      name: 'by-query',
      needs: ['access_token'],
      calls: [
        (known) =>
          api(get(queryPath(said(known, 'access_token')), { 'Cache-Control': 'no-store' }), 200),
      ],
    },
    {
      kind: 'send',
      name: 'by-body',
      needs: ['access_token'],
      calls: [(known) => api(formBody(said(known, 'access_token')), 200)],
    },
    {
      kind: 'send',
      name: 'create',
      needs: ['access_token'],
      calls: [
        (known) => ({
          ...api(json('POST', '/api/photos', bearer(said(known, 'access_token')), photo), 201),
          learn: (answer) => ({ ...learning({ id: 'photo' })(answer), etag: answer.etag }),
        }),
      ],
    },
    {
      kind: 'send',
      name: 'change',
      needs: ['access_token', 'photo'],
      calls: [
        (known) => ({
          ...api(
            json(
              'PUT',
              `/api/photos/${said(known, 'photo')}`,
              { ...bearer(said(known, 'access_token')), 'If-Match': said(known, 'etag') },
              { ...photo, title: 'The white rabbit, late' },
            ),
            200,
          ),
          learn: ({ status, etag }) => (status === 200 ? { etag } : {}),
        }),
      ],
    },
    {
      kind: 'send',
      name: 'delete',
      needs: ['access_token', 'photo'],
      calls: [
        (known) => ({
          ...api(
            {
              method: 'DELETE',
              path: `/api/photos/${said(known, 'photo')}`,
              headers: bearer(said(known, 'access_token')),
              body: null,
            },
            204,
          ),
          learn: ({ status }) => (status === 204 ? { photo: null, etag: null } : {}),
        }),
      ],
    },
  ],
  attacks: [
    {
      kind: 'send',
      name: 'write-with-read',
      needs: ['reading_token'],
      calls: [
        (known) =>
          api(json('POST', '/api/photos', bearer(said(known, 'reading_token')), photo), 403),
      ],
    },
    {
      kind: 'send',
      name: 'two-ways',
      needs: ['access_token'],
      calls: [
        (known) =>
          api(
            get(queryPath(said(known, 'access_token')), {
              ...bearer(said(known, 'access_token')),
              'Cache-Control': 'no-store',
            }),
            400,
          ),
      ],
    },
    {
      kind: 'send',
      name: 'query-kept',
      needs: ['access_token'],
      calls: [(known) => api(get(queryPath(said(known, 'access_token'))), 400)],
    },
    { kind: 'send', name: 'no-token', needs: [], calls: [() => api(get('/api/photos'), 401)] },
  ],
}
