/** The refresh token grant: its parameters, its answers, and its ends. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StoreFault } from '../../src/store/fault.ts'
import { houseApp, photoPrinter } from '../support/demo-clients.ts'
import { galleryRequest, redeemPublicly } from '../support/gallery.ts'
import { callback, codeRequest, obtainCode, obtainTokens } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import {
  assertGranted,
  assertRefused,
  introspect,
  redeem,
  refresh,
  use,
} from '../support/tokens.ts'
import { deadRefreshToken, everything, failedClient, unknownTarget } from '../support/told.ts'
import { type Operator, operatorOf } from './operator.ts'

let operator: Operator
const service = startBefore(start, async () => {
  operator = await operatorOf(service)
})

const day = 24 * 3600
const publicly = { client_id: 'gallery' }

const obtainPublicTokens = async () =>
  (await redeemPublicly(service, await obtainCode(service, galleryRequest))).body

/** A client and an owner of one test's own, and their tokens by password. */
const prepare = async (metadata: object = {}) => {
  const { body: client } = await operator('POST', 'clients', {
    grant_types: ['password', 'refresh_token'],
    trusted: true,
    ...metadata,
  })
  const username = `owner of ${client.client_id}`
  const { body: owner } = await operator('POST', 'owners', { username, password: 'a long one' })
  const credentials = [client.client_id, client.client_secret] as const
  const form = { grant_type: 'password', username, password: 'a long one' }
  const { body: tokens } = await service.post('/token', form, credentials)
  return { client, owner, credentials, tokens }
}

describe('the parameters', () => {
  test('the answer has the form of the first one, with other tokens', async () => {
    const first = await obtainTokens(service)
    const answer = await refresh(service, first.refresh_token)
    assertGranted(answer, { scope: everything, expires_in: 3600, refreshable: true })
    assert.notEqual(answer.body.access_token, first.access_token)
    assert.notEqual(answer.body.refresh_token, first.refresh_token)
    assert.deepEqual(
      [await use(service, first.access_token), await use(service, answer.body.access_token)],
      [200, 200],
    )
  })

  for (const name of ['grant_type', 'refresh_token']) {
    test(`${name} is required`, async () => {
      const { refresh_token } = await obtainTokens(service)
      for (const value of [undefined, '']) {
        const answer = await refresh(service, refresh_token, photoPrinter, { [name]: value })
        assertRefused(answer, 'invalid_request', `parameter ${name} is missing`)
      }
      assert.equal((await refresh(service, refresh_token)).status, 200)
    })
  }

  test('resource narrows the access token, and refuses before anything is used up', async () => {
    const { refresh_token } = await obtainTokens(service)
    const wrong = await refresh(service, refresh_token, photoPrinter, { resource: 'urn:x' })
    assertRefused(wrong, 'invalid_target', unknownTarget(service.issuer))
    const answer = await refresh(service, refresh_token, photoPrinter, {
      resource: `${service.issuer}/api/contacts`,
    })
    assert.equal(answer.body.scope, 'contacts:read contacts:write')
    const next = await refresh(service, answer.body.refresh_token)
    assert.equal(next.body.scope, everything)
  })
})

describe('whose it is', () => {
  test('RF-01: of no other client, confidential or public, and it survives their tries', async () => {
    const own = await obtainTokens(service)
    const foreign = await obtainPublicTokens()
    const answers = [
      await refresh(service, own.refresh_token, houseApp),
      await refresh(service, own.refresh_token, null, publicly),
      await refresh(service, foreign.refresh_token, photoPrinter),
    ]
    for (const answer of answers) assertRefused(answer, 'invalid_grant', deadRefreshToken)
    assert.equal((await refresh(service, own.refresh_token)).status, 200)
    assert.equal((await refresh(service, foreign.refresh_token, null, publicly)).status, 200)
  })

  test('RF-02: a confidential client authenticates', async () => {
    const { refresh_token } = await obtainTokens(service)
    const answers = [
      await refresh(service, refresh_token, null, { client_id: 'photo-printer' }),
      await refresh(service, refresh_token, ['photo-printer', 'wrong']),
      await refresh(service, refresh_token, ['photo-printer', '']),
    ]
    for (const answer of answers) assertRefused(answer, 'invalid_client', failedClient)
    assert.equal((await refresh(service, refresh_token)).status, 200)
  })

  test('RF-05: a public client gets a new one each time', async () => {
    const first = await obtainPublicTokens()
    const seen = new Set([first.refresh_token])
    let token = first.refresh_token
    for (let times = 0; times < 3; times++) {
      const answer = await refresh(service, token, null, publicly)
      assertGranted(answer, { scope: everything, expires_in: 3600, refreshable: true })
      token = answer.body.refresh_token
      seen.add(token)
    }
    assert.equal(seen.size, 4)
  })
})

