/** Introspection follows what owners and operators do, at once. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashText } from '../../src/crypto/digest.ts'
import { housekeepingLimits } from '../../src/housekeeping.ts'
import type { AuthorizationId, EventId, SessionId } from '../../src/model/ids.ts'
import { StoreFault } from '../../src/store/fault.ts'
import { enter } from '../support/authorization.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { obtainTokens } from '../support/printing.ts'
import { type Answer, start, startBefore } from '../support/start.ts'
import { type Operator, operatorOf } from './operator.ts'

let operator: Operator

const started = startBefore(start, async () => {
  operator = await operatorOf(started)
})

type Pair = readonly [string, string]

const introspect = (token: string, client: Pair): Promise<Answer> =>
  started.post('/introspect', { token }, client)

const isInactive = async (token: string, client: Pair): Promise<void> => {
  const { status, text } = await introspect(token, client)
  assert.deepEqual([status, text], [200, '{"active":false}'])
}

const isActive = async (token: string, client: Pair): Promise<void> =>
  assert.equal((await introspect(token, client)).body.active, true)

const register = async (metadata: object): Promise<Pair> => {
  const { status, body, text } = await operator('POST', 'clients', metadata)
  assert.equal(status, 201, text)
  return [body.client_id, body.client_secret]
}

const refreshed = (refresh_token: string, scope: string, client: Pair): Promise<Answer> =>
  started.post('/token', { grant_type: 'refresh_token', refresh_token, scope }, client)

let names = 0
/** A person of their own for each test, and what they allowed a trusted client. */
const newGrant = async () => {
  const username = `person-${++names}`
  const password = 'correct horse battery'
  const person = await operator('POST', 'owners', { username, password })
  const client = await register({
    client_name: 'House',
    grant_types: ['password', 'refresh_token'],
    trusted: true,
  })
  const form = { grant_type: 'password', username, password, scope: 'photos contacts:read' }
  const tokens = (await started.post('/token', form, client)).body
  const authorizations = await operator('GET', `authorizations?owner=${person.body.id}`)
  return {
    client,
    tokens,
    username,
    password,
    owner: `owners/${person.body.id}`,
    authorization: `authorizations/${authorizations.body.items[0].id}`,
  }
}

describe('IN-03, IN-04: who is told about whose tokens', () => {
  test('a client that the operator made a resource server is told of all access tokens', async () => {
    const shop = await register({
      client_name: 'Print shop',
      grant_types: ['client_credentials'],
      may_introspect: true,
    })
    const tokens = await obtainTokens(started)
    const told = (await introspect(tokens.access_token, shop)).body
    assert.deepEqual(told, (await introspect(tokens.access_token, photoPrinter)).body)
    assert.equal(told.client_id, 'photo-printer')
  })

  test('its questions are uses of the token; those of the token’s own client are none', async () => {
    const shop = await register({
      client_name: 'Print shop',
      grant_types: ['client_credentials'],
      may_introspect: true,
    })
    const { tokens, client, authorization, owner } = await newGrant()
    const lastUse = async (): Promise<number | null> => {
      const id = owner.slice('owners/'.length)
      const { body } = await operator('GET', `authorizations?owner=${id}`)
      return body.items[0].last_used_at
    }
    await isActive(tokens.access_token, client)
    await started.advance(housekeepingLimits.usesFlushSeconds)
    assert.equal(await lastUse(), null)
    const at = started.now()
    await isActive(tokens.access_token, shop)
    await started.advance(housekeepingLimits.usesFlushSeconds)
    assert.equal(await lastUse(), at)
    await operator('DELETE', authorization)
    await isInactive(tokens.access_token, shop)
  })

  test('the questions of a resource server about its own tokens are uses as well', async (t) => {
    const shop = await register({ grant_types: ['client_credentials'] })
    const own = { introspection_clients: [shop[0]] }
    assert.equal((await operator('PATCH', 'resources/contacts', own)).status, 200)
    t.after(() => operator('PATCH', 'resources/contacts', { introspection_clients: [] }))
    const { tokens, client, owner } = await newGrant()
    const photos = (await refreshed(tokens.refresh_token, 'photos', client)).body
    const lastUse = async (): Promise<number | null> => {
      await started.advance(housekeepingLimits.usesFlushSeconds)
      const { body } = await operator('GET', `authorizations?owner=${owner.slice(7)}`)
      return body.items[0].last_used_at
    }
    await isInactive(photos.access_token, shop)
    assert.equal(await lastUse(), null)
    const contacts = (await refreshed(photos.refresh_token, 'contacts', client)).body
    const at = started.now()
    await isActive(contacts.access_token, shop)
    assert.equal(await lastUse(), at)
  })

  test('and of no refresh token: it has no use for one', async () => {
    const shop = await register({
      client_name: 'Print shop',
      grant_types: ['client_credentials'],
      may_introspect: true,
    })
    const tokens = await obtainTokens(started)
    await isInactive(tokens.refresh_token, shop)
    await isActive(tokens.refresh_token, photoPrinter)
  })

  test('everybody else of their own alone', async () => {
    const tokens = await obtainTokens(started)
    await isInactive(tokens.access_token, nightlyReport)
    await isActive(tokens.access_token, photoPrinter)
  })
})

