/** Client ID metadata documents (draft-ietf-oauth-client-id-metadata-document-02). */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { findCommand } from '../../src/cli/admin/work.ts'
import { documentLimits } from '../../src/clients/limits.ts'
import { answerOf, Browser, type Page } from '../support/browser.ts'
import { apiOf } from '../support/commands.ts'
import { type DocumentSite, goodDocument, openDocumentSite } from '../support/document-site.ts'
import { newVisitor } from '../support/people.ts'
import { authorizePath, walk } from '../support/printing.ts'
import { type Form, type Started, start } from '../support/start.ts'
import { use } from '../support/tokens.ts'
import { type Operator, operatorOf } from './operator.ts'

/** RFC 7636 appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const callback = 'http://127.0.0.1:43210/callback'

let service: Started
let operator: Operator
let host: DocumentSite
before(async () => {
  service = await start()
  host = await openDocumentSite()
})
// Its token would end while time passes.
beforeEach(async () => {
  operator = await operatorOf(service)
})
after(async () => {
  await service.close()
  await host.site.close()
})

const requestOf = (client_id: string, changes: Form = {}): Form => ({
  response_type: 'code',
  client_id,
  redirect_uri: callback,
  scope: 'photos',
  state: 'xyz',
  code_challenge: challenge,
  code_challenge_method: 'S256',
  ...changes,
})

/** The page of a browser that nobody is logged in at. */
const ask = (client_id: string, changes: Form = {}): Promise<Page> =>
  new Browser(service).go(authorizePath(requestOf(client_id, changes)))

/** A new owner who is logged in, so the consent page comes at once. */
const newAsker = async () => {
  const { browser } = await newVisitor(service)
  return (id: string, changes: Form = {}) => browser.go(authorizePath(requestOf(id, changes)))
}

const redeem = (client_id: string, code: string, redirect_uri = callback) =>
  service.post('/token', {
    grant_type: 'authorization_code',
    client_id,
    code,
    redirect_uri,
    code_verifier: verifier,
  })

const isAsked = ({ url }: Page): boolean => url.includes('/login') || url.includes('/consent')

/** The fault that the page tells a developer. */
const faultOn = ({ text }: Page): string =>
  (/<dt>Fault<\/dt><dd><code>(.*?)<\/code>/s.exec(text)?.[1] ?? '').replaceAll('&#39;', "'")

