/** Open registration: how many clients strangers may register, and when those go that nobody uses. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Settings } from '../../src/config/settings.ts'
import { apiLimits } from '../../src/rooms/api/item-fields.ts'
import { registrationBytes } from '../../src/rooms/oauth/register.ts'
import { storeLimits } from '../../src/store/limits.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { callback, walk } from '../support/printing.ts'
import { type Answer, type Init, type Started, start } from '../support/start.ts'
import { bearer, operatorOf } from './operator.ts'

const metadata = { client_name: 'Prints', redirect_uris: [callback], scope: 'photos' }
const token = 'an-initial-access-token'

const withService = async (
  settings: Partial<Settings>,
  run: (service: Started) => Promise<void>,
): Promise<void> => {
  const service = await start(settings)
  try {
    await run(service)
  } finally {
    await service.close()
  }
}

/** No demo; tests choose the address that they come from, by the header of a proxy on this machine. */
const open = {
  demo: false,
  registration: 'open',
  registrationToken: token,
  trustedProxies: ['127.0.0.1'],
  registrationsPerNetwork: 3,
} as const

const registerFrom = (service: Started, address: string, init: Init = {}): Promise<Answer> =>
  service.ask('/register', {
    json: metadata,
    ...init,
    headers: { 'x-forwarded-for': address, ...init.headers },
  })

const statusesOf = async (answers: readonly Promise<Answer>[]): Promise<readonly number[]> =>
  (await Promise.all(answers)).map(({ status }) => status).sort()

describe('LATCHKEY_REGISTRATION', () => {
  const endpointOf = async (service: Started): Promise<unknown> =>
    (await service.ask('/.well-known/oauth-authorization-server')).body.registration_endpoint

  test('open: anybody may register, and the metadata say so', async () => {
    await withService(open, async (service) => {
      assert.equal(await endpointOf(service), `${service.issuer}/register`)
      assert.equal((await registerFrom(service, '203.0.113.1')).status, 201)
    })
  })

  test('token: whoever has it may, and the metadata are silent', async () => {
    await withService({ ...open, registration: 'token' }, async (service) => {
      assert.equal(await endpointOf(service), undefined)
      assert.equal((await registerFrom(service, '203.0.113.1')).status, 401)
      assert.equal((await registerFrom(service, '203.0.113.1', bearer(token))).status, 201)
    })
  })

  test('off: nobody may, not even with the token; who is registered already manages it', async () => {
    await withService({ ...open, registration: 'off' }, async (service) => {
      assert.equal(await endpointOf(service), undefined)
      for (const init of [{}, bearer(token)]) {
        const { status, body } = await registerFrom(service, '203.0.113.1', init)
        assert.deepEqual(
          [status, body],
          [
            403,
            {
              error: 'access_denied',
              error_description: 'clients cannot register themselves here: ask the operator',
            },
          ],
        )
      }
    })
  })

  test('off in the demo as well, where it is set', async () => {
    await withService({ registration: 'off' }, async (service) => {
      assert.equal((await registerFrom(service, '127.0.0.1')).status, 403)
    })
  })
})

