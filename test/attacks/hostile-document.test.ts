/**
 * Hostile client metadata documents (draft-ietf-oauth-client-id-metadata-document-02 section 6). They
 * make the service fetch too much or the wrong thing, or claim to be another client.
 */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { createDocuments } from '../../src/clients/documents.ts'
import { documentLimits } from '../../src/clients/limits.ts'
import { unbounded } from '../../src/clients/site-fetch.ts'
import { createOutbound } from '../../src/http/outbound.ts'
import { mergeRegistries } from '../../src/registries.ts'
import { operatorOf } from '../flows/operator.ts'
import { Browser, type Page } from '../support/browser.ts'
import { selfSigned } from '../support/certificate.ts'
import { type DocumentSite, goodDocument, openDocumentSite } from '../support/document-site.ts'
import { newVisitor } from '../support/people.ts'
import { authorizePath, callback } from '../support/printing.ts'
import { openSite } from '../support/site.ts'
import { type Started, start } from '../support/start.ts'

const trusted = selfSigned(['127.0.0.1'])
setDefaultCACertificates([trusted.cert])

const requestOf = (client_id: string) => ({
  response_type: 'code',
  client_id,
  redirect_uri: callback,
  scope: 'photos',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
})

let demo: Started
let host: DocumentSite
before(async () => {
  demo = await start()
  host = await openDocumentSite()
})
after(async () => {
  await demo.close()
  await host.site.close()
})

const ask = (client_id: string, service = demo): Promise<Page> =>
  new Browser(service).go(authorizePath(requestOf(client_id)))

const isAsked = ({ url }: Page): boolean => url.includes('/login')

/** From any address, without following the answer. */
const askFrom = async (peer: string, client_id: string, service: Started) => {
  const url = service.issuer + authorizePath(requestOf(client_id))
  return service.server().fetch(new Request(url), peer)
}

/** The reason in the log of the last fetch. */
const lastReason = ({ notices }: Started): unknown =>
  notices.findLast(({ message }) => message === 'a client metadata document was not taken')?.reason

const json = { 'Content-Type': 'application/json' }