describe('IN-05: inactive on the very next request', () => {
  const both = async (
    { tokens, client }: Awaited<ReturnType<typeof newGrant>>,
    check: typeof isActive,
  ): Promise<void> => {
    await check(tokens.access_token, client)
    await check(tokens.refresh_token, client)
  }

  test('once the owner is disabled, and active again once enabled', async () => {
    const grant = await newGrant()
    await both(grant, isActive)
    await operator('PATCH', grant.owner, { disabled: true })
    await both(grant, isInactive)
    await operator('PATCH', grant.owner, { disabled: false })
    await both(grant, isActive)
  })

  test('once the owner is deleted', async () => {
    const grant = await newGrant()
    assert.equal((await operator('DELETE', grant.owner)).status, 204)
    await both(grant, isInactive)
  })

  test('once the authorization is ended', async () => {
    const grant = await newGrant()
    assert.equal((await operator('DELETE', grant.authorization)).status, 204)
    await both(grant, isInactive)
  })

  test('once the client is disabled or deleted', async () => {
    const shop = await register({
      client_name: 'Print shop',
      grant_types: ['client_credentials'],
      may_introspect: true,
    })
    const own = await register({ client_name: 'Clock', grant_types: ['client_credentials'] })
    const grant = await newGrant()
    const form = { grant_type: 'client_credentials' }
    const { access_token: ownToken } = (await started.post('/token', form, own)).body
    for (const [id, token, afterwards] of [
      [grant.client[0], grant.tokens.access_token, isActive],
      // Its own tokens stay ended: the secret that they were got with may be a thief's.
      [own[0], ownToken, isInactive],
    ] as const) {
      await isActive(token, shop)
      await operator('PATCH', `clients/${id}`, { disabled: true })
      await isInactive(token, shop)
      await operator('PATCH', `clients/${id}`, { disabled: false })
      await afterwards(token, shop)
      await operator('DELETE', `clients/${id}`)
      await isInactive(token, shop)
    }
  })

  test('and tells the narrower scope once it was narrowed', async () => {
    const grant = await newGrant()
    const before = (await introspect(grant.tokens.access_token, grant.client)).body
    assert.equal(before.scope, 'contacts:read photos:read photos:write')
    await operator('PATCH', grant.authorization, { permissions: ['photos:read'] })
    const access = (await introspect(grant.tokens.access_token, grant.client)).body
    assert.deepEqual(access, {
      ...before,
      scope: 'photos:read',
      aud: [`${started.issuer}/api/photos`],
    })
    const refresh = (await introspect(grant.tokens.refresh_token, grant.client)).body
    assert.equal(refresh.scope, 'photos:read')
  })
})

test('exp is never beyond the end of the authorization', async () => {
  const grant = await newGrant()
  const before = (await introspect(grant.tokens.access_token, grant.client)).body
  assert.equal(before.exp, started.now() + 3600)
  const soon = started.now() + 600
  const browser = await enter(started, grant.username, grant.password)
  const cookie = browser.cookies.get('latchkey_session') ?? ''
  const session = `${cookie.slice(0, 4)}${hashText(cookie)}` as SessionId
  const { store } = started.server()
  const id = grant.authorization.split('/')[1] as AuthorizationId
  const found = await store.findAuthorization(id, started.now())
  assert.ok(found)
  const { ownerId } = found
  const actor = { type: 'owner', ownerId, network: '' } as const
  const trace = { eventId: 'new-end' as EventId, at: started.now(), requestId: null, actor }
  await store.changeAuthorizationEnd({ id, ownerId, session, expiresAt: soon }, trace)
  const after = (await introspect(grant.tokens.access_token, grant.client)).body
  assert.deepEqual(after, { ...before, exp: soon })
})

test('a rotated refresh token is inactive, its successor active', async () => {
  const grant = await newGrant()
  const form = { grant_type: 'refresh_token', refresh_token: grant.tokens.refresh_token }
  const second = (await started.post('/token', form, grant.client)).body
  await isInactive(grant.tokens.refresh_token, grant.client)
  await isActive(second.refresh_token, grant.client)
  // The earlier access token lives on to its end: nobody took it back.
  await isActive(grant.tokens.access_token, grant.client)
})

test('IN-06: a token without an end is told without exp', async () => {
  const clock = await register({
    client_name: 'Clock',
    grant_types: ['client_credentials'],
    access_token_seconds: null,
    scope: 'calendar:read',
  })
  const issued = (await started.post('/token', { grant_type: 'client_credentials' }, clock)).body
  assert.equal('expires_in' in issued, false)
  const { body } = await introspect(issued.access_token, clock)
  assert.deepEqual(body, {
    active: true,
    scope: 'calendar:read',
    client_id: clock[0],
    token_type: 'Bearer',
    iat: started.now(),
    sub: clock[0],
    aud: [`${started.issuer}/api/calendar`],
    iss: started.issuer,
    jti: body.jti,
  })
})

test('a store that cannot be read calls no token inactive', async (t) => {
  const tokens = await obtainTokens(started)
  t.mock.method(started.server().store, 'findStanding', async () => {
    throw new StoreFault('failed', 'the disk is gone')
  })
  const answer = await introspect(tokens.access_token, photoPrinter)
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'])
  assert.equal(answer.body.error, 'temporarily_unavailable')
})
