/** How parties find one another: dynamic registration and metadata. */
import type { Call, Flow, Known, Message } from '../flow.ts'
import { bearer, get, json, learning, said, toApi, toServer } from '../messages.ts'

const call = (message: Message, expected: number): Call => ({ message, way: toServer, expected })

const client = {
  client_name: 'My First App',
  redirect_uris: ['http://127.0.0.1:3000/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'photos:read',
}

const path = (known: Known): string => `/register/${said(known, 'client_id')}`
const manager = (known: Known) => bearer(said(known, 'registration_token'))

/** A registration that is refused. */
const refused = (metadata: object): Call =>
  call(json('POST', '/register', {}, { ...client, ...metadata }), 400)

export const registrationFlow: Flow = {
  name: 'registration',
  client: 'My First App',
  owner: null,
  steps: [
    {
      kind: 'send',
      name: 'register',
      needs: [],
      calls: [
        () => ({
          ...call(json('POST', '/register', {}, client), 201),
          learn: learning({
            client_id: 'client_id',
            registration_access_token: 'registration_token',
          }),
        }),
      ],
    },
    {
      kind: 'send',
      name: 'read-registration',
      needs: ['registration_token'],
      calls: [(known) => call(get(path(known), manager(known)), 200)],
    },
    {
      kind: 'send',
      name: 'change-registration',
      needs: ['registration_token'],
      calls: [
        (known) =>
          call(
            json('PUT', path(known), manager(known), {
              ...client,
              client_id: said(known, 'client_id'),
              client_name: 'My Second App',
            }),
            200,
          ),
      ],
    },
    {
      kind: 'send',
      name: 'delete-registration',
      needs: ['registration_token'],
      calls: [
        (known) => ({
          ...call(
            { method: 'DELETE', path: path(known), headers: manager(known), body: null },
            204,
          ),
          learn: ({ status }) => (status === 204 ? { registration_token: null } : {}),
        }),
      ],
    },
  ],
  attacks: [
    {
      kind: 'send',
      name: 'script-redirect',
      needs: [],
      calls: [() => refused({ redirect_uris: ['javascript:alert(1)'] })],
    },
    {
      kind: 'send',
      name: 'self-trust',
      needs: [],
      calls: [() => refused({ grant_types: ['password'], trusted: true })],
    },
    {
      kind: 'send',
      name: 'foreign-registration',
      needs: ['registration_token'],
      calls: [(known) => call(get('/register/photo-printer', manager(known)), 401)],
    },
  ],
}

export const metadataFlow: Flow = {
  name: 'metadata',
  client: 'Photo Printer',
  owner: null,
  steps: [
    {
      kind: 'send',
      name: 'challenge',
      needs: [],
      calls: [() => ({ message: get('/api/photos'), way: toApi, expected: 401 })],
    },
    {
      kind: 'send',
      name: 'resource-metadata',
      needs: [],
      calls: [
        () => ({
          message: get('/.well-known/oauth-protected-resource/api/photos'),
          way: toApi,
          expected: 200,
        }),
      ],
    },
    {
      kind: 'send',
      name: 'server-metadata',
      needs: [],
      calls: [() => call(get('/.well-known/oauth-authorization-server'), 200)],
    },
  ],
  attacks: [],
}
