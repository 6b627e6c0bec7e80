/** Signals: an API hears by its stream of tokens that end, or allow less (SSF 1.0, CAEP 1.0, RISC 1.0). */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { signalLimits } from '../../src/features/signals/limits.ts'
import { answerOf } from '../support/browser.ts'
import { newConsoleVisitor } from '../support/console.ts'
import { houseApp, nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { orders, startWithJwts } from '../support/elsewhere.ts'
import { handTimer } from '../support/feed.ts'
import { codeRequest, walk } from '../support/printing.ts'
import { askSsf, openStream, pollStream, setsOf } from '../support/signals.ts'
import { openSite, type Site } from '../support/site.ts'
import { type Started, start } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'
import { bearer, type Operator, operatorOf } from './operator.ts'

const timer = handTimer()
let service: Started
let operator: Operator
before(async () => {
  service = await startWithJwts({ every: timer.every })
  operator = await operatorOf(service)
})
after(() => service.close())

const read = 'orders:read'
const both = 'orders:read orders:write'

/** What alice allows Photo Printer, as its token says it. */
const allow = async (scope = both) => {
  const request = { ...codeRequest, scope, prompt: 'consent' }
  const { code = '' } = answerOf(await walk(service, request))
  const { body } = await redeem(service, code, photoPrinter, { resource: orders })
  const { sub = '', lk_authorization: id, ...claims } = decodeJwt(body.access_token)
  return { token: body.access_token as string, sub, id: String(id), tokenId: claims.jti }
}

const subjectOf = ({ sub, id }: { readonly sub: string; readonly id: string }) => ({
  format: 'complex',
  user: { format: 'iss_sub', iss: service.issuer, sub },
  application: { format: 'opaque', id: photoPrinter[0] },
  session: { format: 'opaque', id },
})

const told = async (stream: string, asked: object = {}) =>
  setsOf(service, await pollStream(service, stream, asked))

/** Takes all that waits. */
const drain = async (stream: string): Promise<void> => {
  const ack = (await told(stream)).map(({ jti }) => jti)
  if (ack.length > 0) await pollStream(service, stream, { ack, maxEvents: 0 })
}

test('the configuration of the transmitter', async () => {
  const { status, body } = await service.ask('/.well-known/ssf-configuration')
  assert.equal(status, 200)
  assert.deepEqual(body, {
    spec_version: '1_0',
    issuer: service.issuer,
    jwks_uri: `${service.issuer}/jwks`,
    delivery_methods_supported: ['urn:ietf:rfc:8935', 'urn:ietf:rfc:8936'],
    configuration_endpoint: `${service.issuer}/ssf/streams`,
    status_endpoint: `${service.issuer}/ssf/status`,
    verification_endpoint: `${service.issuer}/ssf/verification`,
    authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }, { spec_urn: 'urn:ietf:rfc:7617' }],
    default_subjects: 'ALL',
    critical_subject_members: ['session'],
  })
  const strict = await start({ profile: 'fapi-2.0' })
  const known = await strict.ask('/.well-known/ssf-configuration')
  assert.deepEqual(known.body.authorization_schemes, [{ spec_urn: 'urn:ietf:rfc:6749' }])
  await strict.close()
})

const caep = 'https://schemas.openid.net/secevent/caep/event-type'
const supported = [
  `${caep}/session-revoked`,
  `${caep}/token-claims-change`,
  `${caep}/credential-change`,
  'https://schemas.openid.net/secevent/risc/event-type/account-disabled',
  'https://schemas.openid.net/secevent/risc/event-type/account-enabled',
]

