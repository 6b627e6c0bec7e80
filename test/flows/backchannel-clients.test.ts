/** Clients of backchannel requests: their registration, pings, and signed requests (OpenID CIBA sections 4, 7.1.1 and 10.2). */
import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  type AskedBackchannel,
  askBackchannel,
  backchannelGrant,
  type ClientPair,
  decideAnew,
  pollBackchannel,
  tryBackchannel,
} from '../support/backchannel.ts'
import { type KeyPair, keySetOf, newKeys, sign } from '../support/client-keys.ts'
import { openSite, type Site } from '../support/site.ts'
import { type Answer, type Form, type Started, start } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const token = '8d67dc78-7faa-4d41-aabd-67707b374255'

let started: Started
let site: Site
/** The client's answer to a ping. */
let answer: RequestListener

before(async () => {
  started = await start()
  site = await openSite((incoming, outgoing) => answer(incoming, outgoing))
})
after(async () => {
  await started.close()
  await site.close()
})
beforeEach(() => {
  answer = (_incoming, outgoing) => outgoing.writeHead(204).end()
})

const tryRegister = async (members: object): Promise<Answer> => {
  const operator = await operatorOf(started)
  const json = { grant_types: [backchannelGrant], response_types: [], ...members }
  return operator('POST', 'clients', json)
}

const register = async (members: object): Promise<ClientPair> => {
  const { status, body, text } = await tryRegister(members)
  assert.equal(status, 201, text)
  return [body.client_id, body.client_secret]
}

const endpoint = () => `http://127.0.0.1:${site.port}/ping`

const registerPinged = () =>
  register({
    backchannel_token_delivery_mode: 'ping',
    backchannel_client_notification_endpoint: endpoint(),
  })

const ask = (client: ClientPair, form: Form = {}): Promise<AskedBackchannel> =>
  askBackchannel(started, { client_notification_token: token, ...form }, client)

/** What came during something, after the housekeeping of some seconds. */
const sentDuring = async (act: () => Promise<unknown>, seconds = 1) => {
  const earlier = site.requests.length
  await act()
  await started.advance(seconds)
  return site.requests.slice(earlier)
}

const nothing = async (): Promise<void> => {}

describe('the registration', () => {
  const refusals: readonly (readonly [name: string, members: object, said: RegExp])[] = [
    ['push', { backchannel_token_delivery_mode: 'push' }, /poll or ping/],
    [
      'ping without an endpoint',
      { backchannel_token_delivery_mode: 'ping' },
      /ping needs backchannel_client_notification_endpoint/,
    ],
    [
      'an endpoint over http elsewhere',
      { backchannel_client_notification_endpoint: 'http://app.example/ping' },
      /has to be https without a fragment/,
    ],
    [
      'a signing algorithm without keys',
      { backchannel_authentication_request_signing_alg: 'ES256' },
      /needs the keys of the client/,
    ],
    [
      'an algorithm with a shared key',
      { backchannel_authentication_request_signing_alg: 'HS256' },
      /RS256/,
    ],
  ]
  for (const [name, members, said] of refusals) {
    it(`refuses ${name}`, async () => {
      const { status, body } = await tryRegister(members)
      assert.equal(status, 400)
      assert.match(JSON.stringify(body), said)
    })
  }

  it('keeps the members, for clients that register themselves, too', async () => {
    const members = {
      backchannel_token_delivery_mode: 'ping',
      backchannel_client_notification_endpoint: 'https://app.example/ping',
    }
    const json = { grant_types: [backchannelGrant], ...members }
    const { status, body } = await started.ask('/register', { json })
    assert.equal(status, 201)
    for (const [name, value] of Object.entries(members)) assert.equal(body[name], value)
  })
})

