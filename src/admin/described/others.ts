/** The routes about resources, authorizations and events. */
import { resourceLimits } from '../../config/resource-limits.ts'
import { eventTypes } from '../../model/event.ts'
import type { Z } from '../../protocol/schema.ts'
import { authorizationForm } from '../authorization-form.ts'
import type { Forms, Operations } from './operation.ts'
import { listParameters, pageParameters } from './parameters.ts'

/** A text, or one for each language. */
const words = (z: Z) => z.union([z.string(), z.record(z.string(), z.string())])

const name = (z: Z) =>
  z
    .string()
    .max(resourceLimits.nameCharacters)
    .regex(/^[a-z][a-z0-9-]*$/)

const resource = (z: Z) => ({
  name: name(z),
  title: words(z),
  read: words(z),
  write: words(z),
  actions: z.record(z.string(), words(z)),
  destructive: z.array(z.string()),
  uri: z.string().nullable(),
  access_token_format: z.enum(['opaque', 'jwt']),
  introspection_clients: z.array(z.string()),
})

const authorization = (z: Z) => ({
  id: z.string(),
  client_id: z.string(),
  owner_id: z.string(),
  permissions: z.array(z.string()),
  scope: z.string(),
  duration: z.enum(['session', 'day', 'month', 'forever', 'chosen']),
  created_at: z.int(),
  expires_at: z.int().nullable(),
  last_used_at: z.int().nullable(),
  paused: z.boolean(),
  paused_at: z.int().nullable(),
  paused_by: z.string().nullable(),
})

const listedAuthorization = (z: Z) => ({
  ...authorization(z),
  client_name: z.string(),
  username: z.string(),
})

const actor = (z: Z) =>
  z.strictObject({
    type: z.enum(['operator', 'cli', 'owner', 'client', 'anyone', 'service']),
    client_id: z.string().optional(),
    owner_id: z.string().optional(),
    token_id: z.string().optional(),
    user: z.string().optional(),
    network: z.string().optional(),
  })

const event = (z: Z) =>
  z.strictObject({
    id: z.string(),
    at: z.int().describe('unix seconds'),
    type: z.enum(eventTypes),
    client_id: z.string().nullable(),
    owner_id: z.string().nullable(),
    authorization_id: z.string().nullable(),
    request_id: z.string().nullable(),
    actor: actor(z).nullable(),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  })

export const otherSchemas: Forms = {
  NewResource: (z) => {
    const { name: called, title, read, write, ...others } = resource(z)
    return z.strictObject({ name: called, title, read, write, ...z.object(others).partial().shape })
  },
  ResourceChange: (z) => z.strictObject(resource(z)).partial(),
  Resource: (z) => z.strictObject(resource(z)),
  ResourcePage: (z) =>
    z.strictObject({ items: z.array(z.strictObject(resource(z))), next: z.string().nullable() }),
  AuthorizationChange: () => authorizationForm(),
  Authorization: (z) => z.strictObject(authorization(z)),
  ListedAuthorization: (z) => z.strictObject(listedAuthorization(z)),
  AuthorizationPage: (z) =>
    z.strictObject({
      items: z.array(z.strictObject(listedAuthorization(z))),
      next: z.string().nullable(),
    }),
  EventPage: (z) => z.strictObject({ items: z.array(event(z)), next: z.string().nullable() }),
  OpenapiDocument: (z) => z.looseObject({ openapi: z.string() }),
  Problem: (z) =>
    z.looseObject({
      type: z.string(),
      title: z.string().describe('the error code'),
      status: z.int(),
      detail: z.string().optional(),
    }),
}

const oneResource = '/admin/api/resources/:name'
const oneAuthorization = '/admin/api/authorizations/:id'

export const otherOperations: Operations = {
  'GET /admin/api/resources': {
    id: 'listResources',
    summary: 'List or search resources',
    scope: 'resources:read',
    query: { ...listParameters.resources, ...pageParameters },
    answers: { 200: 'ResourcePage' },
  },
  'POST /admin/api/resources': {
    id: 'createResource',
    summary: 'Create a resource',
    scope: 'resources:write',
    body: {
      form: 'NewResource',
      example: {
        name: 'orders',
        title: 'Orders',
        read: 'See your orders',
        write: 'Change your orders',
        actions: { refund: 'Refund orders' },
        destructive: ['refund'],
      },
    },
    answers: { 201: 'Resource' },
  },
  [`GET ${oneResource}`]: {
    id: 'readResource',
    summary: 'Read a resource',
    scope: 'resources:read',
    answers: { 200: 'Resource' },
  },
  [`PATCH ${oneResource}`]: {
    id: 'changeResource',
    summary: 'Change the members of a resource that the body has',
    scope: 'resources:write',
    body: { form: 'ResourceChange', example: { title: 'All orders' } },
    answers: { 200: 'Resource' },
  },
  [`DELETE ${oneResource}`]: {
    id: 'deleteResource',
    summary: 'Delete a resource; all permissions on it end',
    scope: 'resources:write',
    answers: { 204: null },
  },
  'GET /admin/api/authorizations': {
    id: 'listAuthorizations',
    summary: 'List what owners approved',
    scope: 'authorizations:read',
    query: { ...listParameters.authorizations, ...pageParameters },
    answers: { 200: 'AuthorizationPage' },
  },
  [`GET ${oneAuthorization}`]: {
    id: 'readAuthorization',
    summary: 'Read an authorization',
    scope: 'authorizations:read',
    answers: { 200: 'ListedAuthorization' },
  },
  [`PATCH ${oneAuthorization}`]: {
    id: 'changeAuthorization',
    summary: 'Narrow an authorization, or pause and resume its application',
    scope: 'authorizations:write',
    body: { form: 'AuthorizationChange', example: { permissions: ['photos:read'] } },
    answers: { 200: 'Authorization' },
  },
  [`DELETE ${oneAuthorization}`]: {
    id: 'endAuthorization',
    summary: 'End an authorization',
    scope: 'authorizations:write',
    answers: { 204: null },
  },
  'GET /admin/api/events': {
    id: 'listEvents',
    summary: 'List what happened',
    scope: 'events:read',
    query: { ...listParameters.events, ...pageParameters },
    answers: { 200: 'EventPage' },
  },
  'GET /admin/api/openapi.json': {
    id: 'readOpenapi',
    summary: 'This document',
    scope: null,
    answers: { 200: 'OpenapiDocument' },
  },
}
