/** What a program adds through the package: a client authentication method, a response type, a prompt value. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  createServer,
  type EmbeddedServer,
  type EmbedOptions,
  loadSettings,
} from '../../src/index.ts'
import { answerOf, type Reachable } from '../support/browser.ts'
import { memoryOr } from '../support/memory.ts'
import { callback, walk } from '../support/printing.ts'
import { toldAnswer } from '../support/reference.ts'
import { type Answer, basic, type Init, requestOf } from '../support/start.ts'

const badges = new Map<string, string>()

const added: Omit<EmbedOptions, 'settings'> = {
  tell: () => {},
  clock: () => Date.UTC(2026, 10, 21, 12),
  clientMethods: [
    {
      name: 'badge',
      place: 'the header X-Badge',
      read(headers) {
        const [id, badge] = headers.get('x-badge')?.split(' ') ?? []
        if (id === undefined) return null
        if (badge === undefined) return 'malformed'
        return { id, isRight: async () => badges.get(id) === badge }
      },
    },
  ],
  responseTypes: [
    {
      type: 'hour',
      grantTypes: ['hourly'],
      answer: async ({ at, clientId, ownerId, permissions }) => ({
        hour: new Date(at * 1000).toISOString().slice(11, 13),
        told: `${clientId} ${/^\w{26}$/.test(ownerId)} ${permissions}`,
      }),
    },
  ],
  prompts: [{ value: 'reconfirm', does: 'consent', alone: true }],
}

let folder: string
let server: EmbeddedServer
let service: Reachable

before(async () => {
  folder = await mkdtemp(join(memoryOr(), 'latchkey-'))
  const env = { LATCHKEY_STORE: `sqlite:${join(folder, 'latchkey.db')}` }
  const settings = loadSettings({ env, flags: {}, cwd: folder })
  server = await createServer({ settings, ...added })
  const ask = async (path: string, init: Init = {}): Promise<Answer> => {
    const url = path.startsWith('http') ? path : settings.issuer + path
    const response = await server.fetch(requestOf(url, init), '127.0.0.1')
    return toldAnswer(response, await response.text())
  }
  service = {
    issuer: settings.issuer,
    ask,
    post: (path, form, client) =>
      ask(path, { form, headers: client === undefined ? {} : { authorization: basic(client) } }),
  }
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const register = async (json: object) => {
  const { status, body, text } = await service.ask('/register', { json })
  assert.equal(status, 201, text)
  return body
}

test('metadata name all of it', async () => {
  const { body } = await service.ask('/.well-known/oauth-authorization-server')
  assert.ok(body.token_endpoint_auth_methods_supported.includes('badge'))
  assert.ok(body.response_types_supported.includes('hour'))
  assert.ok(body.grant_types_supported.includes('hourly'))
  assert.ok(body.prompt_values_supported.includes('reconfirm'))
})

test('the method authenticates a client that registered it, by its own check alone', async () => {
  const { client_id, client_secret } = await register({
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'badge',
  })
  assert.equal(client_secret, undefined)
  badges.set(client_id, '04')
  badges.set('nightly-report', '05')
  const form = { grant_type: 'client_credentials', scope: 'photos:read' }
  const statusFor = async (badge: string) =>
    (await service.ask('/token', { form, headers: { 'x-badge': badge } })).status
  assert.equal(await statusFor(`${client_id} 04`), 200)
  assert.equal(await statusFor(`${client_id} 05`), 401)
  assert.equal(await statusFor(client_id), 401)
  // It registered another method, so not even its right badge counts.
  assert.equal(await statusFor('nightly-report 05'), 401)
  assert.equal((await service.post('/token', form, [client_id, '04'])).status, 401)
})

test('the response type answers in the fragment, with state and iss', async () => {
  const { client_id } = await register({
    redirect_uris: [callback],
    token_endpoint_auth_method: 'none',
    response_types: ['hour'],
    scope: 'photos:read',
  })
  const asked = { client_id, redirect_uri: callback, scope: 'photos:read', state: 'xyz' }
  const page = await walk(service, { ...asked, response_type: 'hour' })
  assert.deepEqual(answerOf(page), {
    hour: '12',
    told: `${client_id} true photos:read`,
    state: 'xyz',
    iss: service.issuer,
  })
  assert.equal(new URL(page.headers.get('location') ?? '').search, '')
})

test('two entries of one name keep the service from starting', async () => {
  const { settings } = server
  const [method] = added.clientMethods ?? []
  assert.ok(method)
  await assert.rejects(createServer({ settings, clientMethods: [method, method] }), {
    name: 'RegistryFault',
    message: 'there are two entries for the client authentication method "badge"',
  })
})