describe('a document', () => {
  test('is a client: approved, with tokens, refreshed, introspected, revoked', async () => {
    const id = host.serve('/whole.json')
    const page = await walk(service, requestOf(id))
    const { code = '', ...rest } = answerOf(page)
    assert.deepEqual(rest, { state: 'xyz', iss: service.issuer })
    assert.ok(page.headers.get('location')?.startsWith(`${callback}?`))
    const granted = await redeem(id, code)
    assert.equal(granted.status, 200, granted.text)
    assert.equal(granted.body.scope, 'photos:read photos:write')
    assert.equal(await use(service, granted.body.access_token), 200)
    const form = { grant_type: 'refresh_token', refresh_token: granted.body.refresh_token }
    const refreshed = await service.post('/token', { ...form, client_id: id })
    assert.equal(refreshed.status, 200, refreshed.text)
    const token = refreshed.body.refresh_token
    assert.deepEqual((await service.post('/revoke', { token, client_id: id })).body, {})
    assert.equal(await use(service, refreshed.body.access_token), 401)
  })

  test('is stored as the client that it describes', async () => {
    const id = host.serve('/described.json', {
      scope: 'nothing known',
      grant_types: [
        'authorization_code',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
        'client_credentials',
        'refresh_token',
      ],
      invented: { by: 'nobody' },
    })
    assert.ok(isAsked(await ask(id)))
    const { status, body } = await operator('GET', `clients/${encodeURIComponent(id)}`)
    assert.equal(status, 200)
    const { client_id_issued_at: at, document_fetched_at, document_fresh_until, ...rest } = body
    assert.deepEqual([document_fetched_at, document_fresh_until], [at, at + 300])
    assert.deepEqual(
      {
        client_id: rest.client_id,
        client_name: rest.client_name,
        redirect_uris: rest.redirect_uris,
        grant_types: rest.grant_types,
        response_types: rest.response_types,
        token_endpoint_auth_method: rest.token_endpoint_auth_method,
        registered_by: rest.registered_by,
        manages_itself: rest.manages_itself,
        pinned: rest.pinned,
        trusted: rest.trusted,
      },
      {
        client_id: id,
        client_name: 'Helper',
        redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        registered_by: 'itself',
        manages_itself: false,
        pinned: false,
        trusted: false,
      },
    )
    assert.equal('invented' in rest, false)
  })

  test('is never fetched but for an authorization request', async () => {
    const id = host.serve('/never.json')
    const form = { grant_type: 'authorization_code', client_id: id, code: 'x' }
    assert.equal((await service.post('/token', form)).body.error, 'invalid_client')
    for (const path of ['/introspect', '/revoke', '/device_authorization', '/bc-authorize']) {
      const { body } = await service.post(path, { token: 'x', client_id: id })
      assert.equal(body.error, 'invalid_client')
    }
    assert.equal(host.asked('/never.json'), 0)
  })

  test('is shown with its host and when it was first seen', async () => {
    const id = host.serve('/shown.json')
    const { text } = await (await newAsker())(id)
    const { port } = new URL(id)
    assert.match(text, new RegExp(`comes from <strong><code>127\\.0\\.0\\.1:${port}</code>`))
    assert.match(text, /First seen here<\/dt><dd><time/)
    assert.match(text, /Any program on this computer can claim to be it/)
    assert.doesNotMatch(text, /registered itself/)
  })

  test('has a default scope, which a newer copy changes and the operator can fix', async () => {
    const path = '/scope.json'
    const id = host.serve(path, { scope: 'photos:read planes' })
    const scopeAt = async () => {
      await ask(id)
      return (await operator('GET', `clients/${encodeURIComponent(id)}`)).body.scope
    }
    assert.equal(await scopeAt(), 'photos:read')
    service.pass(300)
    host.serve(path, { scope: 'contacts:read' })
    assert.equal(await scopeAt(), 'contacts:read')
    await operator('PATCH', `clients/${encodeURIComponent(id)}`, { scope: 'calendar' })
    service.pass(300)
    host.serve(path, { scope: 'photos' })
    const { text } = await (await newAsker())(id, { scope: 'photos calendar:read' })
    assert.equal(text.includes('value="photos:read"'), false)
    assert.equal(await scopeAt(), 'calendar:read calendar:write')
  })

  test('leaves choices to the service: the first offered value of each list', async () => {
    const chosen = async (path: string, change: Readonly<Record<string, unknown>>) => {
      const id = host.serve(path, change)
      assert.ok(isAsked(await ask(id)))
      return (await operator('GET', `clients/${encodeURIComponent(id)}`)).body
    }
    const lists = {
      subject_types_supported: ['pairwise', 'public'],
      id_token_signing_alg_values_supported: ['HS512', 'ES256', 'RS256'],
      userinfo_signing_alg_values_supported: ['none', 'EdDSA'],
      request_object_signing_alg_values_supported: ['PS512', 'PS256'],
      id_token_encryption_alg_values_supported: ['RSA1_5', 'ECDH-ES'],
      id_token_encryption_enc_values_supported: ['A192GCM', 'A256GCM'],
      introspection_signing_alg_values_supported: ['PS256', 'ML-DSA-65', 'RS256'],
    }
    const redirect_uris = [callback]
    const keyless = await chosen('/choices.json', { ...lists, redirect_uris })
    assert.deepEqual(
      [
        keyless.subject_type,
        keyless.id_token_signed_response_alg,
        keyless.userinfo_signed_response_alg,
        keyless.request_object_signing_alg,
        keyless.id_token_encrypted_response_alg,
        keyless.introspection_signed_response_alg,
      ],
      ['pairwise', 'ES256', 'EdDSA', 'PS256', undefined, 'ML-DSA-65'],
    )
    const keyed = await chosen('/keyed.json', {
      ...lists,
      redirect_uris,
      jwks_uri: host.url('/keys'),
      // Preferred: taken where it is offered, and else one of the list.
      subject_type: 'public',
      id_token_signed_response_alg: 'HS512',
    })
    assert.deepEqual(
      [
        keyed.subject_type,
        keyed.id_token_signed_response_alg,
        keyed.id_token_encrypted_response_alg,
        keyed.id_token_encrypted_response_enc,
      ],
      ['public', 'ES256', 'ECDH-ES', 'A256GCM'],
    )
    const others = await chosen('/unoffered.json', {
      id_token_signing_alg_values_supported: ['HS512', 7],
      subject_types_supported: 'pairwise',
    })
    const { subject_type, id_token_signed_response_alg: algorithm } = others
    assert.deepEqual([subject_type, algorithm], [undefined, undefined])
  })

  test('with a place elsewhere needs no warning of other programs', async () => {
    const id = host.serve('/web.json', { redirect_uris: [callback, 'https://app.example/cb'] })
    const { text } = await (await newAsker())(id)
    assert.match(text, /First seen here/)
    assert.doesNotMatch(text, /Any program on this computer/)
  })

  test('is supported, as the metadata say', async () => {
    const { body } = await service.ask('/.well-known/oauth-authorization-server')
    assert.equal(body.client_id_metadata_document_supported, true)
    assert.ok(body.token_endpoint_auth_methods_supported.includes('none'))
  })
})