describe('a stream', () => {
  const path = '/ssf/streams'

  test('is created, read, changed, replaced and deleted', async () => {
    const revoked = supported[0] ?? ''
    const given = { events_requested: [revoked, 'https://other.example/e'], description: 'Orders' }
    const created = await askSsf(service, 'POST', path, given)
    assert.equal(created.status, 201)
    const { stream_id: id } = created.body
    const expected = {
      stream_id: id,
      iss: service.issuer,
      aud: nightlyReport[0],
      delivery: { method: 'urn:ietf:rfc:8936', endpoint_url: `${service.issuer}/ssf/poll/${id}` },
      events_supported: supported,
      events_requested: [revoked],
      events_delivered: [revoked],
      min_verification_interval: signalLimits.verificationSeconds,
      description: 'Orders',
    }
    assert.deepEqual(created.body, expected)
    const one = await askSsf(service, 'GET', `${path}?stream_id=${id}`)
    assert.deepEqual(one.body, expected)
    assert.deepEqual((await askSsf(service, 'GET', path)).body, [expected])
    const patched = await askSsf(service, 'PATCH', path, { stream_id: id, description: 'Books' })
    assert.deepEqual(patched.body, { ...expected, description: 'Books' })
    const replaced = await askSsf(service, 'PUT', path, { stream_id: id })
    const { description: _, ...bare } = expected
    const all = { events_requested: supported, events_delivered: supported }
    assert.deepEqual(replaced.body, { ...bare, ...all })
    assert.equal((await askSsf(service, 'DELETE', `${path}?stream_id=${id}`)).status, 204)
    assert.equal((await askSsf(service, 'GET', `${path}?stream_id=${id}`)).status, 404)
    assert.deepEqual((await askSsf(service, 'GET', path)).body, [])
  })

  test('with a wrong member is refused, and says what was expected', async () => {
    for (const [given, said] of [
      [{ delivery: { method: 'urn:ietf:rfc:1' } }, /delivery\.method has to be urn:ietf:rfc:8935/],
      [{ delivery: { method: 'urn:ietf:rfc:8935' } }, /endpoint_url has to be an https URL/],
      [{ delivery: 'push' }, /delivery has to be an object/],
      [{ events_requested: 'all' }, /events_requested has to be a list/],
      [{ description: 7 }, /description has to be a text/],
      [{ description: 'a\u0000' }, /without control characters/],
    ] as const) {
      const { status, body } = await askSsf(service, 'POST', path, given)
      assert.deepEqual([status, body.error], [400, 'invalid_request'])
      assert.match(body.error_description, said)
    }
  })

  test('takes back what it said of itself, and nothing else', async () => {
    const id = await openStream(service)
    const { body } = await askSsf(service, 'GET', `${path}?stream_id=${id}`)
    for (const method of ['PUT', 'PATCH']) {
      const change = { ...body, description: 'Books' }
      const same = await askSsf(service, method, path, change)
      assert.deepEqual([same.status, same.body], [200, change])
      for (const other of [
        { iss: 'https://other.example' },
        { aud: 'other' },
        { events_supported: [] },
        { events_delivered: [] },
        { min_verification_interval: 1 },
        { inactivity_timeout: 60 },
        { delivery: { ...body.delivery, endpoint_url: 'https://other.example/poll' } },
      ]) {
        const refused = await askSsf(service, method, path, { ...body, ...other })
        assert.equal(refused.status, 400, JSON.stringify(other))
        assert.match(refused.body.error_description, /has to be as the stream has it/)
      }
    }
    await askSsf(service, 'DELETE', `${path}?stream_id=${id}`)
  })

  test('has to be named where one is meant', async () => {
    for (const [method, where] of [
      ['PUT', path],
      ['PATCH', path],
      ['POST', '/ssf/status'],
      ['POST', '/ssf/verification'],
      ['DELETE', path],
      ['GET', '/ssf/status'],
    ] as const) {
      const given = ['DELETE', 'GET'].includes(method) ? undefined : { status: 'enabled' }
      const { status, body } = await askSsf(service, method, where, given)
      const said = { error: 'invalid_request', error_description: 'stream_id is needed' }
      assert.deepEqual([status, body], [400, said], `${method} ${where}`)
    }
  })

  test('is one of ten at most', async () => {
    const ids: string[] = []
    for (let i = 0; i < signalLimits.streams; i++) ids.push(await openStream(service))
    assert.equal((await askSsf(service, 'POST', path, {})).status, 409)
    for (const id of ids) await askSsf(service, 'DELETE', `${path}?stream_id=${id}`)
  })

  test('is managed and read with a token of the client as well', async () => {
    const made = await operator('POST', 'clients', {
      grant_types: ['client_credentials'],
      scope: 'ssf.manage ssf.read',
    })
    const { client_id: id, client_secret: secret } = made.body
    await operator('POST', 'resources', {
      ...{ name: 'parcels', title: 'Parcels', read: 'Read', write: 'Write' },
      introspection_clients: [id],
    })
    const tokenFor = async (scope: string): Promise<string> => {
      const form = { grant_type: 'client_credentials', scope }
      return (await service.post('/token', form, [id, secret])).body.access_token
    }
    const create = { ...bearer(await tokenFor('ssf.manage')), json: {} }
    assert.equal((await service.ask(path, create)).status, 201)
    const readOnly = bearer(await tokenFor('ssf.read'))
    assert.equal((await service.ask(path, readOnly)).body.length, 1)
    const narrow = await service.ask(path, { ...readOnly, json: {} })
    assert.equal(narrow.status, 403)
    const challenge = /^Bearer realm="latchkey", error="insufficient_scope".*scope="ssf.manage"/
    assert.match(narrow.headers.get('www-authenticate') ?? '', challenge)
    const unknown = await service.ask(path, bearer('lk_at_unknown'))
    assert.match(unknown.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/)
  })
})

