/** Redirect URIs that two parsers would read differently (RFC 9700 section 4.1): none but the registered one is ever sent to. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { operatorOf } from '../flows/operator.ts'
import { askFor, assertOnPage, assertOnTheWay, enter } from '../support/authorization.ts'
import type { Browser } from '../support/browser.ts'
import { challenge } from '../support/gallery.ts'
import { codeRequest } from '../support/printing.ts'
import { formBody, start, startBefore } from '../support/start.ts'
import { type Wired, wire } from '../wire/wire.ts'

const registered = 'https://a.example/cb'
const unregistered = 'redirect_uri is not registered for this client'

let clientId: string
/** Nothing asks the victim anything: an answer, where there is one, comes at once. */
let victim: Browser

const service = startBefore(start, async () => {
  const operator = await operatorOf(service)
  const { body } = await operator('POST', 'clients', {
    redirect_uris: [registered],
    grant_types: ['authorization_code', 'implicit'],
  })
  clientId = body.client_id
  victim = await enter(service)
})

test('(the registered one is taken)', async () => {
  const page = await askFor(service, { client_id: clientId, redirect_uri: registered })
  assertOnTheWay(page, 'login')
})

describe('R-01: text is compared, not what it might mean', () => {
  const others = [
    'https://a.example/cb/',
    'https://a.example/CB',
    'https://a.example/cb?',
    'https://a.example/cb?x=1',
    'https://a.example/cb?code=evil',
    'https://a.example/cb&x=1',
    'https://a.example/cb;x=1',
    'https://a.example/cb#',
    'https://a.example/cb#f',
    'https://a.example/cb%2f',
    'https://a.example/c%62',
    'https://a.example/cb%00',
    'https://a.example/cb%0d%0aX:1',
    'https://a.example/cb%23',
    'https://a.example/./cb',
    'https://a.example/x/../cb',
    'https://a.example/cb/../evil',
    'https://a.example/x/..;/cb',
    'https://a.example/cb/..%2fevil',
    'https://a.example//cb',
    'https://a.example\\cb',
    'https://a.example',
    'https://a.example/',
    'https://A.EXAMPLE/cb',
    'HTTPS://a.example/cb',
    'https://a.example./cb',
    'https://a.example:443/cb',
    'https://a.example:8443/cb',
    'http://a.example/cb',
    'https:a.example/cb',
    'https:/a.example/cb',
    'https:///a.example/cb',
    '//a.example/cb',
    '/cb',
    'https://u@a.example/cb',
    'https://u:p@a.example/cb',
    'https://a.example@evil.example/cb',
    'https://a.example%40evil.example/cb',
    'https://a.example\\@evil.example/cb',
    'https://a.example#@evil.example/cb',
    'https://a.example?@evil.example/cb',
    'https://evil.example#https://a.example/cb',
    'https://evil.example?https://a.example/cb',
    'https://evil.example/https://a.example/cb',
    'https://evil.example\\.a.example/cb',
    'https://a.example.evil.example/cb',
    'https://evil.a.example/cb',
    'https://a-example/cb',
    'https://aXexample/cb',
    'https://a。example/cb',
    'https://ａ.example/cb',
    'https://a.example/ｃb',
    'https://a.example/c\u0062\u0301',
    'https://a.example/cb\u200b',
    'https://a.example/cb ',
    ' https://a.example/cb',
    'https://a.example/cb\t',
    'https://a.example/c\tb',
    'https://a.exam\nple/cb',
    'https://a.example/cb\r\nX: 1',
    'https://a.example/cb,https://evil.example/',
    'https://a.example/cb https://evil.example/',
    'https://a.example/*',
    'javascript:alert(1)//https://a.example/cb',
    'data:text/html,https://a.example/cb',
    'urn:ietf:wg:oauth:2.0:oob',
    'x'.repeat(5000),
  ]
  for (const redirect_uri of others) {
    test(JSON.stringify(redirect_uri).slice(0, 80), async () => {
      for (const response_type of ['code', 'token']) {
        const asked = { client_id: clientId, redirect_uri, response_type }
        assertOnPage(await askFor(service, asked, victim), unregistered)
      }
    })
  }

  test('whatever it is, unless it is the same', async () => {
    const pieces = [
      'https://',
      'a.example',
      '/cb',
      '@',
      '%',
      '\\',
      '/',
      '?',
      '#',
      ':',
      '.',
      ' ',
      'x',
    ]
    const uris = fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 })
      .map((list) => list.join(''))
    await fc.assert(
      fc.asyncProperty(uris, async (redirect_uri) => {
        const page = await askFor(service, { client_id: clientId, redirect_uri }, victim)
        if (redirect_uri === registered) assertOnTheWay(page, 'consent')
        else assertOnPage(page, unregistered)
      }),
      { numRuns: 200, examples: [[registered], [`${registered}.x`]] },
    )
  })
})

