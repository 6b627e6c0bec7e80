/**
 * The description of the admin API (OpenAPI 3.1) names every route and is valid. Its requests succeed
 * against a running service, and the answers are as it says.
 */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { resourceMembers } from '../../src/config/resources.ts'
import { described as rows } from '../../src/operations/surface/api.ts'
import { latchkeyAdmin, nightlyReport } from '../support/demo-clients.ts'
import { openCompany } from '../support/issuers.ts'
import { listRows } from '../support/rows.ts'
import { openStream } from '../support/signals.ts'
import { start, startBefore } from '../support/start.ts'
import { upstreamsOf } from '../support/upstream.ts'
import { bearer, operatorOf } from './operator.ts'

interface Described {
  readonly operationId: string
  readonly security: readonly object[]
  readonly parameters: readonly { name: string; in: string; example?: string | number }[]
  readonly requestBody?: { content: Record<string, { example: object; schema: { $ref: string } }> }
  readonly responses: Record<string, { content?: Record<string, { schema: { $ref: string } }> }>
}

// biome-ignore lint/suspicious/noExplicitAny: a foreign document, looked into by path
let document: any
let admin: string
const company = { id: 'company', title: 'Company', type: 'oidc', client_id: 'us' }
const upstreams = upstreamsOf([{ ...company, issuer: 'https://company.example' }])
const service = startBefore(
  () => start({ upstreams }),
  async () => {
    const answer = await service.ask('/admin/api/openapi.json')
    assert.equal(answer.status, 200, answer.text)
    document = answer.body
    const form = { grant_type: 'client_credentials' }
    admin = (await service.post('/token', form, latchkeyAdmin)).body.access_token
  },
)