describe('what happens is', () => {
  let stream: string
  before(async () => {
    stream = await openStream(service)
  })
  after(() => askSsf(service, 'DELETE', `/ssf/streams?stream_id=${stream}`))

  test('narrowing: token-claims-change, with the permissions that are left at this API', async () => {
    const allowed = await allow('orders:read orders:write photos:read')
    await drain(stream)
    await operator('PATCH', `authorizations/${allowed.id}`, {
      permissions: ['orders:read', 'photos:read'],
    })
    const [set, ...more] = await told(stream)
    assert.deepEqual(more, [])
    assert.deepEqual(set?.subject, subjectOf(allowed))
    assert.equal(set?.event, 'token-claims-change')
    const { claims, event_timestamp, initiating_entity } = set?.said ?? {}
    assert.deepEqual([claims, event_timestamp], [{ scope: read }, service.now()])
    assert.equal(initiating_entity, 'admin')
  })

  for (const [name, act] of [
    ['ending', (id: string) => operator('DELETE', `authorizations/${id}`)],
    ['pausing', (id: string) => operator('PATCH', `authorizations/${id}`, { paused: true })],
  ] as const) {
    test(`${name}: session-revoked`, async () => {
      const allowed = await allow()
      await drain(stream)
      assert.ok((await act(allowed.id)).status < 300)
      const sets = await told(stream)
      const its = sets.filter(({ subject }) => {
        const { session } = subject as { session: { id: string } }
        return session.id === allowed.id
      })
      assert.deepEqual(
        its.map(({ event, subject }) => [event, subject]),
        [['session-revoked', subjectOf(allowed)]],
      )
      await operator('PATCH', `authorizations/${allowed.id}`, { paused: false })
    })
  }

  test('revoking one token: session-revoked, about this token', async () => {
    const { token, tokenId } = await allow()
    await drain(stream)
    await service.post('/revoke', { token }, photoPrinter)
    const [set] = await told(stream)
    const subject = { format: 'jwt_id', iss: service.issuer, jti: tokenId }
    assert.deepEqual([set?.event, set?.subject], ['session-revoked', subject])
  })

  test('disabling an owner: account-disabled', async () => {
    const { sub } = await allow()
    await drain(stream)
    await operator('PATCH', `owners/${sub}`, { disabled: true })
    const [set] = await told(stream)
    assert.equal(set?.event, 'account-disabled')
    assert.deepEqual(set?.subject, { format: 'iss_sub', iss: service.issuer, sub })
    await operator('PATCH', `owners/${sub}`, { disabled: false })
  })
})

