/** The routes about clients, and the registration of clients by themselves (RFC 7591, RFC 7592). */
import { rotationForm } from '../../clients/credentials.ts'
import { clientForms } from '../../clients/metadata.ts'
import type { Z } from '../../protocol/schema.ts'
import type { Forms, Operations } from './operation.ts'
import { listParameters, pageParameters } from './parameters.ts'

/** What nobody sets: the service tells it. */
const told = (z: Z) => ({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  client_secret: z.string().optional().describe('shown this once'),
  client_secret_expires_at: z.literal(0).optional(),
})

const toldToOperators = (z: Z) => ({
  old_secret_expires_at: z.int().nullable(),
  registered_by: z.enum(['operator', 'itself']),
  set_by_operator: z.array(z.string()),
  manages_itself: z.boolean(),
  pinned: z.boolean().optional(),
  document_fetched_at: z.int().optional(),
  document_fresh_until: z.int().optional(),
})

export const clientSchemas: Forms = {
  NewClient: (z) => clientForms().operator.extend({ client_id: z.string().optional() }),
  ClientChange: () => clientForms().operatorsChange,
  Client: (z) =>
    z.strictObject({ ...clientForms().operator.shape, ...told(z), ...toldToOperators(z) }),
  ClientPage: (z) =>
    z.strictObject({
      items: z.array(
        z.strictObject({ ...clientForms().operator.shape, ...told(z), ...toldToOperators(z) }),
      ),
      next: z.string().nullable(),
    }),
  Rotation: () => rotationForm(),
  RotatedSecret: (z) =>
    z.looseObject({
      client_id: z.string(),
      client_secret: z.string().describe('shown this once'),
    }),
  Registration: () => clientForms().claims,
  RegistrationChange: (z) => clientForms().claims.extend({ client_id: z.string() }),
  RegisteredClient: (z) =>
    z.looseObject({
      ...clientForms().claims.shape,
      ...told(z),
      registration_access_token: z.string(),
      registration_client_uri: z.string(),
    }),
}

const one = '/admin/api/clients/:client_id'

export const clientOperations: Operations = {
  'GET /admin/api/clients': {
    id: 'listClients',
    summary: 'List or search clients',
    scope: 'clients:read',
    query: { ...listParameters.clients, ...pageParameters },
    answers: { 200: 'ClientPage' },
  },
  'POST /admin/api/clients': {
    id: 'createClient',
    summary: 'Create a client; its secret is shown this once',
    scope: 'clients:write',
    body: {
      form: 'NewClient',
      example: {
        client_name: 'Example Shop',
        redirect_uris: ['https://shop.example/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        scope: 'photos:read',
      },
    },
    answers: { 201: 'Client' },
  },
  [`GET ${one}`]: {
    id: 'readClient',
    summary: 'Read a client',
    scope: 'clients:read',
    answers: { 200: 'Client' },
  },
  [`PATCH ${one}`]: {
    id: 'changeClient',
    summary: 'Change the members of a client that the body has',
    scope: 'clients:write',
    body: { form: 'ClientChange', example: { client_name: 'Example Store' } },
    answers: { 200: 'Client' },
  },
  [`DELETE ${one}`]: {
    id: 'deleteClient',
    summary: 'Delete a client',
    scope: 'clients:write',
    answers: { 204: null },
  },
  [`POST ${one}/rotate-secret`]: {
    id: 'rotateSecret',
    summary: 'Give a client a new secret, shown this once',
    scope: 'clients:write',
    body: { form: 'Rotation', example: { keep_old_seconds: 3600 }, optional: true },
    answers: { 200: 'RotatedSecret' },
  },
  [`POST ${one}/end-tokens`]: {
    id: 'endClientTokens',
    summary: 'End all tokens of a client and of its owners',
    scope: 'clients:write',
    answers: { 200: 'Client' },
  },
  [`POST ${one}/revoke-registration`]: {
    id: 'revokeRegistration',
    summary: 'End the registration token of a client',
    scope: 'clients:write',
    answers: { 200: 'Client' },
  },
}

export const registrationOperations: Operations = {
  'POST /register': {
    id: 'register',
    summary: 'Register a client (RFC 7591)',
    scope: null,
    body: {
      form: 'Registration',
      example: {
        client_name: 'Example Tool',
        redirect_uris: ['https://tool.example/callback'],
        scope: 'photos:read',
      },
    },
    answers: { 201: 'RegisteredClient' },
  },
  'GET /register/:client_id': {
    id: 'readRegistration',
    summary: 'Read a registration (RFC 7592); the token is its registration_access_token',
    scope: null,
    answers: { 200: 'RegisteredClient' },
  },
  'PUT /register/:client_id': {
    id: 'changeRegistration',
    summary: 'Replace a registration (RFC 7592)',
    scope: null,
    body: {
      form: 'RegistrationChange',
      example: {
        client_id: '',
        client_name: 'Example Tools',
        redirect_uris: ['https://tool.example/callback'],
      },
    },
    answers: { 200: 'RegisteredClient' },
  },
  'DELETE /register/:client_id': {
    id: 'deleteRegistration',
    summary: 'Delete a registration (RFC 7592)',
    scope: null,
    answers: { 204: null },
  },
}