describe('scope', () => {
  const beyond = 'scope asks for more than the refresh token was granted'
  const asked = { ...codeRequest, scope: 'photos contacts:read' }

  test('RF-03: never more than was granted, and asking uses nothing up', async () => {
    const { refresh_token } = await obtainTokens(service, asked)
    const scopes = {
      'photos calendar:read': 'calendar:read',
      'contacts:write': 'contacts:write',
      'contacts:read attic owners:read': 'attic, owners:read',
    }
    for (const [scope, names] of Object.entries(scopes)) {
      const answer = await refresh(service, refresh_token, photoPrinter, { scope })
      assertRefused(answer, 'invalid_scope', `${beyond}: ${names}`)
    }
    const malformed = await refresh(service, refresh_token, photoPrinter, { scope: '"' })
    assert.equal(malformed.body.error, 'invalid_scope')
    const seen = await introspect(service, refresh_token)
    assert.equal(seen.active, true)
    assert.equal((await refresh(service, refresh_token)).status, 200)
  })

  test('RF-04: less is for this access token only', async () => {
    const { refresh_token } = await obtainTokens(service, asked)
    const less = await refresh(service, refresh_token, photoPrinter, { scope: 'photos:read' })
    assertGranted(less, { scope: 'photos:read', expires_in: 3600, refreshable: true })
    const whole = await refresh(service, less.body.refresh_token)
    const scope = 'contacts:read photos:read photos:write'
    assertGranted(whole, { scope, expires_in: 3600, refreshable: true })
  })

  test('RF-04: what was granted at first can be asked for again and again', async () => {
    let { refresh_token: token } = await obtainTokens(service, asked)
    const scopes = ['photos:read', 'photos contacts:read', 'contacts:read', 'photos contacts:read']
    for (const scope of scopes) {
      const answer = await refresh(service, token, photoPrinter, { scope })
      const named = scope.replace('photos contacts:read', 'contacts:read photos:read photos:write')
      assertGranted(answer, { scope: named, expires_in: 3600, refreshable: true })
      token = answer.body.refresh_token
    }
  })

  test('RF-16: what the client may ask for no more is in no later token', async () => {
    const { client, credentials, tokens } = await prepare({ scope: 'photos contacts' })
    await operator('PATCH', `clients/${client.client_id}`, { scope: 'photos:read contacts:read' })
    const answer = await refresh(service, tokens.refresh_token, credentials)
    const left = 'contacts:read photos:read'
    assertGranted(answer, { scope: left, expires_in: 3600, refreshable: true })
    assert.equal((await introspect(service, tokens.access_token, credentials)).scope, left)
    await operator('PATCH', `clients/${client.client_id}`, { scope: 'calendar:read' })
    const nothing = await refresh(service, answer.body.refresh_token, credentials)
    assertRefused(nothing, 'invalid_grant', deadRefreshToken)
  })

  test('what the owner took back is in no later token', async () => {
    const { client, credentials, tokens } = await prepare()
    const { body } = await operator('GET', `authorizations?client=${client.client_id}`)
    const path = `authorizations/${body.items[0].id}`
    await operator('PATCH', path, { permissions: ['photos:read'] })
    const answer = await refresh(service, tokens.refresh_token, credentials)
    assertGranted(answer, { scope: 'photos:read', expires_in: 3600, refreshable: true })
    assert.equal((await introspect(service, tokens.access_token, credentials)).scope, 'photos:read')
  })
})