describe('a poll', () => {
  let stream: string
  before(async () => {
    stream = await openStream(service)
  })
  after(() => askSsf(service, 'DELETE', `/ssf/streams?stream_id=${stream}`))

  const endSome = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      service.pass(1)
      await operator('DELETE', `authorizations/${(await allow()).id}`)
    }
  }

  test('repeats a set until it is acknowledged, in any order', async () => {
    await drain(stream)
    await endSome(3)
    const first = await told(stream)
    assert.equal(first.length, 3)
    const [one, two, three] = first.map(({ jti }) => jti)
    assert.deepEqual(await told(stream), first)
    const rest = await told(stream, { ack: [two, 'unknown'] })
    assert.deepEqual(
      rest.map(({ jti }) => jti),
      [one, three],
    )
    assert.deepEqual(
      await told(stream, { ack: [one], setErrs: { [`${three}`]: { err: 'x' } } }),
      [],
    )
    assert.deepEqual(await told(stream), [])
  })

  test('has as many as it asks for, and says whether more wait', async () => {
    await drain(stream)
    await endSome(2)
    const one = await pollStream(service, stream, { maxEvents: 1 })
    assert.deepEqual([Object.keys(one.body.sets).length, one.body.moreAvailable], [1, true])
    const none = await pollStream(service, stream, { maxEvents: 0 })
    assert.deepEqual(none.body, { sets: {}, moreAvailable: true })
    await drain(stream)
  })

  test('waits for news, and ends with them', async () => {
    await drain(stream)
    const { id } = await allow()
    const waiting = pollStream(service, stream, { returnImmediately: false })
    await new Promise((resolve) => setImmediate(resolve))
    await operator('DELETE', `authorizations/${id}`)
    const answered = waiting.then((answer) => ({ answer }))
    let found: Awaited<typeof answered> | null = null
    void answered.then((one) => {
      found = one
    })
    while (found === null) {
      timer.tick()
      await new Promise((resolve) => setImmediate(resolve))
    }
    const [set] = await setsOf(service, (await answered).answer)
    assert.equal(set?.event, 'session-revoked')
    await drain(stream)
  })

  test('that waits hears nothing once the stream is at rest', async () => {
    await drain(stream)
    const { id } = await allow()
    const waiting = pollStream(service, stream, { returnImmediately: false })
    await new Promise((resolve) => setImmediate(resolve))
    const rest = (status: string) =>
      askSsf(service, 'POST', '/ssf/status', { stream_id: stream, status })
    await rest('paused')
    await operator('DELETE', `authorizations/${id}`)
    let isAnswered = false
    void waiting.then(() => {
      isAnswered = true
    })
    while (!isAnswered) {
      timer.tick()
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.deepEqual((await waiting).body, { sets: {}, moreAvailable: false })
    await rest('enabled')
    await drain(stream)
  })

  test('counts a verification among its sets', async () => {
    await drain(stream)
    await endSome(2)
    await askSsf(service, 'POST', '/ssf/verification', { stream_id: stream })
    const two = await pollStream(service, stream, { maxEvents: 2 })
    assert.deepEqual([Object.keys(two.body.sets).length, two.body.moreAvailable], [2, true])
    await drain(stream)
  })

  test('with a wrong member is refused', async () => {
    for (const asked of [
      { maxEvents: -1 },
      { ack: 'x' },
      { ack: [1] },
      { setErrs: [] },
      { returnImmediately: 'no' },
    ]) {
      const { status, body } = await pollStream(service, stream, asked)
      assert.deepEqual([status, body.error], [400, 'invalid_request'])
    }
  })

  test('hears only of its own API, and only of the events that it asked for', async () => {
    const other = await openStream(service, {}, houseApp)
    const passwords = await openStream(service, { events_requested: [supported[2]] })
    await endSome(1)
    assert.deepEqual((await pollStream(service, other, {}, houseApp)).body.sets, {})
    assert.deepEqual(await told(passwords), [])
    for (const [id, client] of [
      [other, houseApp],
      [passwords, nightlyReport],
    ] as const) {
      await askSsf(service, 'DELETE', `/ssf/streams?stream_id=${id}`, undefined, client)
    }
    await drain(stream)
  })

  test('goes on after a restart', async () => {
    await endSome(1)
    await service.restart()
    assert.equal((await told(stream)).length, 1)
    await drain(stream)
  })
})

