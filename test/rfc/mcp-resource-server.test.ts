/** MCP authorization 2026-07-28: the requirements on the MCP server, by the ids of docs/mcp.md. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operatorOf } from '../flows/operator.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { houseApp } from '../support/demo-clients.ts'
import { challenge, verifier } from '../support/gallery.ts'
import { type StartedMcp, startMcp } from '../support/mcp.ts'
import { newVisitor, type Visitor } from '../support/people.ts'
import { walk } from '../support/printing.ts'
import type { Form } from '../support/start.ts'
import { introspect } from '../support/tokens.ts'

let mcp: StartedMcp
before(async () => {
  mcp = await startMcp()
})
after(() => mcp.close())

const redirect_uri = 'http://127.0.0.1:33418/callback'

const register = async (): Promise<string> => {
  const json = { client_name: 'Helper', redirect_uris: [redirect_uri] }
  const { body } = await mcp.service.ask('/register', {
    json: { ...json, token_endpoint_auth_method: 'none' },
  })
  return body.client_id
}

interface Asked {
  readonly resource?: string
  readonly client_id?: string
  readonly browser?: Browser
  /** The permissions that the owner leaves ticked. */
  readonly permission?: readonly string[]
}

/** The tokens of a public client for a scope, or its error. */
const obtain = async (scope: string, asked: Asked = {}) => {
  const { service, url } = mcp
  const { resource = url, client_id = await register(), permission } = asked
  const request: Form = { response_type: 'code', client_id, redirect_uri, scope, resource }
  const ticked: Form = permission === undefined ? {} : { permission }
  const browser = asked.browser ?? new Browser(service)
  const answer = answerOf(await walk(service, { ...request, ...challenge }, ticked, browser))
  const { code = '' } = answer
  if (code === '') return { body: answer, client_id }
  const form = { grant_type: 'authorization_code', client_id, code, redirect_uri, resource }
  const { body, text } = await service.post('/token', { ...form, code_verifier: verifier })
  assert.ok(body.access_token, text)
  return { body, client_id }
}

