/**
 * The admin API and its description (OpenAPI 3.1), with the registration. Its schemas are made of the
 * forms that requests are checked with. `test/flows/openapi.test.ts` sends every example.
 */
import { clientForms } from '../../clients/metadata.ts'
import type { Settings } from '../../config/settings.ts'
import { answerPublicJson } from '../../http/answer.ts'
import { makeEntityTag } from '../../http/conditions.ts'
import type { RespondTo } from '../../http/listen.ts'
import { makeOwnRequest } from '../../http/request.ts'
import { adminPermissions } from '../../model/resource.ts'
import { makeSchema } from '../../protocol/schema.ts'
import { problem as problemRow, type RouteRow } from '../../route.ts'
import { listToldMembers } from '../clients.ts'
import { operations } from '../index.ts'
import { type DescribedParameter, type JsonSchema, pageParameters } from '../lists.ts'
import { type DescribedRoute, type Form, makeForm } from '../operation.ts'
import type { AdminNeeds } from '../operator.ts'

const redirect_uris = ['https://tool.example/callback']

const registered = {
  200: makeForm('RegisteredClient', (z) =>
    z.looseObject({
      ...clientForms().claims.shape,
      ...listToldMembers(z),
      registration_access_token: z.string(),
      registration_client_uri: z.string(),
    }),
  ),
}

const itself = { path: '/register/:client_id', permission: null } as const

const registrationRoutes: readonly DescribedRoute[] = [
  {
    id: 'register',
    method: 'POST',
    path: '/register',
    permission: null,
    says: 'Register a client (RFC 7591)',
    body: {
      form: makeForm('Registration', () => clientForms().claims),
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
      form: makeForm('RegistrationChange', (z) =>
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

export interface AdminRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `{base_url}/admin/api/`, with the query. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: object
  /** The version of the subject as it was seen (`hashShown`). */
  readonly ifMatch?: string
}

export interface AdminAnswer {
  readonly status: number
  /** Null where the answer has none. */
  readonly body: unknown
  /** The entity tag of the subject; null without one. */
  readonly etag?: string | null
}

/** @param user of the system, as events name who acted */
export type Operate = (request: AdminRequest, user: string) => Promise<AdminAnswer>

export const operateBy =
  (respond: RespondTo, { issuer }: Pick<Settings, 'issuer'>): Operate =>
  async ({ method, path, body, ifMatch }, user) => {
    const condition = ifMatch === undefined ? {} : { 'if-match': makeEntityTag(ifMatch) }
    const request = makeOwnRequest(method, `${issuer}/admin/api/${path}`, body, condition)
    const answer = await respond(request, '127.0.0.1', user)
    const isText = typeof answer.body === 'string' && answer.body !== ''
    const { ETag: tag } = answer.headers
    return {
      status: answer.status,
      body: isText ? JSON.parse(answer.body as string) : null,
      etag: typeof tag === 'string' ? tag : null,
    }
  }

const openapiRoute: DescribedRoute = {
  id: 'readOpenapi',
  method: 'GET',
  path: '/admin/api/openapi.json',
  permission: null,
  says: 'This document',
  answers: { 200: makeForm('OpenapiDocument', (z) => z.looseObject({ openapi: z.string() })) },
}

/** All that the document describes. */
export const described: readonly DescribedRoute[] = [
  ...operations,
  openapiRoute,
  ...registrationRoutes,
]

const problem = makeForm('Problem', (z) =>
  z.looseObject({
    type: z.string(),
    title: z.string().describe('the error code'),
    status: z.int(),
    detail: z.string().optional(),
  }),
)

const listForms = ({ body, answers }: DescribedRoute): readonly Form[] =>
  [body?.form, ...Object.values(answers)].filter((form) => form != null)

/** A schema that refers to its own parts finds them in the document. */
const nestSchema = (name: string, schema: object): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"#/components/schemas/${name}/$defs/`))

/** What a refinement checks beyond its schema, its description says. */
const schemas = makeSchema((z) =>
  Object.fromEntries(
    [...described.flatMap(listForms), problem].map(({ name, make }): [string, JsonSchema] => {
      const made = z.toJSONSchema(make(z), { io: 'input', unrepresentable: 'any' })
      const { $schema: _, ...schema } = made
      return [name, nestSchema(name, schema)]
    }),
  ),
)

const referTo = ({ name }: Form) => ({ $ref: `#/components/schemas/${name}` })

const makeContent = (form: Form, example?: JsonSchema) => ({
  'application/json': { schema: referTo(form), ...(example === undefined ? {} : { example }) },
})

const listPathParameters = (path: string) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

const queryParameters = (query: Readonly<Record<string, DescribedParameter>>) =>
  Object.entries(query).map(([name, { description, schema, example }]) => ({
    name,
    in: 'query',
    description,
    schema,
    ...(example === '' ? {} : { example }),
  }))

const describeAnswers = ({ answers }: DescribedRoute) =>
  Object.fromEntries(
    Object.entries(answers).map(([status, form]) => [
      status,
      form === null ? { description: 'done' } : { description: 'done', content: makeContent(form) },
    ]),
  )

const refused = {
  description: 'refused',
  content: { 'application/problem+json': { schema: referTo(problem) } },
}

const registrationRefused = { description: 'refused (RFC 7591 section 3.2.2)' }

const getSecurity = ({ path, permission }: DescribedRoute) => {
  if (permission !== null) return [{ oauth: [permission] }]
  return path.startsWith('/register/') ? [{ registrationToken: [] }] : []
}

const describe = (route: DescribedRoute) => {
  const { id, says, path, filters, body } = route
  const ofAdmin = path.startsWith('/admin/')
  const query = filters === undefined ? {} : { ...filters, ...pageParameters }
  return {
    operationId: id,
    summary: says,
    tags: [ofAdmin ? 'admin' : 'registration'],
    security: getSecurity(route),
    parameters: [...listPathParameters(path), ...queryParameters(query)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.optional !== true,
            content: makeContent(body.form, body.example),
          },
        }),
    responses: { ...describeAnswers(route), default: ofAdmin ? refused : registrationRefused },
  }
}

const describePaths = () => {
  const paths: Record<string, Record<string, ReturnType<typeof describe>>> = {}
  for (const route of described) {
    const written = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[written] = { ...paths[written], [route.method.toLowerCase()]: describe(route) }
  }
  return paths
}

export const describeApi = (issuer: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Latchkey: admin API and client registration',
    version: '1',
    description: 'A token comes from the token endpoint, by the grant client_credentials.',
  },
  servers: [{ url: issuer }],
  tags: [{ name: 'admin' }, { name: 'registration' }],
  paths: describePaths(),
  components: {
    schemas: schemas(),
    securitySchemes: {
      registrationToken: { type: 'http', scheme: 'bearer' },
      oauth: {
        type: 'oauth2',
        flows: {
          clientCredentials: {
            tokenUrl: `${issuer}/token`,
            scopes: Object.fromEntries(adminPermissions.map((name) => [name, ''])),
          },
        },
      },
    },
  },
})

/** Every route of the admin API. Anybody may read its description: it is the same in every installation. */
export const openAdminApi = (needs: AdminNeeds): readonly RouteRow[] => [
  ...operations.map(
    ({ method, path, answer }): RouteRow => ({
      ...problemRow,
      method,
      path,
      handler: (exchange) => answer(exchange, needs),
    }),
  ),
  {
    ...problemRow,
    method: 'GET',
    path: openapiRoute.path,
    handler: () => answerPublicJson(describeApi(needs.settings.issuer)),
  },
]