describe('what breaks a rule is no client', () => {
  const good = (id: string, change: object = {}): string =>
    JSON.stringify({ ...goodDocument(id), ...change })
  const send =
    (body: string | Buffer, headers: object = json, status = 200) =>
    (response: ServerResponse) =>
      response.writeHead(status, { ...headers }).end(body)
  const changed = (change: object) => (id: string) => send(good(id, change))

  const attacks: Readonly<
    Record<string, readonly [(id: string) => (response: ServerResponse) => unknown, string]>
  > = {
    'a redirect to another host': [
      () => send('', { Location: 'https://evil.example/client.json' }, 302),
      'redirected',
    ],
    'a redirect on the same host': [() => send('', { Location: '/other.json' }, 307), 'redirected'],
    'a page': [(id) => send(good(id), { 'Content-Type': 'text/html' }), 'document_type'],
    'no type': [(id) => send(good(id), {}), 'document_type'],
    'a type that only looks like JSON': [
      (id) => send(good(id), { 'Content-Type': 'text/json' }),
      'document_type',
    ],
    'another status': [(id) => send(good(id), json, 203), 'status_203'],
    'news of a copy that was never there': [() => send('', json, 304), 'status_304'],
    'a bot challenge': [() => send('<html>', { 'Content-Type': 'text/html' }, 403), 'status_403'],
    'more than it may have, announced': [
      (id) => send(good(id, { padding: 'x'.repeat(documentLimits.bytes) })),
      'too_large',
    ],
    'more than it may have, in pieces': [
      () => (response) => {
        response.writeHead(200, json)
        response.write('x'.repeat(documentLimits.bytes))
        response.end('x')
      },
      'too_large',
    ],
    'a bomb': [
      () => send(gzipSync(Buffer.alloc(1024 * 1024)), { ...json, 'Content-Encoding': 'gzip' }),
      'encoded',
    ],
    'grants for others than public clients': [
      changed({ grant_types: ['client_credentials', 'password'] }),
      'document_grants',
    ],
    'no grant at all': [changed({ grant_types: [] }), 'document_grants'],
    'no JSON': [() => send('{'), 'bad_json'],
    'no object': [() => send('[]'), 'json_not_object'],
    'a tower of brackets': [() => send('['.repeat(60_000)), 'json_too_deep'],
    'no UTF-8': [() => send(Buffer.from([0x7b, 0xff, 0x7d])), 'document_not_utf8'],
    'the id of another client': [
      changed({ client_id: 'https://bank.example/client.json' }),
      'document_client_id',
    ],
    'an id spelled otherwise': [
      (id) => send(good(id, { client_id: id.replace('/', '%2F') })),
      'document_client_id',
    ],
    'no id': [changed({ client_id: undefined }), 'document_client_id'],
    'no name': [changed({ client_name: undefined }), 'document_member_missing'],
    'a blank name': [changed({ client_name: ' ' }), 'bad_client_name'],
    'a name with control characters': [
      changed({ client_name: 'Bank\u0000\u001b[2J\u0007' }),
      'bad_client_name',
    ],
    'very many redirect URIs': [
      changed({
        redirect_uris: Array.from({ length: 1000 }, (_, turn) => `https://app.example/${turn}`),
      }),
      'bad_redirect_uris',
    ],
    'no redirect URIs': [changed({ redirect_uris: undefined }), 'document_member_missing'],
    'an empty list of redirect URIs': [changed({ redirect_uris: [] }), 'missing_redirect_uri'],
    'a script for a redirect URI': [
      changed({ redirect_uris: [callback, 'javascript:alert(1)'] }),
      'bad_redirect_uri',
    ],
    'plain http elsewhere': [
      changed({ redirect_uris: ['http://app.example/cb'] }),
      'bad_redirect_uri',
    ],
    'a secret': [changed({ client_secret: 'x' }), 'document_secret'],
    'the end of a secret': [changed({ client_secret_expires_at: 0 }), 'document_secret'],
    'a shared secret as its method': [
      changed({ token_endpoint_auth_method: 'client_secret_basic' }),
      'document_method',
    ],
    'a logo that is a script': [changed({ logo_uri: 'javascript:alert(1)' }), 'bad_logo_uri'],
  }
  for (const [index, [what, [attack, reason]]] of Object.entries(attacks).entries()) {
    test(what, async () => {
      // Failed fetches are bounded.
      if (index % 20 === 0) demo.pass(documentLimits.windowSeconds)
      const path = `/attack-${index}.json`
      const id = host.answer(path, (_request, response) => attack(host.url(path))(response))
      const { status, text } = await ask(id)
      assert.deepEqual([status, lastReason(demo)], [400, reason], text)
      const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: id }
      assert.equal((await demo.post('/token', form)).body.error, 'invalid_client')
    })
  }

  test('a host that ends the connection', async () => {
    const id = host.answer('/cut.json', (request) => request.socket.destroy())
    assert.equal((await ask(id)).status, 400)
    assert.equal(lastReason(demo), 'no_answer')
  })

  test('another spelling of a URL is not even fetched', async () => {
    const { port } = new URL(host.serve('/spelled.json'))
    assert.ok(isAsked(await ask(host.url('/spelled.json'))))
    const fetched = host.asked('/spelled.json')
    const connections = host.site.connections()
    for (const id of [
      `HTTP://127.0.0.1:${port}/spelled.json`,
      `http://127.0.0.1:${port}/./spelled.json`,
      `http://127.0.0.1:${port}/a/../spelled.json`,
      `http://127.0.0.1:${port}/a/%2e%2E/spelled.json`,
      `http://127.0.0.1:${port}/spelled.json#x`,
      `http://me@127.0.0.1:${port}/spelled.json`,
      `http://127.0.0.1:0${port}/spelled.json`,
      `http://127.1:${port}/spelled.json`,
      `http://127.0.0.1:${port}\\spelled.json`,
      `http://127.0.0.1:${port}`,
      'http://app.example/client.json',
      'https://app.example',
      'https://app.example:443/client.json',
      'https://App.example/client.json',
    ]) {
      assert.equal((await ask(id)).status, 400, id)
    }
    assert.equal(host.asked('/spelled.json'), fetched)
    assert.equal(host.site.connections(), connections)
  })
})

describe('nothing behind the wall is fetched outside the demo', () => {
  let service: Started
  before(async () => {
    service = await start({ demo: false })
  })
  after(() => service.close())

  const port = (): string => new URL(host.url()).port
  const inside: Readonly<Record<string, () => string>> = {
    'this machine': () => `https://127.0.0.1:${port()}/client.json`,
    'its name': () => `https://localhost:${port()}/client.json`,
    'its IPv6 address': () => `https://[::1]:${port()}/client.json`,
    'a private network': () => 'https://10.0.0.1/client.json',
    'the metadata of a cloud': () => 'https://169.254.169.254/latest/meta-data',
  }
  for (const [what, id] of Object.entries(inside)) {
    test(what, async () => {
      const connections = host.site.connections()
      const { status, text } = await ask(id(), service)
      assert.equal(status, 400)
      assert.equal(lastReason(service), 'forbidden_address')
      assert.equal(host.site.connections(), connections)
      // A stranger must not map the network by what the page says.
      assert.doesNotMatch(text, /address that this service does not reach/)
    })
  }

  test('nor over plain http', async () => {
    const connections = host.site.connections()
    assert.equal((await ask(host.url(), service)).status, 400)
    assert.equal(host.site.connections(), connections)
  })
})

