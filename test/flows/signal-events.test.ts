/** The set of each change, and its subject (CAEP 1.0, RISC 1.0, RFC 9493). */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { type AuthorizationId, createId, type EventId, type OwnerId } from '../../src/model/ids.ts'
import type { Trace } from '../../src/store/contract/trace.ts'
import { sampleSession } from '../store/sample.ts'
import { answerOf } from '../support/browser.ts'
import { helper, houseApp, photoPrinter } from '../support/demo-clients.ts'
import { books, obtainDetails, startWithDetails } from '../support/details.ts'
import { orders } from '../support/elsewhere.ts'
import { exchanged, letAct } from '../support/exchange.ts'
import { callback, codeRequest, walk } from '../support/printing.ts'
import { openStream, pollStream, setsOf } from '../support/signals.ts'
import type { Started } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'
import { type Operator, operatorOf } from './operator.ts'

let service: Started
let operator: Operator
let stream: string
before(async () => {
  service = await startWithDetails()
  operator = await operatorOf(service)
  stream = await openStream(service)
})
after(() => service.close())

let events = 0

const trace = (): Trace => {
  const eventId = createId(service.now() * 1000, Buffer.alloc(10, ++events)) as EventId
  return { eventId, at: service.now(), requestId: null, actor: { type: 'service' } }
}

const told = async () => setsOf(service, await pollStream(service, stream))

/** Takes all that waits. */
const drain = async (): Promise<void> => {
  const ack = (await told()).map(({ jti }) => jti)
  if (ack.length > 0) await pollStream(service, stream, { ack, maxEvents: 0 })
}

let people = 0

/** An application of an owner, each of its own, with a token for the orders. */
const begin = async (client: object = {}) => {
  const name = `person-${++people}`
  const password = 'a long password of theirs'
  const owner = await operator('POST', 'owners', { username: name, password })
  const made = await operator('POST', 'clients', {
    client_id: `app-${people}`,
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'password', 'refresh_token'],
    scope: 'orders',
    trusted: true,
    ...client,
  })
  assert.deepEqual([owner.status, made.status], [201, 201], owner.text + made.text)
  const credentials = [`app-${people}`, made.body.client_secret] as const
  const form = { grant_type: 'password', username: name, password, scope: 'orders' }
  const { body, text } = await service.post('/token', form, credentials)
  assert.ok(body.access_token, text)
  const { sub, lk_authorization: id } = decodeJwt(body.access_token)
  await drain()
  const ownerId = String(sub) as OwnerId
  return { clientId: credentials[0], ownerId, id: String(id) as AuthorizationId }
}

const briefly = (sets: Awaited<ReturnType<typeof told>>) =>
  sets.map(({ event, subject }) => [event, subject])

const about = (id: string) => ({
  format: 'complex',
  application: { format: 'opaque', id },
})

describe('a change of a client', () => {
  for (const [name, change] of [
    ['disabling it', { disabled: true }],
    ['a shorter life of its tokens', { access_token_seconds: 60 }],
    ['another way to authenticate', { token_endpoint_auth_method: 'client_secret_post' }],
    ['a narrower scope', { scope: 'orders:read' }],
  ] as const) {
    test(`${name}: session-revoked, about the application`, async () => {
      const { clientId } = await begin()
      const { status, text } = await operator('PATCH', `clients/${clientId}`, change)
      assert.equal(status, 200, text)
      assert.deepEqual(briefly(await told()), [['session-revoked', about(clientId)]])
    })
  }

  test('that ends no token is not told', async () => {
    const { clientId } = await begin()
    await operator('PATCH', `clients/${clientId}`, { client_name: 'Other', trusted: false })
    assert.deepEqual(await told(), [])
    await operator('PATCH', `clients/${clientId}`, { disabled: true })
    await drain()
    await operator('PATCH', `clients/${clientId}`, { disabled: false })
    assert.deepEqual(await told(), [])
  })

  test('a new secret: session-revoked, unless the old one goes on', async () => {
    const { clientId } = await begin()
    await operator('POST', `clients/${clientId}/rotate-secret`, { keep_old_seconds: 3600 })
    assert.deepEqual(await told(), [])
    await operator('POST', `clients/${clientId}/rotate-secret`)
    assert.deepEqual(briefly(await told()), [['session-revoked', about(clientId)]])
  })
})