it('has every route of the admin API and of the registration, and no other', () => {
  const served = listRows()
    .filter(({ path }) => /^\/(admin\/api|register)(\/|$)/.test(path))
    .map(({ method, path }) => `${method} ${path}`)
  const inRows = rows.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(inRows.toSorted(), served.toSorted())
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map(
      (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  )
  assert.deepEqual(described.toSorted(), served.toSorted())
})

it('is valid OpenAPI 3.1, and every schema is valid and used', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  assert.ok(valid, JSON.stringify(errors))
  assert.equal(validator.version, '3.1')
  const text = JSON.stringify(document)
  const used = new Set(
    [...text.matchAll(/"#\/components\/schemas\/(\w+)/g)].map(([, name]) => name),
  )
  assert.deepEqual([...used].toSorted(), Object.keys(document.components.schemas).toSorted())
  const ids = rows.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
})

it('describes the members of a resource that the service knows', () => {
  assert.deepEqual(
    Object.keys(document.components.schemas.Resource.properties).toSorted(),
    ['name', ...Object.keys(resourceMembers)].toSorted(),
  )
})

describe('its requests', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })

  /** Whether a value is as a schema of the document says. */
  const check = (ref: string, value: unknown, where: string): void => {
    const validate = ajv.getSchema(`document${ref}`)
    assert.ok(validate, ref)
    assert.ok(
      validate(value),
      `${where}: ${JSON.stringify(validate.errors)} ${JSON.stringify(value)}`,
    )
  }

  const described = (method: string, path: string): Described =>
    document.paths[path][method.toLowerCase()]

  /** Sends a request of the document and checks the answer. */
  const send = async (
    method: string,
    path: string,
    given: { params?: Record<string, string>; query?: string; token?: string; body?: object } = {},
  ) => {
    const operation = described(method, path)
    const where = `${method} ${path}`
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(given.params?.[name] ?? assert.fail(`${where} needs ${name}`)),
    )
    const media = operation.requestBody?.content['application/json']
    const example = media === undefined ? undefined : { ...media.example, ...given.body }
    const token = given.token ?? (operation.security.length === 0 ? null : admin)
    const { status, body, text } = await service.ask(`${filled}${given.query ?? ''}`, {
      ...(token === null ? {} : bearer(token)),
      method,
      ...(example === undefined ? {} : { json: example }),
    })
    const answer = operation.responses[String(status)]
    assert.ok(answer !== undefined && status < 300, `${where}: ${status} ${text}`)
    const schema = answer.content?.['application/json']?.schema.$ref
    if (schema === undefined) assert.equal(text, '', where)
    else check(schema, body, where)
    sent.add(where)
    return body
  }

  const sent = new Set<string>()

  before(() => {
    ajv.addSchema({ $id: 'document', components: document.components })
  })

  /** Each query parameter by itself, with the example of the document. */
  const sendQueries = async (path: string): Promise<void> => {
    await send('GET', path)
    for (const { name, example, ...parameter } of described('GET', path).parameters) {
      if (parameter.in !== 'query' || example === undefined) continue
      await send('GET', path, { query: `?${name}=${encodeURIComponent(example)}` })
    }
  }

  it('have examples that their own schemas accept', () => {
    for (const [path, methods] of Object.entries<Record<string, Described>>(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        for (const { schema, example } of Object.values(operation.requestBody?.content ?? {})) {
          check(schema.$ref, example, `${method} ${path}`)
        }
      }
    }
  })

  it('succeed, in the order in which things come and go', async () => {
    for (const path of Object.keys(document.paths)) {
      if (!path.includes('{') && 'get' in document.paths[path]) await sendQueries(path)
    }
    const client = '/admin/api/clients'
    const { client_id } = await send('POST', client)
    const params = { client_id }
    await send('GET', `${client}/{client_id}`, { params })
    await send('PATCH', `${client}/{client_id}`, { params })
    for (const action of ['rotate-secret', 'end-tokens', 'revoke-registration']) {
      await send('POST', `${client}/{client_id}/${action}`, { params })
    }
    await send('DELETE', `${client}/{client_id}`, { params })

    const owner = '/admin/api/owners'
    const { id } = await send('POST', owner)
    const ofOwner = { params: { id } }
    await send('GET', `${owner}/{id}`, ofOwner)
    await send('PATCH', `${owner}/{id}`, ofOwner)
    await send('POST', `${owner}/{id}/set-password`, ofOwner)
    await send('POST', `${owner}/{id}/links`, ofOwner)
    await send('GET', `${owner}/{id}/sessions`, ofOwner)
    await send('POST', `${owner}/{id}/end-sessions`, ofOwner)
    await send('POST', `${owner}/{id}/end-access`, ofOwner)
    await send('DELETE', `${owner}/{id}/factors`, ofOwner)
    await send('POST', `${owner}/{id}/unlock`, ofOwner)
    await send('GET', `${owner}/{id}/groups`, ofOwner)
    await send('PUT', `${owner}/{id}/groups`, ofOwner)
    await send('POST', `${owner}/{id}/upstreams`, ofOwner)
    await send('DELETE', `${owner}/{id}`, ofOwner)

    const group = '/admin/api/groups'
    const ofGroup = { params: { id: (await send('POST', group)).id } }
    await send('GET', group)
    await send('GET', `${group}/{id}`, ofGroup)
    await send('POST', `${group}/{id}/members`, ofGroup)
    await send('GET', `${group}/{id}/members`, ofGroup)
    await send('PATCH', `${group}/{id}`, ofGroup)
    await send('DELETE', `${group}/{id}`, ofGroup)

    const resource = '/admin/api/resources'
    const { name } = await send('POST', resource)
    const ofResource = { params: { name } }
    await send('GET', `${resource}/{name}`, ofResource)
    await send('PATCH', `${resource}/{name}`, ofResource)
    await send('DELETE', `${resource}/{name}`, ofResource)

    const issuer = '/admin/api/issuers'
    const ofIssuer = { params: { id: (await send('POST', issuer)).id } }
    await send('GET', `${issuer}/{id}`, ofIssuer)
    await send('PATCH', `${issuer}/{id}`, ofIssuer)
    await send('DELETE', `${issuer}/{id}`, ofIssuer)
    const company = await openCompany(service, await operatorOf(service))
    await company.ask(await company.jag('alice'))
    const opened = await service.ask(
      `/admin/api/authorizations?client=${company.clientId}`,
      bearer(admin),
    )
    const ofOpened = { params: { id: opened.body.items[0].id } }
    await send('DELETE', '/admin/api/authorizations/{id}', ofOpened)
    const allowed = { username: 'alice', client_id: company.clientId }
    const ofCompany = { params: { id: company.members.id }, body: allowed }
    await send('POST', `${issuer}/{id}/allow`, ofCompany)

    const operator = await operatorOf(service)
    await operator('PATCH', 'resources/photos', { introspection_clients: [nightlyReport[0]] })
    const ofStream = { params: { stream_id: await openStream(service) } }
    await send('GET', '/admin/api/streams')
    await send('GET', '/admin/api/streams/{stream_id}', ofStream)
    await send('DELETE', '/admin/api/streams/{stream_id}', ofStream)

    const [signing] = (await send('POST', '/admin/api/keys')).keys
    await send('DELETE', '/admin/api/keys/{id}', { params: { id: signing.id } })

    await service.post(
      '/token',
      { grant_type: 'password', username: 'alice', password: 'wonderland', scope: 'photos' },
      ['house-app', 'house-app-secret'],
    )
    const authorization = '/admin/api/authorizations'
    const { items } = await send('GET', authorization)
    const ofAuthorization = { params: { id: items[0].id } }
    await send('GET', `${authorization}/{id}`, ofAuthorization)
    await send('PATCH', `${authorization}/{id}`, ofAuthorization)
    await send('DELETE', `${authorization}/{id}`, ofAuthorization)

    await send('POST', '/admin/api/tokens/inspect')
    await send('POST', '/admin/api/tokens/revoke')
    const { reference } = await service.ask('/api/photos')
    await send('GET', '/admin/api/refusals/{reference}', { params: { reference: reference ?? '' } })

    const registered = await send('POST', '/register')
    const ofRegistration = {
      params: { client_id: registered.client_id },
      token: registered.registration_access_token,
    }
    const body = { client_id: registered.client_id }
    await send('GET', '/register/{client_id}', ofRegistration)
    await send('PUT', '/register/{client_id}', { ...ofRegistration, body })
    await send('DELETE', '/register/{client_id}', ofRegistration)

    const all = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    assert.deepEqual([...sent].toSorted(), all.toSorted())
  })

  it('are refused as the document says', async () => {
    const { status, body } = await service.ask('/admin/api/owners/nobody', bearer(admin))
    assert.equal(status, 404)
    check('#/components/schemas/Problem', body, 'a refusal')
  })
})