describe('caching', () => {
  const fetches = async (path: string, seconds: number): Promise<number> => {
    const before = host.asked(path)
    service.pass(seconds)
    assert.ok(isAsked(await ask(host.url(path))))
    return host.asked(path) - before
  }
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
    ['five minutes where nothing is said', {}, 300],
    ['max-age', { 'Cache-Control': 'public, max-age=60' }, 60],
    ['s-maxage before max-age', { 'Cache-Control': 'max-age=900, s-maxage=40' }, 40],
    ['less the age', { 'Cache-Control': 'max-age=60', Age: '20' }, 40],
    ['no-store: five seconds', { 'Cache-Control': 'no-store' }, 5],
    ['max-age=0: five seconds', { 'Cache-Control': 'max-age=0' }, 5],
    ['a year: a day', { 'Cache-Control': 'max-age=31536000' }, 86_400],
    [
      'Expires',
      { Date: 'Sat, 21 Nov 2026 12:00:00 GMT', Expires: 'Sat, 21 Nov 2026 12:01:30 GMT' },
      90,
    ],
    ['a wrong Expires: five seconds', { Expires: '0' }, 5],
  ]
  for (const [index, [what, headers, seconds]] of rows.entries()) {
    test(what, async () => {
      const path = `/cached-${index}.json`
      host.serve(path, {}, headers)
      assert.equal(await fetches(path, 0), 1)
      assert.equal(await fetches(path, seconds - 1), 0)
      assert.equal(await fetches(path, 1), 1)
    })
  }

  test('a copy is renewed by its ETag, and 304 keeps it', async () => {
    const seen: (string | undefined)[] = []
    const id = host.answer('/etag.json', (request, response) => {
      seen.push(request.headers['if-none-match'])
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end()
      else {
        const type = { 'Content-Type': 'application/json', ETag: '"v1"' }
        response.writeHead(200, type).end(JSON.stringify(goodDocument(id)))
      }
    })
    for (let turn = 0; turn < 3; turn++) {
      assert.ok(isAsked(await ask(id)))
      service.pass(300)
    }
    assert.deepEqual(seen, [undefined, '"v1"', '"v1"'])
  })

  test('304 keeps the lifetime of before, unless it names another one', async () => {
    let confirmed: Readonly<Record<string, string>> = {}
    const path = '/lifetime.json'
    const id = host.answer(path, (request, response) => {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304, confirmed).end()
      else {
        const type = { 'Content-Type': 'application/json', ETag: '"v1"' }
        response.writeHead(200, { ...type, 'Cache-Control': 'max-age=40, must-revalidate' })
        response.end(JSON.stringify(goodDocument(id)))
      }
    })
    assert.equal(await fetches(path, 0), 1)
    for (let turn = 0; turn < 2; turn++) {
      assert.equal(await fetches(path, 40), 1)
      assert.equal(await fetches(path, 39), 0)
    }
    confirmed = { 'Cache-Control': 'max-age=90' }
    assert.equal(await fetches(path, 40), 1)
    assert.equal(await fetches(path, 89), 0)
  })

  test('many requests at once fetch once', async () => {
    const reached = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const id = host.answer('/once.json', async (_request, response) => {
      reached.resolve()
      await held.promise
      const type = { 'Content-Type': 'application/json' }
      response.writeHead(200, type).end(JSON.stringify(goodDocument(id)))
    })
    const pages = Array.from({ length: 20 }, () => ask(id))
    await reached.promise
    held.resolve()
    assert.ok((await Promise.all(pages)).every(isAsked))
    assert.equal(host.asked('/once.json'), 1)
  })

  test('failures are not kept', async () => {
    const id = host.url('/late.json')
    assert.equal((await ask(id)).status, 400)
    host.serve('/late.json')
    assert.ok(isAsked(await ask(id)))
  })
})

