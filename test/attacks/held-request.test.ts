/**
 * A request with a delayed body: a credential that is revoked before the last byte gets nothing.
 */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { bearer, problem, startWithOperator } from '../flows/operator.ts'
import { Browser, formsOf } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { newPerson, newVisitor, password } from '../support/people.ts'
import { callback, obtainTokens } from '../support/printing.ts'
import { type Answer, formBody, type Init } from '../support/start.ts'

const { service, operator } = startWithOperator()

const succeeds = async (asked: Promise<Answer>): Promise<Answer> => {
  const answer = await asked
  assert.ok(answer.status === 200 || answer.status === 204, answer.text)
  return answer
}

/** Sends a request whose body arrives only after `first` was done and acknowledged. */
const overtaken = async (
  path: string,
  { headers = {}, method = 'POST' }: Init,
  body: string,
  first: () => Promise<Answer>,
): Promise<Answer> => {
  const begun = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  // Without a buffer nothing is pulled before the service reads.
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        begun.resolve()
        await released.promise
        controller.enqueue(new TextEncoder().encode(body))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const init: Init & { readonly duplex: 'half' } = { headers, method, body: stream, duplex: 'half' }
  const answer = service.ask(path, init)
  await begun.promise
  await succeeds(first())
  released.resolve()
  return answer
}

const json = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})

const deadOperator = problem('invalid_token', 401, 'the access token is unknown or has ended')

describe('an operator token that was stolen, and ended with a new secret', () => {
  /** An administering client of its own, so that its rotation ends no token of other tests. */
  const thief = async () => {
    const { body } = await operator('POST', 'clients', {
      client_name: 'Operations',
      grant_types: ['client_credentials'],
      scope: 'clients:write owners:write authorizations:write',
    })
    const client = [body.client_id, body.client_secret] as const
    const tokens = await service.post('/token', { grant_type: 'client_credentials' }, client)
    return {
      id: body.client_id,
      token: tokens.body.access_token,
      rotate: () => operator('POST', `clients/${body.client_id}/rotate-secret`),
    }
  }
  type Thief = Awaited<ReturnType<typeof thief>>

  /** The state that each request would change has to be as before. */
  const attacks: Readonly<
    Record<string, (own: Thief) => Promise<readonly [string, string, unknown, string]>>
  > = {
    'gets no newer secret': async ({ id }) => [
      'POST',
      `clients/${id}/rotate-secret`,
      {},
      'clients',
    ],
    'makes no client': async () => [
      'POST',
      'clients',
      { client_name: 'Back door', grant_types: ['client_credentials'], scope: 'clients:write' },
      'clients',
    ],
    'changes no client': async ({ id }) => [
      'PATCH',
      `clients/${id}`,
      { client_name: 'x' },
      `clients/${id}`,
    ],
    'makes no owner': async () => ['POST', 'owners', { username: 'back-door', password }, 'owners'],
    'changes no owner': async () => {
      const { id } = await newPerson(service)
      return ['PATCH', `owners/${id}`, { disabled: true }, `owners/${id}`]
    },
    'sets no password': async () => {
      const { id } = await newPerson(service)
      return ['POST', `owners/${id}/set-password`, { password: 'a thief knows it' }, `owners/${id}`]
    },
    'narrows no authorization': async () => {
      await obtainTokens(service)
      const { body } = await operator('GET', 'authorizations?limit=1')
      const [{ id }] = body.items
      return ['PATCH', `authorizations/${id}`, { scope: 'photos:read' }, 'authorizations']
    },
  }
  for (const [name, attack] of Object.entries(attacks)) {
    test(name, async () => {
      const own = await thief()
      const [method, path, body, place] = await attack(own)
      let before: unknown
      const init = { method, headers: json(own.token) }
      const answer = await overtaken(`/admin/api/${path}`, init, JSON.stringify(body), async () => {
        const rotated = await own.rotate()
        before = (await operator('GET', place)).body
        return rotated
      })
      assert.deepEqual([answer.status, answer.body], [401, deadOperator])
      assert.deepEqual((await operator('GET', place)).body, before)
    })
  }

  test('also where the body would be refused', async () => {
    const own = await thief()
    const init = { method: 'POST', headers: json(own.token) }
    const answer = await overtaken('/admin/api/clients', init, 'no JSON', own.rotate)
    assert.deepEqual([answer.status, answer.body], [401, deadOperator])
  })
})

describe('without any token nobody waits for the body', () => {
  const endless = (): ReadableStream => new ReadableStream({ pull: () => new Promise(() => {}) })
  for (const [method, path] of [
    ['POST', '/admin/api/clients'],
    ['PUT', '/api/photos/held'],
    ['PUT', '/register/nobody'],
  ] as const) {
    test(`${method} ${path}`, async () => {
      const headers = { 'content-type': 'application/json' }
      const init = { method, headers, body: endless(), duplex: 'half' } as Init
      assert.equal((await service.ask(path, init)).status, 401)
    })
  }
})

