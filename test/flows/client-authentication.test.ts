/**
 * Client authentication at the token endpoint: accepted and refused credentials, and the cost of
 * guessing.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { galleryRequest, redeemPublicly } from '../support/gallery.ts'
import { callback, obtainCode, obtainTokens } from '../support/printing.ts'
import { basic, start } from '../support/start.ts'
import {
  assertRefused,
  type Changes,
  introspect,
  redeem,
  refresh,
  use,
  withChanges,
} from '../support/tokens.ts'
import { failedClient } from '../support/told.ts'
import { bearer, startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

const grant = { grant_type: 'client_credentials', scope: 'photos:read' }

/** Asks for a token with a header and a body of one's choosing. */
const ask = (authorization: string | null, changes: Changes = {}) =>
  service.ask('/token', {
    form: withChanges(grant, changes),
    headers: authorization === null ? {} : { authorization },
  })

const encoded = (text: string): string => `Basic ${Buffer.from(text, 'utf8').toString('base64')}`

const create = async (metadata: object = {}) => {
  const said = { grant_types: ['client_credentials'], ...metadata }
  const { status, body, text } = await operator('POST', 'clients', said)
  assert.equal(status, 201, text)
  return body
}

describe('Basic', () => {
  test('CA-05: id and secret are form-encoded in it, each once', async () => {
    const accepted = [
      'nightly-report:nightly-report-secret',
      'nightly%2Dreport:nightly%2dreport%2Dsecret',
      '%6eightly-report:%6E%69ghtly-report-secret',
    ]
    for (const text of accepted) assert.equal((await ask(encoded(text))).status, 200, text)
    const twice = encoded('nightly%252Dreport:nightly%252Dreport%252Dsecret')
    assertRefused(await ask(twice), 'invalid_client', failedClient)
  })

  test('CA-05: what is malformed is 401, never a fault', async () => {
    const headers = [
      'Basic',
      'Basic ',
      'Basic =',
      'Basic !!!!',
      'Basic a',
      `Basic ${btoa('nightly-report:nightly-report-secret')} x`,
      `Basic ${btoa('nightly-report:nightly-report-secret')}====`,
      encoded('nightly-report'),
      encoded(':'),
      encoded(''),
      encoded('nightly-report\0:nightly-report-secret'),
      encoded('nightly-report:nightly-report-secret\0'),
      encoded('nightly-report:%'),
      encoded('nightly-report:%zz'),
      encoded('%c3%28:nightly-report-secret'),
      `Basic ${Buffer.from([0x61, 0x3a, 0xff, 0xfe]).toString('base64')}`,
      encoded(`nightly-report:${'x'.repeat(5000)}`),
      encoded(`${'x'.repeat(5000)}:nightly-report-secret`),
      basic(nightlyReport).replace('Basic', 'Bearer'),
      'Digest username="nightly-report"',
      'Negotiate x',
    ]
    for (const header of headers) {
      assertRefused(await ask(header), 'invalid_client', failedClient)
    }
  })

  test('CA-06: the name of the scheme is not case-sensitive', async () => {
    for (const scheme of ['basic', 'BASIC', 'bAsIc']) {
      const { status } = await ask(basic(nightlyReport).replace('Basic', scheme))
      assert.equal(status, 200)
    }
  })
})

describe('CA-07: a confidential client authenticates for everything', () => {
  test('its name alone earns nothing at any door', async () => {
    const name = { client_id: 'photo-printer' }
    const code = await obtainCode(service)
    const tokens = await obtainTokens(service)
    const answers = [
      await redeem(service, code, null, name),
      await refresh(service, tokens.refresh_token, null, name),
      await service.post('/revoke', { token: tokens.access_token, ...name }),
      await service.post('/introspect', { token: tokens.access_token, ...name }),
      await ask(null, { client_id: 'nightly-report' }),
    ]
    for (const answer of answers) assertRefused(answer, 'invalid_client', failedClient)
    assert.equal(await use(service, tokens.access_token), 200)
    assert.equal((await redeem(service, code)).status, 200)
    assert.equal((await refresh(service, tokens.refresh_token)).status, 200)
  })

  test('nobody at all is told what is missing', async () => {
    const said = 'parameter client_id is missing, and there is no Authorization header'
    assertRefused(await ask(null), 'invalid_client', said)
    const secretAlone = await ask(null, { client_secret: 'nightly-report-secret' })
    assertRefused(secretAlone, 'invalid_client', said)
  })

  test('CA-10: no blank and no made-up secret opens', async () => {
    const secrets = ['', ' ', 'null', 'undefined', '0', '[]', 'false', 'nightly-report-secret ']
    for (const secret of secrets) {
      const inHeader = await ask(encoded(`nightly-report:${encodeURIComponent(secret)}`))
      assertRefused(inHeader, 'invalid_client', failedClient)
      const inBody = await ask(null, { client_id: 'nightly-report', client_secret: secret })
      assertRefused(inBody, 'invalid_client', failedClient)
    }
  })
})