describe('a document that is gone', () => {
  test('ends no token, and gets no new approval', async () => {
    const id = host.serve('/gone.json')
    const { code = '' } = answerOf(await walk(service, requestOf(id)))
    const { body } = await redeem(id, code)
    host.answer('/gone.json', (_request, response) => response.writeHead(404).end())
    service.pass(300)
    const page = await ask(id)
    assert.equal(page.status, 400)
    assert.equal(faultOn(page), 'its host answers with status 404 instead of 200')
    assert.equal(await use(service, body.access_token), 200)
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id: id }
    const refreshed = await service.post('/token', form)
    assert.equal(refreshed.status, 200)
    const token = refreshed.body.refresh_token
    assert.equal((await service.post('/revoke', { token, client_id: id })).status, 200)
  })

  test('for a moment only still serves, for a day at most', async () => {
    const id = host.serve('/away.json')
    assert.ok(isAsked(await ask(id)))
    host.answer('/away.json', (_request, response) => response.writeHead(503).end())
    service.pass(300)
    const before = host.asked('/away.json')
    assert.ok(isAsked(await ask(id)))
    assert.ok(isAsked(await ask(id)))
    assert.equal(host.asked('/away.json') - before, 1)
    service.pass(documentLimits.freshAtMost - 301)
    assert.ok(isAsked(await ask(id)))
    service.pass(1)
    assert.equal((await ask(id)).status, 400)
  })

  test('serves no longer than its host allows', async () => {
    const id = host.serve('/strict.json', {}, { 'Cache-Control': 'max-age=60, must-revalidate' })
    assert.ok(isAsked(await ask(id)))
    host.answer('/strict.json', (_request, response) => response.writeHead(503).end())
    service.pass(60)
    assert.equal((await ask(id)).status, 400)
  })
})

describe('a changed document', () => {
  test('is asked about again, with what it was', async () => {
    const uris = ['https://old.example/cb']
    const id = host.serve('/changed.json', { redirect_uris: uris })
    const visitor = await newVisitor(service)
    const go = (redirect_uri: string) =>
      visitor.browser.go(authorizePath(requestOf(id, { redirect_uri })))
    const allowed = await visitor.browser.submit(await go('https://old.example/cb'), {
      decision: 'allow',
    })
    assert.ok(answerOf(allowed).code)
    host.serve('/changed.json', {
      client_name: 'Better Helper',
      redirect_uris: ['https://new.example/cb'],
    })
    service.pass(300)
    const page = await go('https://new.example/cb')
    assert.ok(page.url.includes('/consent'), page.text)
    for (const shown of ['Helper', 'Better Helper', 'old.example', 'new.example']) {
      assert.ok(page.text.includes(shown), shown)
    }
    assert.match(page.text, /has changed since you allowed it/)
    assert.equal((await go('https://old.example/cb')).status, 400)
  })

  test('changes while the page is open: nothing is allowed, and the page comes again', async () => {
    const id = host.serve('/open.json')
    const { browser } = await newVisitor(service)
    const page = await browser.go(authorizePath(requestOf(id)))
    host.serve('/open.json', { client_name: 'Other' })
    service.pass(300)
    assert.ok(isAsked(await ask(id)))
    const again = await browser.submit(page, { decision: 'allow' })
    assert.match(again.text, /changed while this page was open/)
  })

  test('too often in a day is not taken any more', async () => {
    const rename = (name: string) =>
      host.serve('/restless.json', { client_name: name }, { 'Cache-Control': 'no-store' })
    const id = rename('Name')
    assert.ok(isAsked(await ask(id)))
    for (let times = 1; times <= 20; times++) {
      rename(`Name ${times}`)
      service.pass(5)
      assert.ok(isAsked(await ask(id)))
    }
    rename('Name 21')
    service.pass(5)
    assert.equal(faultOn(await ask(id)), 'it changes too often for one day')
    const events = (await operator('GET', `events?client=${encodeURIComponent(id)}`)).body.items
    const changes = events.filter(({ type }: { type: string }) => type === 'client.changed_itself')
    assert.equal(changes.length, 20)
  })
})

