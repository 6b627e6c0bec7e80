/** How parties find one another: dynamic registration and metadata. */
import type { Flow, RequestRow } from '../flow.ts'

const client = {
  client_name: 'My First App',
  redirect_uris: ['http://127.0.0.1:3000/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'photos:read',
}

const register = (metadata: object, status: number): RequestRow => ({
  line: 'POST /register',
  json: { ...client, ...metadata },
  status,
})

/** A request to the registration itself (RFC 7592 section 2). */
const manage = (method: 'GET' | 'PUT' | 'DELETE', id = '{client_id}'): RequestRow => ({
  line: `${method} /register/${id}`,
  bearer: '{registration_token}',
})

export const registrationFlow: Flow = {
  name: 'registration',
  client: 'My First App',
  owner: null,
  steps: [
    {
      name: 'register',
      send: [
        {
          ...register({}, 201),
          learn: { client_id: 'client_id', registration_access_token: 'registration_token' },
        },
      ],
    },
    { name: 'read-registration', send: [manage('GET')] },
    {
      name: 'change-registration',
      send: [
        {
          ...manage('PUT'),
          json: { ...client, client_id: '{client_id}', client_name: 'My Second App' },
        },
      ],
    },
    {
      name: 'delete-registration',
      send: [{ ...manage('DELETE'), status: 204, forget: ['registration_token'] }],
    },
  ],
  attacks: [
    { name: 'script-redirect', send: [register({ redirect_uris: ['javascript:alert(1)'] }, 400)] },
    { name: 'self-trust', send: [register({ grant_types: ['password'], trusted: true }, 400)] },
    {
      name: 'foreign-registration',
      send: [{ ...manage('GET', 'photo-printer'), status: 401 }],
    },
  ],
}

export const metadataFlow: Flow = {
  name: 'metadata',
  client: 'Photo Printer',
  owner: null,
  steps: [
    { name: 'challenge', send: [{ line: 'GET /api/photos', status: 401 }] },
    {
      name: 'resource-metadata',
      send: [{ line: 'GET /.well-known/oauth-protected-resource/api/photos' }],
    },
    {
      name: 'server-metadata',
      send: [{ line: 'GET /.well-known/oauth-authorization-server' }],
    },
  ],
  attacks: [],
}