describe('CA-09: a public client has no secret', () => {
  test('one that it sends is refused, not ignored', async () => {
    const code = await obtainCode(service, galleryRequest)
    const inBody = await redeemPublicly(service, code, { client_secret: 'anything' })
    assertRefused(inBody, 'invalid_client', failedClient)
    const form = { grant_type: 'authorization_code', code }
    const inHeader = await service.post('/token', form, ['gallery', 'anything'])
    assertRefused(inHeader, 'invalid_client', failedClient)
    assert.equal((await redeemPublicly(service, code)).status, 200)
  })

  test('CA-08: the method none is held to exactly; of the two with a secret either will do', async () => {
    // The contract (section 3) leaves a client with a secret the choice between the two.
    for (const method of ['client_secret_basic', 'client_secret_post']) {
      const made = await create({ token_endpoint_auth_method: method })
      const credentials = { client_id: made.client_id, client_secret: made.client_secret }
      assert.equal((await ask(basic([made.client_id, made.client_secret]))).status, 200)
      assert.equal((await ask(null, credentials)).status, 200)
      assertRefused(await ask(null, { client_id: made.client_id }), 'invalid_client', failedClient)
    }
  })
})

test('CA-12: an unknown client and a wrong secret are answered alike', async () => {
  const answers = [
    await ask(basic(['nightly-report', 'wrong'])),
    await ask(basic(['no-such-client', 'wrong'])),
    await ask(null, { client_id: 'no-such-client' }),
    await ask(null, { client_id: 'nightly-report', client_secret: 'wrong' }),
    await ask(null, { client_id: 'NIGHTLY-REPORT', client_secret: 'nightly-report-secret' }),
    await ask(basic(['', ''])),
    await ask(null, { client_id: "' or 1=1 --", client_secret: 'x' }),
  ]
  for (const answer of answers) assertRefused(answer, 'invalid_client', failedClient)
  // Only the reference differs: it is another one in each answer, and of the same length.
  const alike = answers.map(({ text, headers, reference }) => {
    const rest = [...headers].filter(([name]) => name !== 'latchkey-reference')
    return JSON.stringify([text.replace(reference ?? '', ''), rest])
  })
  assert.equal(new Set(alike).size, 1)
  assert.equal(new Set(answers.map(({ reference }) => reference)).size, answers.length)
})