describe('what the owner took back', () => {
  /** What one device was granted, the way to narrow it, and the way to allow all of it on another. */
  const narrowed = async () => {
    const { client, credentials, tokens } = await prepare({ scope: 'photos' })
    const { body } = await operator('GET', `authorizations?client=${client.client_id}`)
    const narrow = () =>
      operator('PATCH', `authorizations/${body.items[0].id}`, { permissions: ['photos:read'] })
    const username = `owner of ${client.client_id}`
    const form = { grant_type: 'password', username, password: 'a long one' }
    const allowAgain = () => service.post('/token', form, credentials)
    return { credentials, tokens, narrow, allowAgain }
  }
  const whole = 'photos:read photos:write'

  test('does not come back to a device that refreshed meanwhile, when it is allowed on another', async () => {
    const { credentials, tokens, narrow, allowAgain } = await narrowed()
    await narrow()
    const less = await refresh(service, tokens.refresh_token, credentials)
    await allowAgain()
    assert.equal(
      (await introspect(service, less.body.access_token, credentials)).scope,
      'photos:read',
    )
    const later = await refresh(service, less.body.refresh_token, credentials)
    assertGranted(later, { scope: 'photos:read', expires_in: 3600, refreshable: true })
    const scope = { scope: 'photos:write' }
    const more = await refresh(service, later.body.refresh_token, credentials, scope)
    assert.equal(more.body.error, 'invalid_scope')
  })

  test('is no fault to ask for: a client that names its whole scope each time gets what is left', async () => {
    const { credentials, tokens, narrow } = await narrowed()
    await narrow()
    let { refresh_token: token } = tokens
    for (let times = 0; times < 3; times++) {
      const answer = await refresh(service, token, credentials, { scope: 'photos' })
      assertGranted(answer, { scope: 'photos:read', expires_in: 3600, refreshable: true })
      token = answer.body.refresh_token
    }
    const beyond = await refresh(service, token, credentials, { scope: 'photos contacts:read' })
    assert.equal(beyond.body.error, 'invalid_scope')
  })

  test('and allowed again before that is as if nothing had been taken', async () => {
    const { credentials, tokens, narrow, allowAgain } = await narrowed()
    await narrow()
    assert.equal((await introspect(service, tokens.access_token, credentials)).scope, 'photos:read')
    await allowAgain()
    assert.equal((await introspect(service, tokens.access_token, credentials)).scope, whole)
    const answer = await refresh(service, tokens.refresh_token, credentials)
    assertGranted(answer, { scope: whole, expires_in: 3600, refreshable: true })
  })
})

describe('RF-10: how long it lasts', () => {
  test('idle: to the last second of its lifetime, and no longer', async () => {
    const { credentials, tokens } = await prepare({ refresh_token_seconds: 7200 })
    await service.advance(7199)
    const answer = await refresh(service, tokens.refresh_token, credentials)
    assert.equal(answer.status, 200)
    await service.advance(7200)
    const late = await refresh(service, answer.body.refresh_token, credentials)
    assertRefused(late, 'invalid_grant', deadRefreshToken)
    operator = await operatorOf(service)
  })

  test('idle: by itself, also where access tokens outlive it', async () => {
    const lifetimes = { refresh_token_seconds: 60, access_token_seconds: 7200 }
    const { credentials, tokens } = await prepare(lifetimes)
    await service.advance(59)
    const answer = await refresh(service, tokens.refresh_token, credentials)
    assert.equal(answer.status, 200)
    await service.advance(60)
    const late = await refresh(service, answer.body.refresh_token, credentials)
    assertRefused(late, 'invalid_grant', deadRefreshToken)
    const seen = await introspect(service, answer.body.refresh_token, credentials)
    assert.deepEqual(seen, { active: false })
    assert.equal(await use(service, answer.body.access_token), 200)
  })

  test('each use begins a new lifetime', async () => {
    const { credentials, tokens } = await prepare({ refresh_token_seconds: 7200 })
    let token = tokens.refresh_token
    for (let times = 0; times < 5; times++) {
      await service.advance(7000)
      const answer = await refresh(service, token, credentials)
      assertGranted(answer, { scope: everything, expires_in: 3600, refreshable: true })
      token = answer.body.refresh_token
    }
    operator = await operatorOf(service)
  })
})