describe('open registration', () => {
  test('takes so many in an hour from an IPv4 /24 or an IPv6 /64, and says why no more', async () => {
    await withService(open, async (service) => {
      for (const [same, other] of [
        [['203.0.113.1', '203.0.113.2', '203.0.113.255'], '203.0.114.1'],
        [['2001:db8::1', '2001:db8::2', '2001:db8::ffff:1'], '2001:db8:0:1::1'],
      ] as const) {
        await service.advance(storeLimits.registrationWindowSeconds)
        const taken = await statusesOf(same.map((address) => registerFrom(service, address)))
        assert.deepEqual(taken, [201, 201, 201])
        await service.advance(600)
        const over = await registerFrom(service, same[0])
        assert.deepEqual(
          [over.status, over.headers.get('retry-after'), over.body],
          [
            429,
            '3000',
            {
              error: 'too_many_requests',
              error_description:
                '3 clients were registered from this network within an hour: wait, or ask the operator for an initial access token',
            },
          ],
        )
        assert.equal((await registerFrom(service, other)).status, 201)
        await service.advance(3000)
        assert.equal((await registerFrom(service, same[0])).status, 201)
      }
    })
  })

  test('takes four times as many from a /48 as from a /64, whatever parts of it they come from', async () => {
    await withService(open, async (service) => {
      const from = (i: number) => registerFrom(service, `2001:db8:0:${i.toString(16)}00::1`)
      const all = await statusesOf(Array.from({ length: 20 }, (_, i) => from(i)))
      assert.equal(all.filter((status) => status === 201).length, 12)
      const half = (i: number) => registerFrom(service, `2001:db8:1:${i}::1`)
      const ofHalf = await statusesOf(Array.from({ length: 20 }, (_, i) => half(i)))
      assert.equal(ofHalf.filter((status) => status === 201).length, 6)
    })
  })

  test('lets no network fill it with clients that use themselves', async () => {
    await withService({ ...open, registrationsInTotal: 500 }, async (service) => {
      const json = { grant_types: ['client_credentials'], response_types: [], client_name: 'Robot' }
      const register = () => registerFrom(service, '203.0.113.1', { json })
      for (let i = 0; i < 5; i++) {
        const { body } = await register()
        const client = [String(body.client_id), String(body.client_secret)] as const
        await service.post('/token', { grant_type: 'client_credentials' }, client)
        await service.advance(storeLimits.registrationWindowSeconds)
      }
      const over = await register()
      assert.deepEqual(
        [over.status, over.body.error_description],
        [
          429,
          '5 clients that registered themselves from this network wait for their first approval. Let an owner approve them, delete some, or ask the operator for an initial access token',
        ],
      )
      assert.equal((await registerFrom(service, '198.51.100.1')).status, 201)
    })
  })

  test('keeps few and small items for a client of a stranger, until the operator sets something of it', async () => {
    await withService({}, async (service) => {
      const json = {
        grant_types: ['client_credentials'],
        response_types: [],
        scope: 'photos:read photos:write',
      }
      const { body } = await service.ask('/register', { json })
      const client = [String(body.client_id), String(body.client_secret)] as const
      const form = { grant_type: 'client_credentials' }
      const login = await service.post('/token', form, client)
      const put = (id: number, pad: string) =>
        service.ask(`/api/photos/${id}`, {
          ...bearer(String(login.body.access_token)),
          method: 'PUT',
          json: { pad },
        })
      const { ownItemBytes: bytes, ownItemsPerResource: perResource } = apiLimits
      const fits = 'x'.repeat(bytes - JSON.stringify({ pad: '' }).length)
      const large = await put(0, `${fits}x`)
      assert.deepEqual(
        [large.status, large.body],
        [
          413,
          {
            error: 'too_large',
            error_description: 'an item of a client that registered itself has at most 4096 bytes',
          },
        ],
      )
      for (let i = 0; i < perResource; i++) assert.equal((await put(i, fits)).status, 201)
      const over = await put(perResource, '')
      assert.deepEqual(
        [over.status, over.body.error_description],
        [409, 'the resource is full: it holds at most 50 items, delete some first'],
      )
      const operator = await operatorOf(service)
      await operator('PATCH', `clients/${client[0]}`, { client_name: 'Known' })
      assert.equal((await put(perResource, `${fits}x`)).status, 201)
    })
  })

  test('counts no refused requests, and never the initial access token', async () => {
    await withService(open, async (service) => {
      const from = (init: Init = {}) => registerFrom(service, '203.0.113.1', init)
      const bad = { json: { ...metadata, redirect_uris: ['http://prints.example/'] } }
      const refused = await statusesOf(Array.from({ length: 9 }, () => from(bad)))
      assert.deepEqual(new Set(refused), new Set([400]))
      const invited = await statusesOf(Array.from({ length: 9 }, () => from(bearer(token))))
      assert.deepEqual(new Set(invited), new Set([201]))
      const all = await statusesOf(Array.from({ length: 9 }, () => from()))
      assert.deepEqual(all, [201, 201, 201, 429, 429, 429, 429, 429, 429])
      assert.equal((await from(bearer(token))).status, 201)
      assert.equal((await from(bearer('a-wrong-initial-access-token'))).status, 429)
    })
  })

  test('takes so many in total, from however many networks', async () => {
    await withService({ ...open, registrationsInTotal: 4 }, async (service) => {
      const addresses = Array.from({ length: 9 }, (_, i) => `203.0.${i}.1`)
      const all = await statusesOf(addresses.map((address) => registerFrom(service, address)))
      assert.deepEqual(all, [201, 201, 201, 201, 429, 429, 429, 429, 429])
      const over = await registerFrom(service, '198.51.100.1')
      assert.equal(over.headers.get('retry-after'), '3600')
      assert.equal(
        over.body.error_description,
        'this service takes 4 clients that register themselves, and has as many: ask the operator for an initial access token',
      )
      assert.equal((await registerFrom(service, '198.51.100.1', bearer(token))).status, 201)
      await service.advance(storeLimits.neverUsedSeconds)
      assert.equal((await registerFrom(service, '198.51.100.1')).status, 201)
    })
  })

  test('a registration is at most 16 KiB, and so is a change of one', async () => {
    await withService({}, async (service) => {
      const sized = (bytes: number, more: object = {}) => {
        const json = { ...metadata, ...more, pad: '' }
        return { ...json, pad: 'x'.repeat(bytes - JSON.stringify(json).length) }
      }
      const fits = await service.ask('/register', { json: sized(registrationBytes) })
      assert.equal(fits.status, 201)
      const over = await service.ask('/register', { json: sized(registrationBytes + 1) })
      assert.deepEqual(
        [over.status, over.body],
        [413, { error: 'too_large', error_description: 'the body is larger than 16384 bytes' }],
      )
      const { client_id, registration_access_token } = fits.body
      const changed = await service.ask(`/register/${client_id}`, {
        ...bearer(registration_access_token),
        method: 'PUT',
        json: sized(registrationBytes + 1, { client_id }),
      })
      assert.equal(changed.status, 413)
    })
  })
})

