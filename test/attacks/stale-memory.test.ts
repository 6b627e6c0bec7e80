/**
 * A token that a node has seen again and again, and so caches. If it ends, is narrowed or reaches
 * something else, that holds from the next request on (I3).
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPasswords } from '../../src/crypto/password.ts'
import type { EventId } from '../../src/model/ids.ts'
import { bearer, type Operator, operatorOf } from '../flows/operator.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { obtainCode } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { introspect, redeem, refresh, use } from '../support/tokens.ts'

let operator: Operator
const service = startBefore(start, async () => {
  operator = await operatorOf(service)
})

interface Held {
  readonly code: string
  readonly access_token: string
  readonly refresh_token: string
}

/** Uses it so often that nothing about it has to be read any more. */
const wear = async <Tokens extends Omit<Held, 'code'>>(tokens: Tokens): Promise<Tokens> => {
  for (let time = 0; time < 4; time++) {
    assert.equal(await use(service, tokens.access_token), 200)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      assert.equal((await introspect(service, token)).active, true)
    }
  }
  return tokens
}

const obtain = async (): Promise<Held> => {
  const code = await obtainCode(service)
  return wear({ code, ...(await redeem(service, code)).body })
}

const alice = async (): Promise<string> => {
  const { body } = await operator('GET', 'owners')
  return `owners/${body.items.find((one: { username: string }) => one.username === 'alice').id}`
}

const authorization = async (): Promise<string> => {
  const { body } = await operator('GET', 'authorizations?client=photo-printer')
  return `authorizations/${body.items[0].id}`
}

const setPassword = async (password: string): Promise<void> => {
  const { status } = await operator('POST', `${await alice()}/set-password`, { password })
  assert.equal(status, 200)
}

/** By the store: the demo's password is too common for the admin API. */
const restorePassword = async (): Promise<void> => {
  const { store } = service.server()
  const owner = await store.findOwnerByName('alice')
  assert.ok(owner)
  const hash = await createPasswords().hash('wonderland')
  const trace = {
    eventId: 'restored' as EventId,
    at: service.now(),
    requestId: null,
    actor: { type: 'service' },
  } as const
  await store.changePassword(owner.id, { hash, salt: 'a salt of the demo' }, null, trace)
}

interface Ending {
  readonly end: (held: Held) => Promise<unknown>
  /** So that the next one can begin. */
  readonly mend?: () => Promise<unknown>
}

const endings: Readonly<Record<string, Ending>> = {
  'its client is disabled': {
    end: () => operator('PATCH', 'clients/photo-printer', { disabled: true }),
    mend: () => operator('PATCH', 'clients/photo-printer', { disabled: false }),
  },
  'its owner is disabled': {
    end: async () => operator('PATCH', await alice(), { disabled: true }),
    mend: async () => operator('PATCH', await alice(), { disabled: false }),
  },
  'its owner has a new password': {
    end: () => setPassword('through the looking-glass'),
    mend: restorePassword,
  },
  'its authorization is ended': {
    end: async () => operator('DELETE', await authorization()),
  },
  'its refresh token is revoked': {
    end: ({ refresh_token: token }) => service.post('/revoke', { token }, photoPrinter),
  },
  'its code comes again': {
    end: ({ code }) => redeem(service, code),
  },
  'its refresh token is in two hands': {
    end: async (held) => {
      const second = await wear((await refresh(service, held.refresh_token)).body)
      await wear((await refresh(service, second.refresh_token)).body)
      assert.equal((await refresh(service, held.refresh_token)).status, 400)
      assert.equal(await use(service, second.access_token), 401)
    },
  },
}