describe('an access token that was revoked', () => {
  const type = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const rows = [
    ['writes no item', 'PUT', '/api/photos/held', type, '{"title":"x"}'],
    ['makes no item', 'POST', '/api/photos', type, '{"title":"x"}'],
    ['writes no item out of a form', 'PUT', '/api/photos/held', form, 'title=x'],
    ['reads nobody', 'POST', '/userinfo', form, 'a=b'],
  ] as const
  for (const [name, method, path, headers, body] of rows) {
    test(name, async () => {
      const { access_token: token } = await obtainTokens(service)
      const reader = await obtainTokens(service)
      const items = async () =>
        (await service.ask('/api/photos?limit=100', bearer(reader.access_token))).body
      const before = await items()
      const init = { method, headers: { ...headers, authorization: `Bearer ${token}` } }
      const answer = await overtaken(path, init, body, () =>
        service.post('/revoke', { token }, photoPrinter),
      )
      assert.deepEqual(
        [answer.status, answer.body],
        [
          401,
          {
            error: 'invalid_token',
            error_description: 'the access token is unknown, expired or revoked',
          },
        ],
      )
      assert.deepEqual(await items(), before)
    })
  }
})

describe('a client that registered itself', () => {
  const metadata = {
    client_name: 'Prints',
    redirect_uris: [callback],
    scope: 'photos contacts',
  }
  const register = async () => {
    const { body } = await service.ask('/register', { json: metadata })
    const { client_id: id, registration_access_token: token } = body
    return { id, token, path: `/register/${id}` }
  }
  const scopeOf = async (id: string) => (await operator('GET', `clients/${id}`)).body.scope
  const narrow = (id: string) => operator('PATCH', `clients/${id}`, { scope: 'photos:read' })
  const wrongToken = {
    error: 'invalid_token',
    error_description: 'this is not the registration access token of this client',
  }

  /** The next such step reaches the store only after something else was done, and acknowledged. */
  const overtake = (
    t: TestContext,
    step: 'changeOwnClient' | 'deleteOwnClient',
    first: () => Promise<Answer>,
  ): void => {
    const { store } = service.server()
    const real = store[step] as (...args: readonly unknown[]) => Promise<unknown>
    const { mock } = t.mock.method(store, step, async (...args: readonly unknown[]) => {
      mock.restore()
      await succeeds(first())
      return real(...args)
    })
  }

  test('takes back no scope with a body that it withheld', async () => {
    const { id, token, path } = await register()
    const body = JSON.stringify({ client_id: id, ...metadata, scope: 'photos' })
    const init = { method: 'PUT', headers: json(token) }
    const answer = await overtaken(path, init, body, () => narrow(id))
    assert.deepEqual([answer.status, answer.body.scope], [200, 'photos:read'])
    assert.equal(await scopeOf(id), 'photos:read')
  })

  test('takes back no scope with a change that the operator overtakes', async (t) => {
    const { id, token, path } = await register()
    overtake(t, 'changeOwnClient', () => narrow(id))
    const given = { client_id: id, ...metadata, scope: 'photos:write' }
    const answer = await service.ask(path, { ...bearer(token), method: 'PUT', json: given })
    assert.deepEqual(
      [answer.status, answer.body],
      [
        400,
        {
          error: 'invalid_client_metadata',
          error_description: 'scope: set by the operator, so the client cannot change it',
        },
      ],
    )
    assert.equal(await scopeOf(id), 'photos:read')
  })

  test('changes nothing with a registration token that was revoked', async () => {
    const { id, token, path } = await register()
    const body = JSON.stringify({ client_id: id, ...metadata, client_name: 'x' })
    const init = { method: 'PUT', headers: json(token) }
    const end = () => operator('POST', `clients/${id}/revoke-registration`)
    const answer = await overtaken(path, init, body, end)
    assert.deepEqual([answer.status, answer.body], [401, wrongToken])
    assert.equal((await operator('GET', `clients/${id}`)).body.client_name, 'Prints')
  })

  test('is not deleted with a registration token that is revoked meanwhile', async (t) => {
    const { id, token, path } = await register()
    overtake(t, 'deleteOwnClient', () => operator('POST', `clients/${id}/revoke-registration`))
    const answer = await service.ask(path, { ...bearer(token), method: 'DELETE' })
    assert.deepEqual([answer.status, answer.body], [401, wrongToken])
    assert.equal((await operator('GET', `clients/${id}`)).status, 200)
  })
})

test('a session that was ended ends no others with a form that it withheld', async () => {
  const thief = await newVisitor(service)
  const owner = new Browser(service)
  await owner.logIn(await owner.go('/login'), thief.username, password)
  const formIn = async (browser: Browser) => {
    const page = await browser.go('/account/sessions')
    const csrf = formsOf(page.text).find(({ fields }) => fields.csrf)?.fields.csrf ?? []
    return { csrf, action: 'end-others' }
  }
  const headers = {
    cookie: [...thief.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'content-type': 'application/x-www-form-urlencoded',
  }
  const own = await formIn(owner)
  const body = formBody(await formIn(thief.browser))
  const answer = await overtaken('/account/sessions', { headers }, body, () =>
    owner.go('/account/sessions', own),
  )
  assert.equal(answer.status, 303)
  assert.match(answer.headers.get('location') ?? '', /\/login\?/)
  assert.equal((await owner.ask('/account/sessions')).status, 200)
})