describe('a flood', () => {
  const unknown = (turn: number): string => `https://host-${turn}.example/client.json`

  test('of failing fetches is bounded by network, and others go on', async () => {
    const service = await start({ demo: false })
    const most = documentLimits.failuresOfNetwork
    for (let turn = 0; turn < most; turn++) {
      // Addresses of one network share its bound.
      const { status } = await askFrom(`203.0.113.${turn}`, unknown(turn), service)
      assert.equal(status, 400)
    }
    const refused = await askFrom('203.0.113.99', unknown(most), service)
    assert.equal(refused.status, 429)
    assert.equal(refused.headers.get('retry-after'), String(documentLimits.windowSeconds))
    const page = await refused.text()
    assert.match(page, /Too many applications from your network are new here, or their documents/)
    assert.match(page, /Wait a minute, then try again\./)
    assert.equal((await askFrom('198.51.100.1', unknown(most), service)).status, 400)
    service.pass(documentLimits.windowSeconds)
    assert.equal((await askFrom('203.0.113.99', unknown(most), service)).status, 400)
    await service.close()
  })

  test('from one IPv6 site counts as one', async () => {
    const service = await start({ demo: false })
    const most = documentLimits.failuresOfNetwork
    const from = (turn: number) => `2001:db8:1:${turn.toString(16)}::1`
    for (let turn = 0; turn < most; turn++) {
      assert.equal((await askFrom(from(turn), unknown(turn), service)).status, 400)
    }
    assert.equal((await askFrom(from(most), unknown(most), service)).status, 429)
    await service.close()
  })

  test('of hosts that never answer holds a few places, and a copy still serves', async () => {
    demo.pass(documentLimits.windowSeconds)
    const known = host.serve('/known.json')
    assert.ok(isAsked(await ask(known)))
    const held: ServerResponse[] = []
    let reached = Promise.withResolvers<void>()
    const pending: Promise<Page>[] = []
    for (let turn = 0; turn < documentLimits.underWayOfNetwork; turn++) {
      reached = Promise.withResolvers<void>()
      const id = host.answer(`/held-${turn}.json`, (_request, response) => {
        held.push(response)
        reached.resolve()
      })
      pending.push(ask(id))
      await reached.promise
    }
    assert.equal((await ask(host.serve('/further.json'))).status, 429)
    demo.pass(300)
    assert.ok(isAsked(await ask(known)))
    for (const response of held) response.destroy()
    for (const page of await Promise.all(pending)) assert.equal(page.status, 400)
    assert.ok(isAsked(await ask(host.url('/further.json'))))
  })

  test('of good documents is bounded like registrations', async () => {
    const site = await openSite(
      ({ url = '' }, response) => {
        const id = `https://127.0.0.1:${site.port}${url}`
        response.writeHead(200, json).end(JSON.stringify(goodDocument(id)))
      },
      { certificate: trusted },
    )
    // The demo counts no networks, and outside it no document comes from this machine.
    const service = await start({ demo: false, registration: 'open', registrationsPerNetwork: 2 })
    const way = { outbound: createOutbound({ loopback: true, allowed: [] }), bounds: unbounded }
    const documents = createDocuments({
      ...service.server().operated,
      vault: (await service.server().operated.openRoot()).vault,
      registries: mergeRegistries({}, service.server().settings),
      tell: () => {},
      logos: { find: async () => null, want: () => {}, fetchWanted: async () => {} },
      sectors: { check: async () => {} },
      ways: { operator: way, itself: way },
    })
    const faultOf = async (turn: number) => {
      const caller = { named: null, proved: null } as never
      const asker = { at: service.now(), address: '203.0.113.1', requestId: 'r', caller }
      return documents.refresh(`https://127.0.0.1:${site.port}/${turn}.json`, asker)
    }
    assert.deepEqual([await faultOf(1), await faultOf(2)], [null, null])
    assert.deepEqual(await faultOf(3), { is: 'too_many', seconds: 3600 })
    // A known document is not counted again.
    service.pass(documentLimits.freshByDefault)
    assert.equal(await faultOf(1), null)
    await service.close()
    await site.close()
  })
})