describe('CA-14: a client that goes', () => {
  test('disabled: nothing opens any more, at once; enabled, the secret does again and no earlier token', async () => {
    const made = await create()
    const credentials = [made.client_id, made.client_secret] as const
    const token = (await ask(basic(credentials))).body.access_token
    assert.equal(await use(service, token), 200)
    await operator('PATCH', `clients/${made.client_id}`, { disabled: true })
    assertRefused(await ask(basic(credentials)), 'invalid_client', failedClient)
    assert.equal(await use(service, token), 401)
    await operator('PATCH', `clients/${made.client_id}`, { disabled: false })
    assert.equal(await use(service, token), 401)
    const fresh = (await ask(basic(credentials))).body.access_token
    assert.equal(await use(service, fresh), 200)
  })

  test("disabled: its owners' tokens stop with it", async () => {
    const made = await create({
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [callback],
    })
    const reader = await create({ may_introspect: true })
    const code = await obtainCode(service, {
      response_type: 'code',
      client_id: made.client_id,
      redirect_uri: callback,
    })
    const credentials = [made.client_id, made.client_secret] as const
    const { body: tokens } = await redeem(service, code, credentials)
    await operator('PATCH', `clients/${made.client_id}`, { disabled: true })
    assert.equal(await use(service, tokens.access_token), 401)
    const seen = await introspect(service, tokens.access_token, [
      reader.client_id,
      reader.client_secret,
    ])
    assert.deepEqual(seen, { active: false })
    const renewed = await refresh(service, tokens.refresh_token, credentials)
    assertRefused(renewed, 'invalid_client', failedClient)
  })

  test('deleted: for good, also for a new client of the same name', async () => {
    const made = await create({ client_id: 'short-lived' })
    const token = (await ask(basic([made.client_id, made.client_secret]))).body.access_token
    await operator('DELETE', 'clients/short-lived')
    const gone = await ask(basic([made.client_id, made.client_secret]))
    assertRefused(gone, 'invalid_client', failedClient)
    assert.equal(await use(service, token), 401)
    await create({ client_id: 'short-lived' })
    assert.equal(await use(service, token), 401)
    const old = await ask(basic([made.client_id, made.client_secret]))
    assertRefused(old, 'invalid_client', failedClient)
  })

  test('CC-05: a registration access token ends with its registration', async () => {
    const { body: made } = await service.ask('/register', { json: { redirect_uris: [callback] } })
    const manage = (method: string) =>
      service.ask(`/register/${made.client_id}`, {
        ...bearer(made.registration_access_token),
        method,
      })
    assert.equal((await manage('GET')).status, 200)
    assert.equal((await manage('DELETE')).status, 204)
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await manage(method)
      assert.deepEqual([status, body.error], [401, 'invalid_token'])
    }
  })

  test('a rotated secret replaces the old one at once', async () => {
    const made = await create()
    const { body } = await operator('POST', `clients/${made.client_id}/rotate-secret`)
    const old = await ask(basic([made.client_id, made.client_secret]))
    assertRefused(old, 'invalid_client', failedClient)
    assert.equal((await ask(basic([made.client_id, body.client_secret]))).status, 200)
  })
})

/** How far counts are from even, in units of its expected spread: the statistic and its mean. */
const chiSquare = (letters: string, alphabet: string): number => {
  const expected = letters.length / alphabet.length
  return [...alphabet]
    .map((letter) => (letters.split(letter).length - 1 - expected) ** 2 / expected)
    .reduce((sum, one) => sum + one, 0)
}

test('CA-13: a thousand secrets of 256 bits, none twice, every letter as likely', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const answers = await Promise.all(
    Array.from({ length: 1000 }, () =>
      service.ask('/register', { json: { redirect_uris: [callback] } }),
    ),
  )
  const secrets = answers.map(({ body }) => String(body.client_secret))
  for (const secret of secrets) assert.match(secret, /^lk_cs_[A-Za-z0-9_-]{43}$/)
  assert.equal(new Set(secrets).size, 1000)
  // The last letter holds four bits only. 63 degrees of freedom: beyond 140 once in 10^7.
  const letters = secrets.map((secret) => secret.slice(6, -1)).join('')
  assert.ok(chiSquare(letters, alphabet) < 140)
})

describe('CA-11: guessing secrets', () => {
  test('ends in 429 with Retry-After; other addresses and the next minute are not touched', async () => {
    const guessed = await start({ trustedProxies: ['127.0.0.1'] })
    const from = (address: string, client: readonly [string, string]) =>
      guessed.ask('/token', {
        form: grant,
        headers: { authorization: basic(client), 'x-forwarded-for': address },
      })
    for (let tries = 0; tries < defaultLimits.refusalsPerMinute; tries++) {
      // One host has all of its /64, so changing the rest of the address gains nothing.
      const answer = await from(`2001:db8::${tries.toString(16)}`, ['nightly-report', `x${tries}`])
      assert.equal(answer.status, 401)
    }
    const { status, headers, body } = await from('2001:db8::ffff', ['nightly-report', 'x'])
    assert.equal(status, 429)
    assert.equal(headers.get('retry-after'), '60')
    assert.deepEqual(body, {
      error: 'too_many_requests',
      error_description: 'too many refused requests: slow down',
    })
    assert.equal((await from('2001:db8::ffff', nightlyReport)).status, 200)
    assert.equal((await from('2001:db8:0:1::1', ['nightly-report', 'x'])).status, 401)
    assert.equal((await from('192.0.2.1', ['nightly-report', 'x'])).status, 401)
    await guessed.advance(60)
    assert.equal((await from('2001:db8::1', ['nightly-report', 'x'])).status, 401)
    await guessed.close()
  })
})
