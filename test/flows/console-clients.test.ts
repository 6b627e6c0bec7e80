/** The console: applications. */
import assert from 'node:assert/strict'
import { stripTypeScriptTypes } from 'node:module'
import { describe, test } from 'node:test'
import express from 'express'
import { clientForms } from '../../src/clients/metadata.ts'
import { matchLoopback } from '../../src/requests/redirect-uri.ts'
import { makeClientForm } from '../../src/rooms/console/clients/client-form.ts'
import { writeSnippet } from '../../src/rooms/console/clients/kinds/index.ts'
import { findKind } from '../../src/rooms/console/clients/kinds/kinds.ts'
import { type Browser, type Page, unescaped } from '../support/browser.ts'
import { act, newConsoleVisitor } from '../support/console.ts'
import { submitWith } from '../support/factors.ts'
import type { Visitor } from '../support/people.ts'
import { obtainTokens } from '../support/printing.ts'
import { type Form, start, startBefore } from '../support/start.ts'
import { use } from '../support/tokens.ts'
import { type Operator, operatorOf } from './operator.ts'

let api: Operator
let olga: Visitor
let auditor: Visitor
const service = startBefore(start, async () => {
  api = await operatorOf(service)
  olga = await newConsoleVisitor(service)
  auditor = await newConsoleVisitor(service, ['auditor'], 'Adam Audit')
})

const namesOn = ({ text }: Page): readonly string[] =>
  [...text.matchAll(/<bdi class="name">([^<]*)<\/bdi><\/a>/g)].map(([, name = '']) => name)

const made = async (changes: object = {}): Promise<string> => {
  const { status, body, text } = await api('POST', 'clients', {
    client_name: 'Reader',
    redirect_uris: ['https://reader.example/callback'],
    ...changes,
  })
  assert.equal(status, 201, text)
  return body.client_id
}

const clientOf = async (id: string) => (await api('GET', `clients/${id}`)).body

/** Where an answer leads, without its query. */
const placeOf = ({ headers }: Page): string | undefined => headers.get('location')?.split('?')[0]

const lastEvent = async (type: string) =>
  (await api('GET', `events?limit=50`)).body.items.find(
    (event: { type: string }) => event.type === type,
  )

describe('the list', () => {
  test('finds by words, by an id, and by who brought them', async () => {
    const { browser } = olga
    const json = { client_name: 'Stray', redirect_uris: ['https://stray.example/cb'] }
    await service.ask('/register', { json })
    assert.deepEqual(namesOn(await browser.go('/admin/clients?q=photo')), ['Photo Printer'])
    assert.deepEqual(namesOn(await browser.go('/admin/clients?q=nightly-report')), [
      'Nightly Report',
    ])
    assert.deepEqual(namesOn(await browser.go('/admin/clients?by=itself')), ['Stray'])
    assert.deepEqual(namesOn(await browser.go('/admin/clients?by=document')), [])
    assert.deepEqual(namesOn(await browser.go('/admin/clients?q=no-such')), [])
    await made({ client_name: 'Sleeper', disabled: true })
    const disabled = await browser.go('/admin/clients?state=disabled')
    assert.deepEqual(namesOn(disabled), ['Sleeper'])
    // A further filter keeps this one.
    assert.match(disabled.text, /<input type="hidden" name="state" value="disabled">/)
    const unused = await browser.go('/admin/clients?state=disabled&used=never&kind=secret&q=SLEEP')
    assert.deepEqual(namesOn(unused), ['Sleeper'])
    assert.deepEqual(namesOn(await browser.go('/admin/clients?q=report&used=month')), [])
  })

  test('goes on page by page, and names each once', async () => {
    for (let i = 0; i < 60; i++) await made({ client_name: `Many ${i}` })
    const names: string[] = []
    let path = '/admin/clients?q=Many'
    for (let pages = 0; path !== '' && pages < 5; pages++) {
      const page = await olga.browser.go(path)
      names.push(...namesOn(page))
      const link = /<a class="button" href="([^"]*)">Next page/.exec(page.text)?.[1] ?? ''
      path = link.replaceAll('&amp;', '&')
    }
    assert.equal(names.length, 60)
    assert.equal(new Set(names).size, 60)
  })

  test('takes a made-up cursor for an empty page or a page of the list', async () => {
    for (const query of ['after=x', 'after=%0A', 'q=a&after=x', 'by=x&state=y']) {
      assert.equal((await olga.browser.go(`/admin/clients?${query}`)).status, 200)
    }
  })
})

