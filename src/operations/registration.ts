/** The registration of clients by themselves (RFC 7591, RFC 7592), as the OpenAPI document describes it. */
import { clientForms } from '../clients/metadata.ts'
import { toldMembers } from './clients.ts'
import { type DescribedRoute, formOf } from './operation.ts'

const redirect_uris = ['https://tool.example/callback']

const registered = {
  200: formOf('RegisteredClient', (z) =>
    z.looseObject({
      ...clientForms().claims.shape,
      ...toldMembers(z),
      registration_access_token: z.string(),
      registration_client_uri: z.string(),
    }),
  ),
}

const itself = { path: '/register/:client_id', permission: null } as const

export const registrationRoutes: readonly DescribedRoute[] = [
  {
    id: 'register',
    method: 'POST',
    path: '/register',
    permission: null,
    says: 'Register a client (RFC 7591)',
    body: {
      form: formOf('Registration', () => clientForms().claims),
      example: { client_name: 'Example Tool', redirect_uris, scope: 'photos:read' },
    },
    answers: { 201: registered[200] },
  },
  {
    ...itself,
    id: 'readRegistration',
    method: 'GET',
    says: 'Read a registration (RFC 7592); the token is its registration_access_token',
    answers: registered,
  },
  {
    ...itself,
    id: 'changeRegistration',
    method: 'PUT',
    says: 'Replace a registration (RFC 7592)',
    body: {
      form: formOf('RegistrationChange', (z) =>
        clientForms().claims.extend({ client_id: z.string() }),
      ),
      example: { client_id: '', client_name: 'Example Tools', redirect_uris },
    },
    answers: registered,
  },
  {
    ...itself,
    id: 'deleteRegistration',
    method: 'DELETE',
    says: 'Delete a registration (RFC 7592)',
    answers: { 204: null },
  },
]