describe('a token that is remembered is refused as soon as', () => {
  for (const [name, { end, mend }] of Object.entries(endings)) {
    test(name, async () => {
      const held = await obtain()
      await end(held)
      assert.equal(await use(service, held.access_token), 401)
      assert.equal((await introspect(service, held.refresh_token)).active ?? false, false)
      assert.notEqual((await refresh(service, held.refresh_token)).status, 200)
      await mend?.()
    })
  }

  test('it is revoked itself, and its family lives on', async () => {
    const held = await obtain()
    await service.post('/revoke', { token: held.access_token }, photoPrinter)
    assert.equal(await use(service, held.access_token), 401)
    await wear((await refresh(service, held.refresh_token)).body)
  })

  test('it is used for what was taken from it', async () => {
    const held = await obtain()
    const path = await authorization()
    assert.equal((await operator('PATCH', path, { scope: 'calendar' })).status, 200)
    assert.equal(await use(service, held.access_token), 403)
    const renewed = await refresh(service, held.refresh_token)
    assert.equal(renewed.body.scope, 'calendar:read calendar:write')
    await operator('DELETE', path)
  })

  test('its time is over, with housekeeping or without', async () => {
    const [early, late] = [await obtain(), await obtain()]
    service.pass(3600)
    assert.equal(await use(service, early.access_token), 401)
    await service.advance(365 * 24 * 3600)
    assert.notEqual((await refresh(service, late.refresh_token)).status, 200)
    operator = await operatorOf(service)
  })

  test('its client is deleted, and stays refused when another has that id', async () => {
    const held = await obtain()
    const { body: before } = await operator('GET', 'clients/photo-printer')
    await operator('DELETE', 'clients/photo-printer')
    assert.equal(await use(service, held.access_token), 401)
    assert.equal((await refresh(service, held.refresh_token)).status, 401)
    const { client_name, redirect_uris, grant_types, scope } = before
    const wish = { client_id: 'photo-printer', client_name, redirect_uris, grant_types, scope }
    const { status, body: made } = await operator('POST', 'clients', wish)
    assert.equal(status, 201)
    assert.equal(await use(service, held.access_token), 401)
    const asNew = await refresh(service, held.refresh_token, ['photo-printer', made.client_secret])
    assert.equal(asNew.body.error, 'invalid_grant')
    assert.equal((await refresh(service, held.refresh_token)).status, 401)
  })
})

describe('what is remembered is as it is now', () => {
  const ownToken = async (): Promise<string> => {
    const form = { grant_type: 'client_credentials' }
    const { access_token: token } = (await service.post('/token', form, nightlyReport)).body
    for (let time = 0; time < 4; time++) assert.equal(await use(service, token), 200)
    return token
  }

  test('a token of a client itself that was revoked', async () => {
    const token = await ownToken()
    await service.post('/revoke', { token }, nightlyReport)
    assert.equal(await use(service, token), 401)
    assert.equal(await use(service, await ownToken()), 200)
  })

  test('a client that may ask for less, or has a new secret', async () => {
    const token = await ownToken()
    const changed = await operator('PATCH', 'clients/nightly-report', { scope: 'contacts' })
    assert.equal(changed.status, 200)
    assert.equal(await use(service, token), 403)
    await operator('POST', 'clients/nightly-report/rotate-secret')
    const form = { grant_type: 'client_credentials' }
    assert.equal((await service.post('/token', form, nightlyReport)).status, 401)
  })

  test('items that were written and deleted', async () => {
    const form = { grant_type: 'client_credentials', scope: 'photos' }
    const { body: made } = await operator('POST', 'clients', {
      client_id: 'album',
      grant_types: ['client_credentials'],
      response_types: [],
      scope: 'photos',
    })
    const { body } = await service.post('/token', form, ['album', made.client_secret])
    const by = bearer(body.access_token)
    const titles = async (): Promise<readonly string[]> => {
      const { body: page } = await service.ask('/api/photos', by)
      const { body: item } = await service.ask('/api/photos/one', by)
      assert.equal(item.title, page.items[0]?.title)
      return page.items.map(({ title }: { title: string }) => title)
    }
    const put = (id: string, title: string) =>
      service.ask(`/api/photos/${id}`, { ...by, method: 'PUT', json: { title } })
    for (const title of ['a', 'b', 'c', 'd', 'e']) {
      await put('one', title)
      for (let time = 0; time < 4; time++) assert.deepEqual(await titles(), [title])
    }
    await put('two', 'z')
    assert.deepEqual(await titles(), ['e', 'z'])
    await service.ask('/api/photos/one', { ...by, method: 'DELETE' })
    const { body: page } = await service.ask('/api/photos', by)
    assert.deepEqual(page.items, [{ id: 'two', title: 'z' }])
    assert.equal((await service.ask('/api/photos/one', by)).status, 404)
  })
})