describe('the demo', () => {
  test('counts no networks, but has a limit in total', async () => {
    const settings = { registrationsPerNetwork: 1, registrationsInTotal: 70 }
    await withService(settings, async (service) => {
      const asked = Array.from({ length: 75 }, () => registerFrom(service, '127.0.0.1'))
      const statuses = await statusesOf(asked)
      assert.equal(statuses.filter((status) => status === 201).length, 70)
    })
  })
})

describe('a client that registered itself', () => {
  const credentials = {
    grant_types: ['client_credentials'],
    response_types: [],
    client_name: 'Robot',
    scope: 'photos',
  }
  const registered = async (service: Started, json: object) => {
    const { status, body, text } = await service.ask('/register', { json })
    assert.equal(status, 201, text)
    return [String(body.client_id), String(body.client_secret)] as const
  }
  const isKnown = async (service: Started, id: string) => {
    const operator = await operatorOf(service)
    return (await operator('GET', `clients/${id}`)).status === 200
  }
  const day = storeLimits.neverUsedSeconds

  test('goes after a day where nobody used it', async () => {
    await withService({}, async (service) => {
      const [id] = await registered(service, metadata)
      await service.advance(day - 1)
      assert.equal(await isKnown(service, id), true)
      await service.advance(10)
      assert.equal(await isKnown(service, id), false)
    })
  })

  test('stays while it is used, and goes 90 days later', async () => {
    await withService({}, async (service) => {
      const client = await registered(service, credentials)
      const use = async () =>
        (await service.post('/token', { grant_type: 'client_credentials' }, client)).status
      assert.equal(await use(), 200)
      await service.advance(60 * day)
      assert.equal(await use(), 200)
      await service.advance(90 * day - 60)
      assert.equal(await isKnown(service, client[0]), true)
      await service.advance(2 * day)
      assert.equal(await isKnown(service, client[0]), false)
      assert.equal(await use(), 401)
    })
  })

  for (const path of ['/introspect', '/revoke']) {
    test(`stays while it does nothing but ask at ${path}`, async () => {
      await withService({}, async (service) => {
        const client = await registered(service, credentials)
        await service.post(path, { token: 'unknown' }, client)
        await service.advance(89 * day)
        assert.equal((await service.post(path, { token: 'unknown' }, client)).status, 200)
      })
    })
  }

  test('and the id of a public client alone is no use', async () => {
    await withService({}, async (service) => {
      const json = { ...metadata, token_endpoint_auth_method: 'none' }
      const { body } = await service.ask('/register', { json })
      const id = String(body.client_id)
      await service.post('/revoke', { token: 'unknown', client_id: id })
      await service.advance(day)
      assert.equal(await isKnown(service, id), false)
    })
  })

  test('is the operator’s once the operator set something of it', async () => {
    await withService({}, async (service) => {
      const [id] = await registered(service, metadata)
      const operator = await operatorOf(service)
      const json = { client_name: 'Known' }
      assert.equal((await operator('PATCH', `clients/${id}`, json)).status, 200)
      await service.advance(400 * day)
      assert.equal(await isKnown(service, id), true)
    })
  })

  test('that cannot be removed is tried again in a day, and holds up no other', async (t) => {
    await withService({}, async (service) => {
      const [bad] = await registered(service, metadata)
      const [good] = await registered(service, metadata)
      const { store } = service.server()
      const remove = store.removeIdleClient.bind(store)
      const failing = t.mock.method(
        store,
        'removeIdleClient',
        async (...args: Parameters<typeof remove>) => {
          if (args[0] === bad) throw new Error('statement timeout')
          return remove(...args)
        },
      )
      await service.advance(day)
      assert.deepEqual([await isKnown(service, bad), await isKnown(service, good)], [true, false])
      failing.mock.restore()
      await service.advance(storeLimits.neverUsedSeconds - 1)
      assert.equal(await isKnown(service, bad), true)
      await service.advance(10)
      assert.equal(await isKnown(service, bad), false)
    })
  })

  test('a wrong secret is no use', async () => {
    await withService({}, async (service) => {
      const [id] = await registered(service, credentials)
      const form = { grant_type: 'client_credentials' }
      assert.equal((await service.post('/token', form, [id, 'wrong'])).status, 401)
      await service.advance(day)
      assert.equal(await isKnown(service, id), false)
    })
  })

  test('stays for as long as somebody allows it something, however little it is used', async () => {
    await withService({}, async (service) => {
      const [id] = await registered(service, {
        ...metadata,
        response_types: ['token'],
        grant_types: ['implicit'],
      })
      const request = { response_type: 'token', client_id: id, redirect_uri: callback, state: 's' }
      assert.ok(answerOf(await walk(service, request, { duration: 'forever' })).access_token)
      for (let i = 0; i < 4; i++) {
        await service.advance(100 * day)
        assert.equal(await isKnown(service, id), true)
      }
      const browser = new Browser(service)
      await browser.logIn(await browser.go('/login'), 'alice', 'wonderland')
      const page = await browser.go('/account')
      assert.match(page.text, /Prints/)
    })
  })

  test('is written to be used once a day at most', async (t) => {
    await withService({}, async (service) => {
      const client = await registered(service, credentials)
      const note = t.mock.method(service.server().store, 'noteClientUse')
      const use = () => service.post('/token', { grant_type: 'client_credentials' }, client)
      for (let i = 0; i < 5; i++) assert.equal((await use()).status, 200)
      assert.equal(note.mock.callCount(), 1)
      await service.post('/introspect', { token: 'x' }, client)
      await service.post('/revoke', { token: 'x' }, client)
      assert.equal(note.mock.callCount(), 1)
      service.pass(storeLimits.clientUseSeconds)
      await use()
      assert.equal(note.mock.callCount(), 2)
      await service.post('/token', { grant_type: 'client_credentials' }, [
        'nightly-report',
        'nightly-report-secret',
      ])
      assert.equal(note.mock.callCount(), 2)
    })
  })
})