/** One message to the MCP server. */
const send = async (
  token: string | null,
  tool = 'list_notes',
  headers: Readonly<Record<string, string>> = {},
) => {
  const params = { name: tool, arguments: { text: 'Feed the cat' } }
  const answer = await mcp.send(mcp.url, {
    method: 'POST',
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const text = await answer.text()
  return { status: answer.status, text, challenge: answer.headers.get('www-authenticate') }
}

const metadataUrl = (): string => {
  const { origin, pathname } = new URL(mcp.url)
  return `${origin}/.well-known/oauth-protected-resource${pathname}`
}

const bearer = (parameters: string): string =>
  `Bearer realm="latchkey", ${parameters}, resource_metadata="${metadataUrl()}"`

test('RS1, RS9, RS10: the metadata name the service, and the scope of basic use', async () => {
  assert.deepEqual(await (await mcp.send(metadataUrl())).json(), {
    resource: mcp.url,
    authorization_servers: [mcp.service.issuer],
    scopes_supported: ['notes:read'],
    bearer_methods_supported: ['header'],
    dpop_signing_alg_values_supported: ['ES256', 'EdDSA', 'PS256', 'RS256'],
  })
})

test('RS2, RS3, RS6, RS9: no token: the challenge names the metadata and the scope', async () => {
  const { status, text, challenge: told } = await send(null)
  assert.deepEqual([status, text, told], [401, '{}', bearer('scope="notes:read"')])
})

test('RS4: a token for another resource is refused', async () => {
  const { body } = await obtain('photos:read', { resource: `${mcp.service.issuer}/api/photos` })
  const { status, challenge: told } = await send(body.access_token)
  assert.equal(status, 401)
  assert.match(told ?? '', /error="invalid_token"/)
})

test('RS5: the token for the MCP server opens no other API', async () => {
  const { body } = await obtain('notes:read')
  assert.equal((await send(body.access_token)).status, 200)
  const { aud } = await introspect(mcp.service, body.access_token, houseApp)
  assert.deepEqual(aud, [mcp.url])
  const elsewhere = await mcp.service.ask('/api/photos', {
    headers: { authorization: `Bearer ${body.access_token}` },
  })
  assert.equal(elsewhere.status, 401)
})

test('RS6: invalid and expired are 401, too little is 403, malformed is 400', async () => {
  const unknown = 'the access token is unknown, expired, revoked or for another resource'
  const invalid = bearer(
    `error="invalid_token", error_description="${unknown}", scope="notes:read"`,
  )
  const made = await send('lk_at_made-up')
  assert.deepEqual([made.status, made.challenge], [401, invalid])
  const { body } = await obtain('notes:read')
  assert.equal((await send(body.access_token, 'add_note')).status, 403)
  const malformed = await send(null, 'list_notes', { authorization: 'Bearer two words' })
  assert.deepEqual(
    [malformed.status, JSON.parse(malformed.text)],
    [
      400,
      {
        error: 'invalid_request',
        error_description:
          'the Authorization header has to be Bearer or DPoP, a space and one access token',
      },
    ],
  )
  mcp.service.pass(3600)
  const expired = await send(body.access_token)
  assert.deepEqual([expired.status, expired.challenge], [401, invalid])
})

test('RS6: a malformed authorization request is refused', async () => {
  const { status, headers } = await mcp.service.ask('/authorize?client_id=a&client_id=b')
  assert.deepEqual([status, headers.get('location')], [400, null])
})

test('RS7: too little: one challenge with everything that the tool needs', async () => {
  const { body } = await obtain('notes:read')
  const { status, challenge: told } = await send(body.access_token, 'add_note')
  const description = 'the access token does not allow this'
  const said = `error="insufficient_scope", error_description="${description}"`
  assert.deepEqual([status, told], [403, bearer(`${said}, scope="notes:read notes:write"`)])
})

test('RS8: the scope of a whole resource implies reading and writing', async () => {
  const { body } = await obtain('notes')
  assert.equal(body.scope, 'notes:read notes:write')
  assert.equal((await send(body.access_token)).status, 200)
  assert.equal((await send(body.access_token, 'add_note')).status, 200)
})

test('RS11: a token in the query or the body counts as none', async () => {
  const { body } = await obtain('notes:read')
  const query = new URLSearchParams({ access_token: body.access_token }).toString()
  const type = 'application/x-www-form-urlencoded'
  const sent = await Promise.all([
    mcp.send(`${mcp.url}?${query}`, { method: 'POST', headers: { 'cache-control': 'no-store' } }),
    mcp.send(mcp.url, { method: 'POST', headers: { 'content-type': type }, body: query }),
  ])
  assert.deepEqual(
    sent.map(({ status }) => status),
    [401, 401],
  )
})

test('RS12: each request is verified, and the id of a session proves nothing', async () => {
  const { body, client_id } = await obtain('notes:read')
  const session = { 'mcp-session-id': '1' }
  assert.equal((await send(body.access_token, 'list_notes', session)).status, 200)
  assert.equal((await send(null, 'list_notes', session)).status, 401)
  for (const method of ['GET', 'DELETE', 'PUT']) {
    assert.equal((await mcp.send(mcp.url, { method, headers: session })).status, 401, method)
  }
  await mcp.service.post('/revoke', { token: body.access_token, client_id })
  assert.equal((await send(body.access_token, 'list_notes', session)).status, 401)
})

test('RS13: scheme and host of resource are accepted in upper case, too', async () => {
  const { body } = await obtain('notes:read', { resource: mcp.url.replace('http:', 'HTTP:') })
  assert.equal((await send(body.access_token)).status, 200)
})

test('RS13: a resource without a path is the same with the slash that URL libraries add', async () => {
  const operator = await operatorOf(mcp.service)
  const uri = 'https://Plain.example'
  const given = {
    name: 'plain',
    title: 'Plain',
    read: 'See',
    write: 'Change',
    uri,
    introspection_clients: [houseApp[0]],
  }
  assert.equal((await operator('POST', 'resources', given)).status, 201)
  for (const resource of [uri, `${uri}/`, new URL(uri).href]) {
    const { body } = await obtain('plain:read', { resource })
    assert.equal(body.scope, 'plain:read', resource)
    const { aud } = await introspect(mcp.service, body.access_token, houseApp)
    assert.deepEqual(aud, [uri])
  }
  for (const resource of [`${uri}/x`, `${uri}?`, `${mcp.url}/`, 'https://plain.example:443']) {
    const { body } = await obtain('plain:read', { resource })
    assert.equal(body.error, 'invalid_target', resource)
  }
})

/** What the log of the operator tells about permissions, the latest first. */
const approvalsOf = async ({ id, operator }: Visitor) => {
  const { body } = await operator('GET', `events?owner=${id}`)
  const events: readonly { type: string; request_id: string | null; details: object }[] = body.items
  return events.filter(({ type }) => type === 'authorization.approved')
}

test('RS14: a step-up is logged with its request, and a lesser token works', async () => {
  const visitor = await newVisitor(mcp.service)
  const { browser } = visitor
  const { client_id } = await obtain('notes:read', { browser })
  await mcp.service.advance(1)
  const permission = ['notes:read']
  const { body } = await obtain('notes:read notes:write', { browser, client_id, permission })
  assert.equal(body.scope, 'notes:read')
  assert.equal((await send(body.access_token)).status, 200)
  const events = await approvalsOf(visitor)
  assert.deepEqual(
    events.map(({ details }) => details),
    [
      { permissions: 'notes:read', refused: 'notes:write', duration: 'month' },
      { permissions: 'notes:read', duration: 'month' },
    ],
  )
  assert.equal(new Set(events.map(({ request_id }) => request_id)).size, 2)
  assert.ok(events.every(({ request_id }) => typeof request_id === 'string'))
})