describe('the status', () => {
  const set = (id: string, status: string, more: object = {}) =>
    askSsf(service, 'POST', '/ssf/status', { stream_id: id, status, ...more })

  test('paused keeps what happens, and disabled drops it', async () => {
    const id = await openStream(service)
    const end = async () => operator('DELETE', `authorizations/${(await allow()).id}`)
    const paused = await set(id, 'paused', { reason: 'maintenance' })
    assert.deepEqual(paused.body, { stream_id: id, status: 'paused', reason: 'maintenance' })
    await end()
    assert.deepEqual(await told(id), [])
    await set(id, 'enabled')
    assert.equal((await told(id)).length, 1)
    await drain(id)
    await set(id, 'disabled')
    await end()
    assert.deepEqual((await set(id, 'enabled')).body, { stream_id: id, status: 'enabled' })
    assert.deepEqual(await told(id), [])
    const read = await askSsf(service, 'GET', `/ssf/status?stream_id=${id}`)
    assert.deepEqual(read.body, { stream_id: id, status: 'enabled' })
    assert.equal((await set(id, 'asleep')).status, 400)
    await askSsf(service, 'DELETE', `/ssf/streams?stream_id=${id}`)
  })
})

describe('a verification', () => {
  test('comes as a set with the state, and not too often', async () => {
    const id = await openStream(service)
    const verify = (json: object = {}) =>
      askSsf(service, 'POST', '/ssf/verification', { stream_id: id, ...json })
    assert.equal((await verify({ state: 'abc' })).status, 204)
    const again = await verify()
    assert.equal(again.status, 429)
    const seconds = String(signalLimits.verificationSeconds)
    assert.equal(again.headers.get('retry-after'), seconds)
    const [set] = await told(id)
    assert.deepEqual([set?.event, set?.said], ['verification', { state: 'abc' }])
    assert.deepEqual(set?.subject, { format: 'opaque', id })
    assert.deepEqual(await told(id, { ack: [set?.jti] }), [])
    service.pass(signalLimits.verificationSeconds)
    assert.equal((await verify()).status, 204)
    assert.deepEqual((await told(id))[0]?.said, {})
    await askSsf(service, 'DELETE', `/ssf/streams?stream_id=${id}`)
  })
})