describe('a document that imitates another client', () => {
  test('is shown with its own host on every page, and with a tile of nobody', async () => {
    const png = Buffer.from(`\x89PNG\r\n\x1a\n${'x'.repeat(50)}`, 'latin1')
    const logo_uri = host.answer('/logo.png', (_request, response) => response.end(png))
    demo.pass(documentLimits.windowSeconds)
    const id = host.serve('/imitation.json', { client_name: 'ChatGPT', logo_uri })
    const { browser } = await newVisitor(demo)
    const place = new URL(id).host
    const { text: login } = await ask(id)
    assert.ok(login.includes(`<strong><code>${place}</code></strong>`), login)
    await demo.advance(1)
    const page = await browser.go(authorizePath(requestOf(id)))
    assert.ok(page.text.includes(`<strong><code>${place}</code></strong>`))
    assert.match(page.text, /<span class="tile unknown" aria-hidden="true">\?<\/span>/)
    assert.match(page.text, /<\/h1>\n<p class="host"><b><code>127\.0\.0\.1:6750<\/code><\/b>/)
    assert.doesNotMatch(page.text, /client-logo/)
    assert.equal(page.text.includes(logo_uri), false)
    await browser.submit(page, { decision: 'allow' })
    const { text: account } = await browser.go('/account')
    const link = /href="(\/account\/access\/[^"]+)"/.exec(account)?.[1]
    const shown = link === undefined ? account : (await browser.go(link)).text
    assert.ok(shown.includes(`<strong><code>${place}</code></strong>`), shown)
  })

  test('cannot be changed over /register, nor made by it', async () => {
    const id = host.serve('/managed.json')
    assert.ok(isAsked(await ask(id)))
    const path = `/register/${encodeURIComponent(id)}`
    const headers = { authorization: 'Bearer lk_reg_x' }
    assert.equal((await demo.ask(path, { headers })).status, 401)
    const { body } = await demo.ask('/register', { json: goodDocument(id) })
    assert.notEqual(body.client_id, id)
  })

  test('gives itself no rights', async () => {
    const id = host.serve('/rights.json', {
      trusted: true,
      may_introspect: true,
      pinned: true,
      access_token_seconds: null,
      scope: 'clients:write',
      grant_types: ['authorization_code', 'password', 'client_credentials'],
    })
    assert.ok(isAsked(await ask(id)))
    const operator = await operatorOf(demo)
    const { body } = await operator('GET', `clients/${encodeURIComponent(id)}`)
    assert.deepEqual(
      [body.trusted, body.may_introspect, body.pinned, body.access_token_seconds, body.grant_types],
      [false, false, false, 3600, ['authorization_code']],
    )
    assert.equal(body.scope.includes('clients:write'), false)
  })

  test('cannot turn its name around, nor put lines into it', async () => {
    demo.pass(documentLimits.windowSeconds)
    const id = host.serve('/turned.json', { client_name: '\u202eknaB\u2066 \u200b\u2028yours' })
    const { browser } = await newVisitor(demo)
    await demo.advance(1)
    const { status, text } = await browser.go(authorizePath(requestOf(id)))
    assert.equal(status, 200)
    assert.doesNotMatch(text, /[\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
    assert.match(text, /<bdi class="name">/)
  })

  test('cannot flip between two versions: each change asks again, and too many are refused', async () => {
    demo.pass(documentLimits.windowSeconds)
    const path = '/flip.json'
    const flip = (name: string) =>
      host.serve(path, { client_name: name }, { 'Cache-Control': 'no-store' })
    const id = flip('Calendar helper')
    const { browser } = await newVisitor(demo)
    await demo.advance(1)
    const go = async (name: string): Promise<Page> => {
      flip(name)
      demo.pass(documentLimits.freshAtLeast)
      return browser.go(authorizePath(requestOf(id)))
    }
    const page = await browser.go(authorizePath(requestOf(id)))
    await browser.submit(page, { decision: 'allow' })
    assert.match((await go('Bank')).text, /has changed since you allowed it/)
    // The old name is no proof that it is the old application.
    assert.match((await go('Calendar helper')).url, /\/consent/)
    const pages: Page[] = []
    for (let turn = 0; turn < 20; turn++) pages.push(await go(turn % 2 === 0 ? 'Bank' : 'Calendar'))
    // The version that is stored still serves, and no other one.
    const statuses = pages.map(({ status }) => status)
    assert.deepEqual(statuses, [...Array.from({ length: 18 }, () => 200), 400, 200])
  })
})