describe('a ping', () => {
  for (const decision of ['allow', 'deny'] as const) {
    it(`follows each decision, and does not say which: ${decision}`, async () => {
      const client = await registerPinged()
      const codes = await ask(client)
      assert.deepEqual(await sentDuring(nothing), [])
      const [ping, ...others] = await sentDuring(() => decideAnew(started, codes, decision))
      assert.ok(ping)
      assert.deepEqual(others, [])
      assert.deepEqual([ping.method, ping.url], ['POST', '/ping'])
      assert.equal(ping.headers['content-type'], 'application/json')
      assert.equal(ping.headers.authorization, `Bearer ${token}`)
      assert.deepEqual(JSON.parse(ping.body), { auth_req_id: codes.auth_req_id })
      const { status } = await pollBackchannel(started, codes, {}, client)
      assert.equal(status, decision === 'allow' ? 200 : 400)
      assert.deepEqual(await sentDuring(nothing, 300), [])
    })
  }

  it('is tried again after a pause, also after a restart, until the request is over', async () => {
    answer = (_incoming, outgoing) => outgoing.writeHead(503).end()
    const codes = await ask(await registerPinged())
    assert.equal((await sentDuring(() => decideAnew(started, codes))).length, 1)
    assert.equal((await sentDuring(nothing, 1)).length, 0)
    await started.restart()
    assert.equal((await sentDuring(nothing, 1)).length, 1)
    answer = (_incoming, outgoing) => outgoing.writeHead(200).end('anything')
    assert.equal((await sentDuring(nothing, 4)).length, 1)
    assert.equal((await sentDuring(nothing, 60)).length, 0)
    answer = (_incoming, outgoing) => outgoing.writeHead(500).end()
    const other = await ask(await registerPinged(), { requested_expiry: '10' })
    let tries = (await sentDuring(() => decideAnew(started, other))).length
    for (let i = 0; i < 60; i++) tries += (await sentDuring(nothing)).length
    assert.equal(tries, 3)
    const told = started.notices.filter(({ message }) => /ping was given up/.test(String(message)))
    assert.equal(told.length, 1)
  })

  it('follows no redirect', async () => {
    answer = (_incoming, outgoing) =>
      outgoing.writeHead(307, { Location: `http://127.0.0.1:${site.port}/elsewhere` }).end()
    const codes = await ask(await registerPinged())
    const sent = await sentDuring(() => decideAnew(started, codes))
    assert.deepEqual(
      sent.map(({ url }) => url),
      ['/ping'],
    )
  })

  it('needs a token that comes back with it', async () => {
    const client = await registerPinged()
    const refused = async (client_notification_token: string) => {
      const { status, body } = await tryBackchannel(started, { client_notification_token }, client)
      return [status, body.error, body.error_description]
    }
    assert.deepEqual(await refused(''), [
      400,
      'invalid_request',
      'client_notification_token is missing: the client is registered for pings',
    ])
    for (const wrong of ['a b', 'a\r\nX: y', 'a'.repeat(1025)]) {
      assert.deepEqual(await refused(wrong), [
        400,
        'invalid_request',
        'client_notification_token has to be a bearer token of at most 1024 characters',
      ])
    }
  })

  it('of a client that was deleted or polls by now is not sent', async () => {
    const operator = await operatorOf(started)
    for (const further of [{}, { backchannel_client_notification_endpoint: null }]) {
      const client = await registerPinged()
      const codes = await ask(client)
      const change = { backchannel_token_delivery_mode: 'poll', ...further }
      await operator('PATCH', `clients/${client[0]}`, change)
      const sent = await sentDuring(() => decideAnew(started, codes))
      // Earlier pings may be tried again.
      const ids = sent.map(({ body }) => JSON.parse(body).auth_req_id)
      assert.ok(!ids.includes(codes.auth_req_id))
    }
  })

  it('lies in the store in no readable form', async () => {
    const codes = await ask(await registerPinged())
    const id = codes.auth_req_id.slice(6, -43)
    const row = JSON.stringify(await started.server().store.findBackchannel(id as never))
    assert.ok(!row.includes(token))
    assert.ok(!row.includes(codes.auth_req_id.slice(-43)))
  })
})

describe('a signed request', () => {
  let keys: KeyPair
  let client: ClientPair
  before(async () => {
    keys = await newKeys('ES256', 'k-1')
    client = await register({
      jwks: keySetOf(keys),
      backchannel_authentication_request_signing_alg: 'ES256',
    })
  })

  const claims = () => ({
    iss: client[0],
    aud: started.issuer,
    exp: started.now() + 300,
    iat: started.now(),
    nbf: started.now(),
    jti: 'once',
    scope: 'photos:read',
    login_hint: 'alice',
    binding_message: 'signed',
    requested_expiry: 60,
  })

  const send = async (request: string, beside: Form = {}) =>
    started.post('/bc-authorize', { request, ...beside }, client)

  it('is read in place of the form', async () => {
    const beside = { login_hint: 'nobody', scope: 'contacts:read' }
    const { status, body } = await send(await sign(claims(), keys), beside)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal(body.expires_in, 60)
    await decideAnew(started, body)
    assert.equal((await pollBackchannel(started, body, {}, client)).body.scope, 'photos:read')
  })

  it('is needed by a client that registered for it', async () => {
    const { status, body } = await tryBackchannel(started, {}, client)
    assert.deepEqual(
      [status, body],
      [
        400,
        {
          error: 'invalid_request',
          error_description: 'the client is registered for signed requests only',
        },
      ],
    )
  })

  const faults: Readonly<Record<string, () => object>> = {
    'of another client': () => ({ iss: 'cash-desk' }),
    'for another service': () => ({ aud: 'https://elsewhere.example' }),
    'that has expired': () => ({ exp: started.now() }),
    'without an end': () => ({ exp: undefined }),
    'that says not when it was made': () => ({ iat: undefined }),
    'made at a time that is no number': () => ({ iat: 'now' }),
    'without a beginning': () => ({ nbf: undefined }),
    'without an id': () => ({ jti: undefined }),
    'with an id that is no text': () => ({ jti: 1 }),
    'with an empty id': () => ({ jti: '' }),
  }
  for (const [name, change] of Object.entries(faults)) {
    it(`is refused: one ${name}`, async () => {
      const { status, body } = await send(await sign({ ...claims(), ...change() }, keys))
      assert.deepEqual([status, body.error], [400, 'invalid_request_object'])
    })
  }

  it('is refused: one by another key or algorithm', async () => {
    const [other, rsa] = [await newKeys('ES256', 'k-1'), await newKeys('RS256', 'k-1')]
    for (const pair of [other, rsa]) {
      const { body } = await send(await sign(claims(), pair))
      assert.equal(body.error, 'invalid_request_object')
    }
  })
})