describe('one application', () => {
  test('shows what it is, and no secret', async () => {
    const page = await olga.browser.go('/admin/clients/photo-printer')
    assert.equal(page.status, 200)
    for (const said of ['http://127.0.0.1:6750/callback', 'photos:read', 'With a secret']) {
      assert.ok(page.text.includes(said), said)
    }
    assert.doesNotMatch(page.text, /photo-printer-secret|lk_cs_/)
  })

  test('tells how often access was granted, and its last use', async () => {
    const { access_token: token } = await obtainTokens(service)
    await use(service, token)
    await service.server().operated.counts.flush()
    await service.advance(5)
    const page = await olga.browser.go('/admin/clients/photo-printer')
    assert.match(page.text, />1 user</)
    assert.doesNotMatch(page.text, /Not in 31 days/)
    for (const list of ['events', 'explain', 'authorizations']) {
      assert.ok(page.text.includes(`href="/admin/${list}?client=photo-printer"`), list)
    }
  })

  test('is not found under another id', async () => {
    const nobody = await olga.browser.go('/admin/clients/nobody')
    assert.equal(nobody.status, 404)
    // As of any other address: no application led there.
    assert.match(nobody.text, /Check the address, or begin at your account/)
  })

  test('is created, with its secret shown once, by the operator', async () => {
    const page = await olga.browser.go('/admin/new-client')
    const done = await submitWith(olga.browser, page, 'client_name', {
      client_name: 'Made Here',
      client_id: 'made-here',
      redirect_uris: 'https://made.example/a\r\nhttps://made.example/b',
      grant_types: 'authorization_code\nrefresh_token',
      scope: 'photos:read',
      access_token_seconds: 'unlimited',
    })
    assert.equal(done.status, 200, done.text)
    const [secret] = /lk_cs_[\w-]+/.exec(done.text) ?? []
    assert.ok(secret)
    const kept = await clientOf('made-here')
    assert.deepEqual(
      [kept.client_name, kept.redirect_uris, kept.grant_types, kept.access_token_seconds],
      [
        'Made Here',
        ['https://made.example/a', 'https://made.example/b'],
        ['authorization_code', 'refresh_token'],
        null,
      ],
    )
    const { actor } = await lastEvent('client.registered')
    assert.equal(actor.owner_id ?? actor.ownerId, olga.id)
  })

  test('says the refusal of the admin API beside its field, and keeps what was typed', async () => {
    const page = await olga.browser.go('/admin/new-client')
    const refused = await submitWith(olga.browser, page, 'client_name', {
      client_name: 'Typed',
      redirect_uris: 'http://made.example/a',
    })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /id="redirect_uris-problem"[^>]*>redirect_uris\[0\]/)
    assert.match(refused.text, /value="Typed"/)
  })

  test('changes only what differs', async () => {
    const id = await made({ client_uri: 'https://reader.example/', contacts: ['a@reader.example'] })
    const before = await clientOf(id)
    const page = await olga.browser.go(`/admin/clients/${id}/edit`)
    const done = await submitWith(olga.browser, page, 'client_name', {
      client_name: 'Renamed',
      client_uri: '',
    })
    assert.equal(placeOf(done) ?? new URL(done.url).pathname, `/admin/clients/${id}`)
    const { client_uri: _, ...rest } = before
    assert.deepEqual(await clientOf(id), { ...rest, client_name: 'Renamed' })
  })

  test('is not changed by a form of older values', async () => {
    const id = await made()
    const page = await olga.browser.go(`/admin/clients/${id}/edit`)
    await api('PATCH', `clients/${id}`, { client_uri: 'https://newer.example/' })
    const refused = await submitWith(olga.browser, page, 'client_name', { client_name: 'Stale' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /it was changed meanwhile/)
    assert.match(refused.text, /value="Stale"/)
    const { client_name, client_uri } = await clientOf(id)
    assert.deepEqual([client_name, client_uri], ['Reader', 'https://newer.example/'])
  })

  test('has a field for every member of the admin API', () => {
    const ofChanges = ['add_redirect_uris', 'keep_ways_in']
    const members = Object.keys(clientForms().operatorsChange.shape).filter(
      (name) => !ofChanges.includes(name),
    )
    const names = makeClientForm({})
      .members()
      .map(({ name }) => name)
    assert.deepEqual(names.toSorted(), ['client_id', ...members].toSorted())
  })
})