describe('the operator', () => {
  test('pins a document: it is not fetched any more, and stored values hold', async () => {
    const id = host.serve('/pinned.json')
    assert.ok(isAsked(await ask(id)))
    const path = `clients/${encodeURIComponent(id)}`
    const pinned = await operator('PATCH', path, { pinned: true, client_name: 'Mine' })
    assert.deepEqual([pinned.status, pinned.body.pinned], [200, true], pinned.text)
    host.answer('/pinned.json', (_request, response) => response.writeHead(403).end())
    const before = host.asked('/pinned.json')
    service.pass(documentLimits.freshAtMost * 2)
    operator = await operatorOf(service)
    assert.ok(isAsked(await ask(id)))
    assert.equal(host.asked('/pinned.json'), before)
    assert.equal((await operator('PATCH', path, { pinned: false })).body.pinned, false)
    assert.equal((await ask(id)).status, 400)
    host.serve('/pinned.json', { client_name: 'Renewed' })
    assert.ok(isAsked(await ask(id)))
    // What the operator set stays.
    assert.equal((await operator('GET', path)).body.client_name, 'Mine')
  })

  test('pins one at the command line, too', async () => {
    const id = host.serve('/line.json')
    assert.ok(isAsked(await ask(id)))
    const [{ work: pin }, { work: unpin }] = [
      findCommand('client pin'),
      findCommand('client unpin'),
    ]
    const api = apiOf(service)
    const said = await pin(api, {}, [id])
    assert.equal(said.text, `${id} is pinned: its document is not fetched any more.`)
    const path = `clients/${encodeURIComponent(id)}`
    assert.equal((await operator('GET', path)).body.pinned, true)
    await unpin(api, {}, [id])
    assert.equal((await operator('GET', path)).body.pinned, false)
    await assert.rejects(pin(api, {}, ['gallery']), /pinned is for clients that are/)
    await assert.rejects(pin(api, {}, ['nobody']), /there is no client nobody/)
  })

  test('pins nothing but documents', async () => {
    const { status, body } = await operator('PATCH', 'clients/gallery', { pinned: true })
    assert.equal(status, 400)
    assert.equal(body.detail, 'pinned is for clients that are metadata documents')
  })

  test('writes one by hand: it is never fetched', async () => {
    const id = 'https://walled.example/client.json'
    const { status, text } = await operator('POST', 'clients', {
      client_id: id,
      client_name: 'Walled',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
    })
    assert.equal(status, 201, text)
    assert.ok(isAsked(await ask(id)))
  })

  test('has documents off where registration is off', async () => {
    const off = await start({ registration: 'off' })
    const id = host.serve('/off.json')
    const page = await new Browser(off).go(authorizePath(requestOf(id)))
    assert.equal(page.status, 400)
    assert.match(page.text, /LATCHKEY_REGISTRATION is off/)
    assert.equal(host.asked('/off.json'), 0)
    const { body } = await off.ask('/.well-known/oauth-authorization-server')
    assert.equal(body.client_id_metadata_document_supported, false)
    await off.close()
  })
})

describe('housekeeping', () => {
  const exists = async (id: string): Promise<boolean> =>
    (await service.server().store.findClient(id as never)) !== null

  test('removes a document that nobody approved, after a day', async () => {
    const id = host.serve('/idle.json')
    assert.ok(isAsked(await ask(id)))
    await service.advance(86_400 - 60)
    assert.ok(await exists(id))
    await service.advance(120)
    assert.equal(await exists(id), false)
  })

  test('keeps one with a living authorization', async () => {
    const id = host.serve('/living.json')
    assert.ok(answerOf(await walk(service, requestOf(id))).code)
    for (let days = 0; days < 100; days++) await service.advance(86_400)
    assert.ok(await exists(id))
  })
})