describe('RF-11: owner, client and approval are looked at anew each time', () => {
  const authorizationOf = async (clientId: string) => {
    const { body } = await operator('GET', `authorizations?client=${clientId}`)
    return `authorizations/${body.items[0].id}`
  }
  const ends: Readonly<
    Record<string, (prepared: Awaited<ReturnType<typeof prepare>>) => Promise<unknown>>
  > = {
    'the owner is disabled': ({ owner }) =>
      operator('PATCH', `owners/${owner.id}`, { disabled: true }),
    'the owner is deleted': ({ owner }) => operator('DELETE', `owners/${owner.id}`),
    'the approval is ended': async ({ client }) =>
      operator('DELETE', await authorizationOf(client.client_id)),
  }
  for (const [name, end] of Object.entries(ends)) {
    test(name, async () => {
      const prepared = await prepare()
      const { tokens, credentials } = prepared
      assert.equal(await use(service, tokens.access_token), 200)
      await end(prepared)
      const answer = await refresh(service, tokens.refresh_token, credentials)
      assertRefused(answer, 'invalid_grant', deadRefreshToken)
      assert.equal(await use(service, tokens.access_token), 401)
      for (const token of [tokens.access_token, tokens.refresh_token]) {
        assert.deepEqual(await introspect(service, token, credentials), { active: false })
      }
    })
  }

  test('the client is disabled or deleted', async () => {
    const { client, tokens, credentials } = await prepare()
    await operator('PATCH', `clients/${client.client_id}`, { disabled: true })
    const disabled = await refresh(service, tokens.refresh_token, credentials)
    assertRefused(disabled, 'invalid_client', failedClient)
    assert.equal(await use(service, tokens.access_token), 401)
    await operator('DELETE', `clients/${client.client_id}`)
    const deleted = await refresh(service, tokens.refresh_token, credentials)
    assertRefused(deleted, 'invalid_client', failedClient)
  })

  test('the client may not refresh any more', async () => {
    const { client, tokens, credentials } = await prepare()
    await operator('PATCH', `clients/${client.client_id}`, { grant_types: ['password'] })
    const answer = await refresh(service, tokens.refresh_token, credentials)
    assertRefused(answer, 'unauthorized_client', 'the client may not use this grant_type')
  })

  test('RF-12: a new password ends every token of before, for good', async () => {
    const { owner, tokens, credentials } = await prepare()
    await operator('POST', `owners/${owner.id}/set-password`, { password: 'another one' })
    const answer = await refresh(service, tokens.refresh_token, credentials)
    assertRefused(answer, 'invalid_grant', deadRefreshToken)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      assert.deepEqual(await introspect(service, token, credentials), { active: false })
    }
    assert.equal(await use(service, tokens.access_token), 401)
    const form = { grant_type: 'password', username: owner.username, password: 'another one' }
    const { body } = await service.post('/token', form, credentials)
    assert.equal((await refresh(service, body.refresh_token, credentials)).status, 200)
    const again = await refresh(service, tokens.refresh_token, credentials)
    assertRefused(again, 'invalid_grant', deadRefreshToken)
  })
})

describe('who gets none', () => {
  test('RF-14: a client without the grant type', async () => {
    const { body: client } = await operator('POST', 'clients', {
      redirect_uris: [callback],
      grant_types: ['authorization_code'],
    })
    const code = await obtainCode(service, { ...codeRequest, client_id: client.client_id })
    const answer = await redeem(service, code, [client.client_id, client.client_secret])
    assertGranted(answer, { scope: everything, expires_in: 3600, refreshable: false })
  })
})

describe('a store that fails', () => {
  test('says nothing that it does not know: the same request afterwards gets its tokens', async () => {
    const { refresh_token } = await obtainTokens(service)
    const { store } = service.server()
    const { rotateRefreshToken } = store
    store.rotateRefreshToken = async () => {
      throw new StoreFault('failed', 'the disk is gone')
    }
    const failed = await refresh(service, refresh_token)
    store.rotateRefreshToken = rotateRefreshToken
    assert.equal(failed.status, 503)
    assert.deepEqual(failed.body, {
      error: 'temporarily_unavailable',
      error_description: 'the store cannot be reached',
    })
    assert.equal((await refresh(service, refresh_token)).status, 200)
  })
})

test('thirty days unused are the default', async () => {
  const { refresh_token } = await obtainTokens(service)
  const { exp, iat } = await introspect(service, refresh_token)
  assert.deepEqual([exp, iat], [service.now() + 30 * day, service.now()])
})