describe('a new application by its kind', () => {
  const redirects = { redirect_uris: 'https://shop.example/callback' }
  const flow = { response_types: ['code'], grant_types: ['authorization_code', 'refresh_token'] }
  const open = { ...flow, token_endpoint_auth_method: 'none' }

  /** Fills in the form of a kind as a browser does: what was ticked at first stays ticked. */
  const submit = async (kind: string, changes: Form): Promise<Page> => {
    const page = await olga.browser.go(`/admin/new-client/${kind}`)
    assert.equal(page.status, 200, page.text)
    return submitWith(olga.browser, page, kind === 'api' ? 'title' : 'client_name', changes)
  }

  const idOn = ({ status, text }: Page): string => {
    assert.equal(status, 200, text)
    return /<dd><code>([\w-]+)<\/code>/.exec(text)?.[1] ?? ''
  }

  const codeOn = ({ text }: Page): string =>
    unescaped([...text.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].at(-1)?.[1] ?? '')

  /** The registration, without what each client has for itself. */
  const registrationOf = async (id: string) => {
    const {
      client_id: _,
      client_id_issued_at: _at,
      acts: _acts,
      ...registration
    } = await clientOf(id)
    return registration
  }

  const rows: readonly (readonly [string, Form, object, readonly string[]])[] = [
    [
      'web',
      { ...redirects, scope: ['openid', 'photos:read'], logo_uri: 'https://shop.example/logo.png' },
      {
        ...flow,
        redirect_uris: ['https://shop.example/callback'],
        scope: 'openid photos:read',
        application_type: 'web',
        logo_uri: 'https://shop.example/logo.png',
      },
      ["scope: 'openid photos:read'", "app.get('/callback'", 'process.env.CLIENT_SECRET'],
    ],
    [
      'browser',
      redirects,
      {
        ...open,
        redirect_uris: ['https://shop.example/callback'],
        scope: 'openid profile',
        application_type: 'web',
      },
      ['oauth.None()', "const redirectUri = 'https://shop.example/callback'"],
    ],
    [
      'native',
      { redirect_uris: 'com.example.shop:/callback\r\nhttp://127.0.0.1/callback', grant_types: [] },
      {
        ...open,
        grant_types: ['authorization_code'],
        redirect_uris: ['com.example.shop:/callback', 'http://127.0.0.1/callback'],
        scope: 'openid profile',
        application_type: 'native',
      },
      ["redirectUrl: 'com.example.shop:/callback'", "scopes: ['openid', 'profile']"],
    ],
    [
      'machine',
      {
        scope: 'clients:read',
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: 'https://shop.example/keys',
      },
      {
        grant_types: ['client_credentials'],
        scope: 'clients:read',
        token_endpoint_auth_method: 'private_key_jwt',
        jwks_uri: 'https://shop.example/keys',
      },
      ['client.PrivateKeyJwt(key)', "{ scope: 'clients:read' }"],
    ],
    [
      'mcp',
      { redirect_uris: 'http://localhost:8080/callback' },
      { ...open, redirect_uris: ['http://localhost:8080/callback'], scope: 'openid profile' },
      ['"callbackPort": 8080', '"type": "http"'],
    ],
  ]

  for (const [kind, typed, metadata, said] of rows) {
    test(`${kind}: has its defaults, and code to begin with`, async () => {
      const done = await submit(kind, { client_name: 'Shop', ...typed })
      const id = idOn(done)
      const like = await made({ redirect_uris: [], ...metadata, client_name: 'Shop' })
      assert.deepEqual(await registrationOf(id), await registrationOf(like))
      const code = codeOn(done)
      for (const part of [id, ...(kind === 'mcp' ? [] : [service.issuer]), ...said]) {
        assert.ok(code.includes(part), `${part} in ${code}`)
      }
      if (kind === 'mcp') assert.ok(JSON.parse(code))
      else stripTypeScriptTypes(code)
      assert.doesNotMatch(code, /lk_cs_/)
      assert.equal(/lk_cs_/.test(done.text), kind === 'web')
    })
  }

  test('code listens where its address leads, and asks where the service answers', async () => {
    const { body } = await service.ask('/.well-known/oauth-authorization-server')
    const application = {
      issuer: service.issuer,
      mtlsUrl: service.issuer,
      id: 'shop',
      method: 'client_secret_basic',
      scope: 'openid',
      uri: 'http://localhost:8080/v1',
      resource: 'orders',
    }
    const write = (kind: string, redirectUri: string, uri = application.uri): string =>
      findKind(kind)?.snippet({ ...application, redirectUri, uri }).code ?? ''
    const loopback = ['http://127.0.0.1/callback', 'http://[::1]', 'http://localhost:80/?a=1']
    const odd = ['http://127.0.0.1:080/cb', 'http://127.0.0.1:00000/cb']
    for (const uri of [...loopback, ...odd, 'http://127.0.0.1:8080/callback']) {
      for (const kind of ['web', 'native']) {
        const code = write(kind, uri)
        const [, named = ''] = /redirectUri = '([^']*)'/.exec(code) ?? []
        assert.ok(matchLoopback(uri, named), `${uri} ${named}`)
        const { hostname, port } = new URL(named)
        assert.ok(
          Number(port) > 0 && code.includes(`listen(${port}, '${hostname.replace(/[[\]]/g, '')}'`),
        )
      }
    }
    const api = write('api', '')
    assert.ok(api.includes("app.get('/v1', guard(") && api.includes("listen(8080, 'localhost')"))
    // An API has one address, so its port is told as it is.
    for (const uri of ['http://localhost/v1', 'http://127.0.0.5:080/v1']) {
      assert.ok(write('api', '', uri).includes(`listen(80, '${new URL(uri).hostname}')`), uri)
    }
    assert.ok(write('machine', '').includes(`'${body.token_endpoint}'`))
    // A path is no pattern of Express.
    for (const path of ['/cb(x)', '/cb+x', '/cb!', '/a[b]', '/cb*', '/cb/:1', '/cb/:id', "/it's"]) {
      const code = write('api', '', `https://shop.example${path}`)
      const [, text = ''] = /app\.get\((["'].*), guard\(/.exec(code) ?? []
      const reached: string[] = []
      const router = express.Router()
      router.get(text.startsWith('"') ? JSON.parse(text) : text.slice(1, -1), ({ url }) => {
        reached.push(url)
      })
      for (const url of [path, '/cb/x']) {
        router({ method: 'GET', url } as express.Request, {} as express.Response, () => {})
      }
      assert.deepEqual(reached, [path])
      if (!path.includes('*')) {
        assert.ok(write('web', `https://shop.example${path}`).includes(`app.get(${text}, async`))
      }
    }
  })

  test('a fault of the code takes no secret away', async () => {
    const snippet = (): never => {
      throw new TypeError('Invalid URL')
    }
    assert.equal(writeSnippet({ snippet }, snippet), null)
    const redirect_uris = 'http://127.0.0.1:080/cb'
    const done = await submit('web', { client_name: 'Odd', redirect_uris, scope: 'openid' })
    assert.match(done.text, /lk_cs_[\w-]{40,}/)
    assert.match(codeOn(done), /'http:\/\/127\.0\.0\.1:3000\/cb'/)
  })

  test('api: makes a resource and the client that asks about its tokens', async () => {
    const given = { name: 'orders', title: 'Orders', read: 'See orders', write: 'Place orders' }
    const done = await submit('api', { ...given, uri: 'https://orders.example' })
    const id = idOn(done)
    const { body } = await api('GET', 'resources/orders')
    const { introspection_clients: clients, title, uri } = body
    assert.deepEqual([clients, title, uri], [[id], 'Orders', 'https://orders.example'])
    const like = await made({
      client_name: 'orders API',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'openid',
    })
    assert.deepEqual(await registrationOf(id), await registrationOf(like))
    assert.match(codeOn(done), /guard\('orders:read'\)/)
    assert.match(done.text, /lk_cs_/)
    // An address that is taken makes no client.
    const before = (await api('GET', 'clients?search=taken')).body
    const refused = await submit('api', { ...given, name: 'taken', uri: 'https://orders.example' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /id="uri-problem"/)
    assert.deepEqual((await api('GET', 'clients?search=taken')).body, before)
    // Now an MCP client can be told of the server.
    assert.match(
      (await olga.browser.go('/admin/new-client/mcp')).text,
      /https:\/\/orders\.example</,
    )
  })

  test('the first page names the kinds, and still has the form with every member', async () => {
    const { text } = await olga.browser.go('/admin/new-client')
    const links = [...text.matchAll(/href="\/admin\/new-client\/(\w+)"/g)].map(([, kind]) => kind)
    assert.deepEqual(links, ['web', 'browser', 'native', 'machine', 'api', 'mcp'])
    assert.match(text, /name="tls_client_auth_san_ip"/)
  })

  test('says what was expected, keeps what was typed, and creates nothing', async () => {
    const count = async () =>
      (await api('GET', 'clients?search=Attacked&limit=50')).body.items.length
    const before = await count()
    const named = { client_name: 'Attacked', ...redirects }
    const secret = { token_endpoint_auth_method: 'client_secret_basic' }
    const attacks: readonly (readonly [string, Form, number, RegExp])[] = [
      ['web', { ...named, redirect_uris: '' }, 400, /redirect_uris is needed/],
      [
        'web',
        { ...named, ...secret, redirect_uris: 'com.example:/cb' },
        400,
        /a web application needs https/,
      ],
      ['web', { ...named, scope: [] }, 400, /scope needs a choice/],
      ['mcp', named, 400, /token_endpoint_auth_method needs a choice/],
      [
        'browser',
        { ...named, scope: 'nothing:read' },
        400,
        /scope has a choice that is not in the form/,
      ],
      [
        'browser',
        { ...named, scope: 'owners:write' },
        400,
        /scope has a choice that is not in the form/,
      ],
      ['browser', { ...named, grant_types: 'password' }, 400, /grant_types has a choice/],
      ['web', { ...named, token_endpoint_auth_method: 'none' }, 400, /has a choice that is not/],
      ['machine', { ...named, scope: 'photos:read' }, 400, /a field that this form does not show/],
      ['browser', { ...named, trusted: '1' }, 400, /a field that this form does not show/],
      ['nothing', named, 404, /Check the address/],
    ]
    for (const [kind, form, status, said] of attacks) {
      const scope = 'scope' in form ? {} : { scope: 'openid' }
      const page = await act(olga.browser, `/admin/new-client/${kind}`, { ...scope, ...form })
      assert.equal(page.status, status, page.text)
      assert.match(page.text, said)
    }
    const kept = await act(olga.browser, '/admin/new-client/web', {
      ...named,
      ...secret,
      scope: 'photos:read',
    })
    assert.equal(kept.status, 200)
    const typed = await submit('web', {
      ...named,
      redirect_uris: 'http://a.example/',
      scope: 'email',
    })
    assert.match(typed.text, /value="Attacked"/)
    assert.match(typed.text, /http:\/\/a\.example\/<\/textarea>/)
    assert.match(typed.text, /value="email" checked/)
    assert.doesNotMatch(typed.text, /value="openid" checked/)
    assert.equal(await count(), before + 1)
    for (const language of ['de', 'zh']) {
      const page = await olga.browser.go(`/admin/new-client/mcp?ui_locales=${language}`)
      assert.match(page.text, new RegExp(`<html lang="${language}`))
    }
  })
})

describe('the test of an address', () => {
  const tested = async (uri: string): Promise<string> => {
    const page = await act(olga.browser, '/admin/clients/photo-printer/test', { uri })
    assert.equal(page.status, 200, page.text)
    return page.text
  }
  const sent = (uri: string, id = 'photo-printer') =>
    `${service.issuer}/authorize?${new URLSearchParams({ client_id: id, redirect_uri: uri })}`

  test('names the rule that matches', async () => {
    assert.match(await tested('http://127.0.0.1:6750/callback'), /character by character/)
    assert.match(await tested('http://127.0.0.1:9999/callback'), /RFC 8252, section 7.3/)
    assert.match(await tested(sent('http://127.0.0.1:9999/callback')), /RFC 8252, section 7.3/)
  })

  test('says at which character it differs', async () => {
    const text = await tested('http://127.0.0.1:6750/callback/')
    assert.match(text, /differs from the nearest registered URI at character 31/)
    assert.match(text, /callback<mark>\/<\/mark>/)
  })

  test('tells a request without one, and one of another application', async () => {
    const bare = `${service.issuer}/authorize?response_type=code&client_id=photo-printer`
    assert.match(await tested(bare), /The request names none/)
    assert.match(await tested(sent('https://a.example/', 'gallery')), /of another application/)
  })

  test('says why an address could not be registered', async () => {
    assert.match(await tested('http://printer.example/'), /not on a loopback address/)
  })

  test('escapes what was typed', async () => {
    assert.doesNotMatch(await tested('"><script>alert(1)</script>'), /<script>alert/)
  })
})

describe('an action', () => {
  const send = (id: string, form: Readonly<Record<string, string>>, browser: Browser) =>
    act(browser, `/admin/clients/${id}`, form)

  test('makes a new secret, and keeps the old one for a time', async () => {
    const id = await made()
    const form = { action: 'rotate', keep_old_seconds: '3600' }
    const page = await send(id, form, olga.browser)
    assert.match(page.text, /lk_cs_[\w-]{40,}/)
    assert.equal((await clientOf(id)).old_secret_expires_at, service.now() + 3600)
    // The calm form, sent again, would end the first secret before its time.
    const again = await send(id, { ...form, keep_old_seconds: '60' }, olga.browser)
    assert.match(again.text, /No secret was made: an earlier one still works/)
    assert.match(again.text, /"danger primary" type="submit">Make a new secret</)
    assert.equal((await clientOf(id)).old_secret_expires_at, service.now() + 3600)
    const asked = { action: 'again', keep_old_seconds: '60' }
    assert.match((await send(id, asked, olga.browser)).text, /lk_cs_[\w-]{40,}/)
    assert.equal((await clientOf(id)).old_secret_expires_at, service.now() + 60)
    await send(id, { action: 'replace' }, olga.browser)
    assert.equal((await clientOf(id)).old_secret_expires_at, null)
  })

  test('disables and enables', async () => {
    const id = await made()
    const page = await send(id, { action: 'disable' }, olga.browser)
    assert.equal((await clientOf(id)).disabled, true)
    const undo = /"receipt">.*name="action" value="enable"><button type="submit">Undo</
    assert.match(page.text, undo)
    const enabled = await send(id, { action: 'enable' }, olga.browser)
    assert.doesNotMatch(enabled.text, undo)
    assert.equal((await clientOf(id)).disabled, false)
  })

  test('ends all tokens', async () => {
    const { access_token: token } = await obtainTokens(service)
    assert.equal(await use(service, token), 200)
    await send('photo-printer', { action: 'end' }, olga.browser)
    assert.equal(await use(service, token), 401)
  })

  test('deletes', async () => {
    const id = await made()
    const page = await send(id, { action: 'delete' }, olga.browser)
    assert.match(page.text, /The application is deleted/)
    assert.equal((await api('GET', `clients/${id}`)).status, 404)
  })

  test('without a recent proof asks for it first, and does nothing', async () => {
    const id = await made()
    service.pass(600)
    const page = await send(id, { action: 'delete' }, olga.browser)
    assert.match(page.url, /\/account\/confirm\?next=admin%2Fclients%2F/)
    assert.equal((await api('GET', `clients/${id}`)).status, 200)
    const form = await olga.browser.go('/admin/new-client')
    assert.match(form.url, /\/account\/confirm\?next=admin%2Fnew-client/)
    const fields = { client_name: 'Unproven', scope: 'photos:read' }
    const kind = await act(olga.browser, '/admin/new-client/machine', fields)
    assert.match(kind.url, /\/account\/confirm\?next=admin%2Fnew-client%2Fmachine/)
    assert.deepEqual((await api('GET', 'clients?search=Unproven')).body.items, [])
  })
})

describe('an auditor', () => {
  test('sees the pages without a button, and is refused every form', async () => {
    const { browser } = auditor
    const list = await browser.go('/admin/clients')
    assert.doesNotMatch(list.text, /New application/)
    const page = await browser.go('/admin/clients/photo-printer')
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.text, /New secret|Delete|Test an address|>Change</)
    for (const path of ['/web', '/api']) {
      assert.equal((await browser.go(`/admin/new-client${path}`)).status, 403)
      assert.equal((await act(browser, `/admin/new-client${path}`, {})).status, 403)
    }
    for (const path of ['', '/edit', '/test']) {
      const { status } = await act(browser, `/admin/clients/photo-printer${path}`, {
        action: 'end',
      })
      assert.equal(status, 403)
    }
    assert.equal((await browser.go('/admin/new-client')).status, 403)
    assert.equal((await act(browser, '/admin/new-client', { client_name: 'x' })).status, 403)
  })

  test('is refused a form from another site, as everybody is', async () => {
    const { status } = await olga.browser.go('/admin/clients/photo-printer', {
      action: 'delete',
      csrf: 'x',
    })
    assert.equal(status, 403)
  })
})

describe('a trial of a log-in', () => {
  const log = async () => (await api('GET', 'clients?search=Trial')).body.items

  test('runs the code flow for a client made for it, and leaves nothing', async () => {
    const rita = await newConsoleVisitor(service, ['operator'], 'Rita Trial')
    const before = await clientOf('photo-printer')
    const start = await rita.browser.go('/admin/clients/photo-printer/try')
    assert.match(start.text, /\/admin\/trial<\/code>/)
    const consent = await act(rita.browser, '/admin/clients/photo-printer/try', {})
    assert.match(consent.text, /Trial of Photo Printer/)
    const result = await rita.browser.submit(consent, { decision: 'allow' })
    assert.equal(result.status, 200, result.text)
    assert.match(result.text, /The log-in works/)
    assert.match(result.text, /&quot;token_type&quot;: &quot;Bearer&quot;/)
    assert.match(result.text, /&quot;sub&quot;/)
    assert.doesNotMatch(result.text, /lk_at_|lk_rt_/)
    assert.deepEqual(await log(), [])
    assert.deepEqual(await clientOf('photo-printer'), before)
    assert.equal((await rita.browser.go(result.url)).status, 400)
  })

  test('tells a refusal, and ends as well', async () => {
    const rosa = await newConsoleVisitor(service, ['operator'], 'Rosa Trial')
    const consent = await act(rosa.browser, '/admin/clients/gallery/try', {})
    const result = await rosa.browser.submit(consent, { decision: 'deny' })
    assert.match(result.text, /The log-in was refused/)
    assert.match(result.text, /access_denied/)
    assert.deepEqual(await log(), [])
  })

  test('is of one login alone, and an old one goes with the next', async () => {
    const [rick, ruth] = [
      await newConsoleVisitor(service, ['operator'], 'Rick Trial'),
      await newConsoleVisitor(service, ['operator'], 'Ruth Trial'),
    ]
    await act(rick.browser, '/admin/clients/gallery/try', {})
    const [{ client_id: id }] = await log()
    const stolen = await ruth.browser.go(`/admin/trial?code=x&state=${id}.x`)
    assert.equal(stolen.status, 400)
    assert.equal((await log()).length, 1)
    service.pass(3601)
    api = await operatorOf(service)
    const later = await newConsoleVisitor(service, ['operator'], 'Rolf Trial')
    await act(later.browser, '/admin/clients/gallery/try', {})
    const left = (await log()).map(({ client_id }: { client_id: string }) => client_id)
    assert.equal(left.length, 1)
    assert.notEqual(left[0], id)
  })

  test('is not for an application without the code grant, nor for an auditor', async () => {
    const ray = await newConsoleVisitor(service, ['operator'], 'Ray Trial')
    assert.equal((await ray.browser.go('/admin/clients/nightly-report/try')).status, 409)
    assert.equal((await auditor.browser.go('/admin/clients/gallery/try')).status, 403)
  })

  test('pushes its request, so it works where only pushed ones are taken', async () => {
    const strict = await start({ requirePar: true })
    try {
      const { browser } = await newConsoleVisitor(strict, ['operator'], 'Rhea Trial')
      const consent = await act(browser, '/admin/clients/photo-printer/try', {})
      const result = await browser.submit(consent, { decision: 'allow' })
      assert.match(result.text, /The log-in works/)
    } finally {
      await strict.close()
    }
  })
})