describe('a push', () => {
  let site: Site
  let status = 202
  let body = ''
  let id: string
  before(async () => {
    site = await openSite((_, answer) => answer.writeHead(status).end(body))
    id = await openStream(service, {
      delivery: {
        method: 'urn:ietf:rfc:8935',
        endpoint_url: `http://127.0.0.1:${site.port}/signals`,
        authorization_header: 'Bearer s3cr3t-of-the-receiver',
      },
    })
  })
  after(() => site.close())

  const end = async () => {
    const allowed = await allow()
    await operator('DELETE', `authorizations/${allowed.id}`)
    return allowed
  }
  const posted = () => site.requests.map(({ body: set }) => decodeJwt(set).sub_id)

  test('posts a set, with what the receiver wants along', async () => {
    const allowed = await end()
    await service.advance(1)
    const [request, ...more] = site.requests
    assert.deepEqual(more, [])
    assert.deepEqual(
      [request?.method, request?.url, request?.headers['content-type']],
      ['POST', '/signals', 'application/secevent+jwt'],
    )
    assert.equal(request?.headers.authorization, 'Bearer s3cr3t-of-the-receiver')
    assert.deepEqual(posted(), [subjectOf(allowed)])
    await service.advance(1)
    assert.equal(site.requests.length, 1)
  })

  test('never shows the credential again', async () => {
    const { text } = await askSsf(service, 'GET', `/ssf/streams?stream_id=${id}`)
    assert.doesNotMatch(text, /s3cr3t/)
    assert.match(text, /"endpoint_url":"http:/)
  })

  test('keeps the credential of a URL that stays', async () => {
    const delivery = {
      method: 'urn:ietf:rfc:8935',
      endpoint_url: `http://127.0.0.1:${site.port}/signals`,
    }
    const put = await askSsf(service, 'PUT', '/ssf/streams', { stream_id: id, delivery })
    assert.equal(put.status, 200)
    await end()
    await service.advance(1)
    assert.equal(site.requests.at(-1)?.headers.authorization, 'Bearer s3cr3t-of-the-receiver')
  })

  test('is done with a status of success, whatever comes behind it', async () => {
    body = 'x'.repeat(signalLimits.answerBytes * 4)
    const earlier = site.requests.length
    await end()
    await service.advance(1)
    body = ''
    await service.advance(signalLimits.firstPauseSeconds)
    assert.equal(site.requests.length, earlier + 1)
  })

  test('is tried again after a failure, in order, and names the deaf API', async () => {
    status = 503
    const earlier = site.requests.length
    const first = await end()
    // The later second counts.
    service.pass(1)
    const second = await end()
    await service.advance(1)
    assert.equal(site.requests.length, earlier + 1)
    await service.advance(signalLimits.deafSeconds)
    const messages = service.notices.map(({ message }) => message)
    assert.ok(messages.includes('an API does not take its signals'))
    const deaf = service.notices.filter(
      ({ message }) => message === 'an API has not taken a revocation',
    )
    assert.deepEqual(
      deaf.map(({ resource }) => resource),
      ['orders'],
    )
    const { browser } = await newConsoleVisitor(service, ['auditor'], 'Otto Ops')
    const console = await browser.go(`${service.issuer}/admin`)
    assert.match(
      console.text,
      /<code>orders<\/code><\/a> has not taken a revocation for \d+ seconds\./,
    )
    const families = await service.server().askMetrics()
    const family = families.find(({ name }) => name === 'latchkey_revocation_seconds')
    assert.ok(family !== undefined && family.type === 'gauge')
    const [{ labels, value } = { labels: {}, value: 0 }] = family.samples
    assert.deepEqual(labels, { resource: 'orders' })
    assert.ok(value >= signalLimits.deafSeconds)
    status = 202
    await service.advance(signalLimits.longestPauseSeconds)
    assert.deepEqual(posted().slice(-2), [subjectOf(first), subjectOf(second)])
    await service.advance(1)
    const again = service.notices.map(({ message }) => message)
    assert.ok(again.includes('an API takes revocations again'))
  })

  test('goes on behind a set that the receiver refuses for good', async () => {
    status = 400
    body = '{"err":"invalid_request","description":"no"}'
    const refused = await end()
    await service.advance(1)
    assert.deepEqual(posted().at(-1), subjectOf(refused))
    status = 202
    body = ''
    const next = await end()
    await service.advance(1)
    assert.deepEqual(posted().slice(-2), [subjectOf(refused), subjectOf(next)])
  })

  test('has no poll, and ends with its stream', async () => {
    assert.equal((await pollStream(service, id)).status, 404)
    await askSsf(service, 'DELETE', `/ssf/streams?stream_id=${id}`)
    const earlier = site.requests.length
    await end()
    await service.advance(1)
    assert.equal(site.requests.length, earlier)
  })
})