describe('R-08: an error is no way out either', () => {
  const errors = {
    'no response_type': { response_type: undefined },
    'unknown response_type': { response_type: 'foo' },
    'response_type of another client': { response_type: 'token' },
    'bad response_mode': { response_mode: 'web_message' },
    'posted by a form': { response_mode: 'form_post' },
    'repeated scope': { scope: ['a', 'b'] },
    'repeated response_type': { response_type: ['code', 'token'] },
    'repeated state': { state: ['a', 'b'] },
    'state too long': { state: 'x'.repeat(5000) },
    'unknown scope': { scope: 'attic' },
    'malformed scope': { scope: '"' },
    'unknown resource': { resource: 'https://else.example' },
    'bad challenge': { code_challenge: 'x' },
    'bad method': { ...challenge, code_challenge_method: 'plain' },
    'bad prompt': { prompt: 'foo' },
    'prompt none': { prompt: 'none' },
    'bad max_age': { max_age: 'x' },
    nothing: {},
  } as const
  for (const [name, changes] of Object.entries(errors)) {
    test(name, async () => {
      for (const redirect_uri of ['https://evil.example/', `${registered}/`]) {
        const page = await askFor(service, { ...changes, redirect_uri })
        assertOnPage(page, unregistered)
        assertOnPage(await askFor(service, { ...changes, redirect_uri }, victim), unregistered)
      }
    })
  }

  test('an object that cannot be read may hold any redirect URI, so it is refused on a page', async () => {
    const page = await askFor(service, { request: 'x', redirect_uri: 'https://evil.example/' })
    assertOnPage(page, 'the request object cannot be used')
  })
})

describe('R-07: what may be registered at all', () => {
  const refused = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://a.example/1',
    'filesystem:https://a.example/x',
    'file:///etc/passwd',
    'about:blank',
    'view-source:https://a.example/',
    'ws://a.example/',
    'mailto:a@example.com',
    'myapp:cb',
    'a.example:8443/cb',
    'vbscript:/x',
    'wss://a.example/',
    'intent://a.example/#Intent;end',
    'cursor://u:p@a.example/cb',
    'cursor://*/cb',
    'urn:ietf:wg:oauth:2.0:oob',
    'https://a.example/cb#f',
    'https://a.example/cb#',
    '/cb',
    '//a.example/cb',
    'cb',
    '',
    'https://',
    // A browser reads these as paths of the page that it comes from.
    'https:a.example/cb',
    'https:/a.example/cb',
    'https:///a.example/cb',
    'https://a.example/*',
    'https://*.a.example/cb',
    'https://u@a.example/cb',
    'https://u:p@a.example/cb',
    'https://@a.example/cb',
    'https://a.example\\@evil.example/cb',
    'https://a.example/ cb',
    'https://ａ.example/cb',
    'http://a.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://u@127.0.0.1/cb',
    'http://127.0.0.1:99999/cb',
    'http://0.0.0.0/cb',
    'http://evil.localhost/cb',
    'com.example.app:/cb#f',
    `https://a.example/${'x'.repeat(2048)}`,
  ]
  for (const uri of refused) {
    test(`not ${JSON.stringify(uri).slice(0, 60)}`, async () => {
      for (const redirect_uris of [[uri], ['https://a.example/ok', uri]]) {
        const { status, body } = await service.ask('/register', { json: { redirect_uris } })
        assert.equal(status, 400)
        assert.equal(body.error, 'invalid_redirect_uri')
        assert.match(body.error_description, /^redirect_uris\[[01]\] '[ -&(-~]*' (is|has|holds) /)
      }
    })
  }

  const taken = [
    'https://a.example/cb',
    'https://a.example',
    'https://a.example:8443/cb?x=1&y=%20',
    'http://127.0.0.1/cb',
    'http://[::1]:9000/cb',
    'http://localhost:3000',
    'com.example.app:/cb',
    'com.example.app://cb/x',
    'myapp:/cb',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://publisher.extension/cb?x=1',
  ]
  for (const uri of taken) {
    test(`but ${uri}`, async () => {
      const { status, body } = await service.ask('/register', { json: { redirect_uris: [uri] } })
      assert.deepEqual([status, body.redirect_uris], [201, [uri]])
    })
  }
})

