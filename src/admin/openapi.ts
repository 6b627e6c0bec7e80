/**
 * The description of the admin API and of the registration (OpenAPI 3.1). Its schemas are made of the
 * forms that requests are checked with. `test/flows/openapi.test.ts` sends every example.
 */
import { type Answer, answerPublicJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { adminPermissions } from '../model/resource.ts'
import { schemaOf } from '../protocol/schema.ts'
import type { EndpointParts } from '../registries.ts'
import { clientOperations, clientSchemas, registrationOperations } from './described/clients.ts'
import { keyOperations, keySchemas } from './described/keys.ts'
import type { DescribedParameter, Forms, JsonSchema, Operation } from './described/operation.ts'
import { otherOperations, otherSchemas } from './described/others.ts'
import { ownerOperations, ownerSchemas } from './described/owners.ts'
import { refusalOperations, refusalSchemas } from './described/refusals.ts'
import { tokenOperations, tokenSchemas } from './described/tokens.ts'

/** A route without a row here fails the test of this document. */
export const operations: Readonly<Record<string, Operation>> = {
  ...clientOperations,
  ...ownerOperations,
  ...otherOperations,
  ...keyOperations,
  ...tokenOperations,
  ...refusalOperations,
  ...registrationOperations,
}

const forms: Forms = {
  ...clientSchemas,
  ...ownerSchemas,
  ...otherSchemas,
  ...keySchemas,
  ...tokenSchemas,
  ...refusalSchemas,
}

/** A schema that refers to its own parts finds them in the document. */
const withinDocument = (name: string, schema: object): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"#/components/schemas/${name}/$defs/`))

/** What a refinement checks beyond its schema, its description says. */
const schemas = schemaOf((z) =>
  Object.fromEntries(
    Object.entries(forms).map(([name, form]): [string, JsonSchema] => {
      const made = z.toJSONSchema(form(z), { io: 'input', unrepresentable: 'any' })
      const { $schema: _, ...schema } = made
      return [name, withinDocument(name, schema)]
    }),
  ),
)

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const content = (name: string, example?: JsonSchema) => ({
  'application/json': { schema: reference(name), ...(example === undefined ? {} : { example }) },
})

const pathParameters = (path: string) =>
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

const answersOf = ({ answers }: Operation) =>
  Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      schema === null ? { description: 'done' } : { description: 'done', content: content(schema) },
    ]),
  )

const refused = {
  description: 'refused',
  content: { 'application/problem+json': { schema: reference('Problem') } },
}

const registrationRefused = { description: 'refused (RFC 7591 section 3.2.2)' }

const securityOf = (path: string, scope: Operation['scope']) => {
  if (scope !== null) return [{ oauth: [scope] }]
  return path.startsWith('/register/') ? [{ registrationToken: [] }] : []
}

const describe = (path: string, operation: Operation) => {
  const { id, summary, scope, query = {}, body } = operation
  const ofAdmin = path.startsWith('/admin/')
  return {
    operationId: id,
    summary,
    tags: [ofAdmin ? 'admin' : 'registration'],
    security: securityOf(path, scope),
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.optional !== true,
            content: content(body.form, body.example),
          },
        }),
    responses: { ...answersOf(operation), default: ofAdmin ? refused : registrationRefused },
  }
}

const pathsOf = () => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [route, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = route.split(' ')
    const written = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[written] = { ...paths[written], [method.toLowerCase()]: describe(path, operation) }
  }
  return paths
}

const documentOf = (issuer: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Latchkey: admin API and client registration',
    version: '1',
    description: 'A token comes from the token endpoint, by the grant client_credentials.',
  },
  servers: [{ url: issuer }],
  tags: [{ name: 'admin' }, { name: 'registration' }],
  paths: pathsOf(),
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

/** Anybody may read it: it is the same in every installation. */
export const openapi = (_exchange: Exchange, { settings }: EndpointParts): Answer =>
  answerPublicJson(documentOf(settings.issuer))