describe('a change of an owner', () => {
  const user = (sub: string) => ({ format: 'iss_sub', iss: service.issuer, sub })

  test('disabled: account-disabled; enabled: account-enabled; a name: nothing', async () => {
    const { ownerId } = await begin()
    const change = (json: object) => operator('PATCH', `owners/${ownerId}`, json)
    await change({ disabled: true })
    assert.deepEqual(briefly(await told()), [['account-disabled', user(ownerId)]])
    await drain()
    await change({ disabled: false })
    assert.deepEqual(briefly(await told()), [['account-enabled', user(ownerId)]])
    await drain()
    await change({ email: `${ownerId}@example.com` })
    assert.deepEqual(await told(), [])
  })

  test('a new password: two sets of one transaction, since its tokens end', async () => {
    const { ownerId } = await begin()
    await operator('POST', `owners/${ownerId}/set-password`, { password: 'another long one' })
    const sets = await told()
    assert.deepEqual(briefly(sets), [
      ['session-revoked', user(ownerId)],
      ['credential-change', user(ownerId)],
    ])
    const [one, two] = sets
    assert.notEqual(one?.jti, two?.jti)
    assert.equal(one?.txn, two?.txn)
    assert.equal(two?.said.change_type, 'update')
    // Each is taken by itself.
    await pollStream(service, stream, { ack: [one?.jti], maxEvents: 0 })
    assert.deepEqual(await told(), [two])
  })
})

describe('another end of an authorization', () => {
  test('sooner: session-revoked; later: nothing', async () => {
    const { id, ownerId, clientId } = await begin()
    const { store } = service.server()
    const owner = await store.findOwner(ownerId)
    assert.ok(owner)
    const at = service.now()
    const session = sampleSession(ownerId, { startedAt: at, expiresAt: at + 1000 })
    await store.startSession(session, { passwordHash: owner.passwordHash }, null, trace())
    const end = (expiresAt: number | null) =>
      store.changeAuthorizationEnd({ id, ownerId, session: session.id, expiresAt }, trace())
    await end(at + 500)
    const subject = {
      ...{ format: 'complex', user: { format: 'iss_sub', iss: service.issuer, sub: ownerId } },
      ...{ application: { format: 'opaque', id: clientId }, session: { format: 'opaque', id } },
    }
    const [set] = await told()
    assert.deepEqual([set?.event, set?.subject], ['session-revoked', subject])
    assert.equal('claims' in (set?.said ?? {}), false)
    await drain()
    await end(at + 5000)
    assert.deepEqual(await told(), [])
    await end(null)
    assert.deepEqual(await told(), [])
  })
})

describe('who hears of whom', () => {
  beforeEach(drain)

  test('two streams of one API never have a set with the same jti', async () => {
    const other = await openStream(service)
    const { id } = await begin()
    await operator('DELETE', `authorizations/${id}`)
    const [one] = await told()
    const [two] = await setsOf(service, await pollStream(service, other))
    assert.deepEqual([one?.event, two?.event], ['session-revoked', 'session-revoked'])
    assert.notEqual(one?.jti, two?.jti)
    assert.equal(one?.txn, two?.txn)
  })

  test('several streams of one API are one number, that of the slowest', async () => {
    const { id } = await begin()
    await operator('DELETE', `authorizations/${id}`)
    service.pass(3)
    const families = await service.server().askMetrics()
    const family = families.find(({ name }) => name === 'latchkey_revocation_seconds')
    assert.ok(family !== undefined && family.type === 'gauge')
    assert.deepEqual(
      family.samples.map(({ labels }) => labels),
      [{ resource: 'orders' }],
    )
  })

  test('an API hears of details at another API no more than an id', async () => {
    const change = { introspection_clients: [houseApp[0]] }
    assert.equal((await operator('PATCH', 'resources/photos', change)).status, 200)
    const theirs = await openStream(service, {}, houseApp)
    const token = await obtainDetails(service, [books])
    const id = String(decodeJwt(token.access_token).lk_authorization)
    await operator('DELETE', `authorizations/${id}`)
    const [set] = await setsOf(
      service,
      await pollStream(service, theirs, {}, houseApp),
      houseApp[0],
    )
    const session = { format: 'complex', session: { format: 'opaque', id } }
    assert.deepEqual([set?.event, set?.subject], ['session-revoked', session])
    const [ours] = await told()
    const { application } = (ours?.subject ?? {}) as { readonly application?: unknown }
    assert.deepEqual(application, { format: 'opaque', id: photoPrinter[0] })
  })

  test('of a delegation, no API hears of the owner', async () => {
    await letAct(operator, photoPrinter[0], [helper[0]])
    const request = { ...codeRequest, scope: 'orders:read', prompt: 'consent' }
    const { code = '' } = answerOf(await walk(service, request))
    const { body } = await redeem(service, code, photoPrinter, { resource: orders })
    const token = await exchanged(service, body.access_token)
    const { lk_authorization: id } = decodeJwt(token)
    await drain()
    await operator('DELETE', `authorizations/${id}`)
    const [set] = await told()
    const subject = {
      format: 'complex',
      application: { format: 'opaque', id: helper[0] },
      session: { format: 'opaque', id },
    }
    assert.deepEqual([set?.event, set?.subject], ['session-revoked', subject])
  })
})