describe('R-12: over the wire', () => {
  let wired: Wired
  before(async () => {
    wired = await wire()
  })
  after(() => wired.close())

  /** The head of an answer: its status, and its header fields by name. */
  const ask = async (query: string) => {
    const request = `GET /authorize?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`
    const [head = ''] = (await wired.say(Buffer.from(request, 'latin1'))).split('\r\n\r\n')
    const [line, ...fields] = head.split('\r\n')
    const names = fields.map((field) => field.split(':', 1)[0]?.toLowerCase())
    return { status: Number(line?.split(' ')[1]), fields, names }
  }
  const wrong = formBody({ ...codeRequest, response_type: 'foo', state: '' })

  for (const broken of [
    '%0d%0aX-Evil: 1',
    '%0aX-Evil:1',
    '%0d%0a%0d%0a<b>',
    '%c4%8d%c4%8aX-Evil:1',
  ]) {
    test(`encoded in state: ${broken}`, async () => {
      const { status, fields, names } = await ask(`${wrong}&state=${broken.replaceAll(' ', '+')}`)
      assert.equal(status, 302)
      assert.equal(names.filter((name) => name === 'location').length, 1)
      assert.equal(names.includes('x-evil'), false)
      const location = fields.find((field) => /^location:/i.test(field)) ?? ''
      assert.equal(
        new URL(location.slice(10)).searchParams.get('state'),
        decodeURIComponent(broken),
      )
    })

    test(`encoded in redirect_uri: ${broken}`, async () => {
      const encoded = `${encodeURIComponent(codeRequest.redirect_uri ?? '')}${broken.replaceAll(' ', '+')}`
      const query = `response_type=code&client_id=photo-printer&redirect_uri=${encoded}`
      const { status, names } = await ask(query)
      assert.equal(status, 400)
      assert.equal(names.includes('location') || names.includes('x-evil'), false)
    })
  }

  for (const [name, end] of Object.entries({ 'CR LF': '\r\n', LF: '\n' })) {
    test(`raw ${name} ends the request line: what follows is no part of the answer`, async () => {
      const { fields, names } = await ask(`${wrong}&state=a${end}X-Evil: 1`)
      assert.equal(names.includes('x-evil'), false)
      const locations = fields.filter((field) => /^location:/i.test(field))
      for (const location of locations) {
        assert.equal(new URL(location.slice(10)).searchParams.get('state'), 'a')
      }
      assert.ok(locations.length <= 1)
    })
  }

  test('NUL is refused, raw', async () => {
    const { status, names } = await ask(`${wrong}&state=a\0`)
    assert.equal(status, 400)
    assert.equal(names.includes('location'), false)
  })

  test('NUL is refused, encoded too', async () => {
    const { status, names } = await ask(`${wrong}&state=%00`)
    assert.equal(status, 400)
    assert.equal(names.includes('location'), false)
  })
})
