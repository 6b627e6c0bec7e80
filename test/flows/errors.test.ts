/** Refusals in the form of each door. They reflect nothing and link nowhere (UI-15, UI-05). */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { ClientId } from '../../src/model/ids.ts'
import { StoreFault } from '../../src/store/fault.ts'
import { trace } from '../store/moments.ts'
import { sampleClient } from '../store/sample.ts'
import { tokenGrants } from '../support/advertised.ts'
import { Browser } from '../support/browser.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { type Answer, basic, start, startBefore } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const started = startBefore()

/** The title of an error page, its sentence, and the person to act. */
const saidBy = ({ text }: Answer) => {
  const [, title] = /<h1>([^<]*)<\/h1>/.exec(text) ?? []
  const [, message] = /<p class="cause">([^<]*)<\/p>/.exec(text) ?? []
  const [, who] = /<p class="quiet">([^<]*)<\/p>/.exec(text) ?? []
  return { title, message, who }
}

const developer =
  'You did nothing wrong, and nothing was passed on. Go back to the application. If this happens again, tell the people who make it the reference number below.'
const operator =
  'You did nothing wrong. Try again in a few minutes. If this happens again, tell whoever runs this service the reference number below.'

describe('a page for people', () => {
  const rows: readonly [string, string, number, string, string, string][] = [
    [
      'an unknown client',
      authorizePath({ ...codeRequest, client_id: 'nobody' }),
      400,
      'The application must fix this',
      'client_id names no client of this service.',
      developer,
    ],
    [
      'a redirect URI that is not registered',
      authorizePath({ ...codeRequest, redirect_uri: 'https://evil.example/' }),
      400,
      'The application must fix this',
      'redirect_uri is not registered for this client.',
      developer,
    ],
    [
      'nothing asked',
      '/authorize',
      400,
      'The application must fix this',
      'Parameter client_id is missing.',
      developer,
    ],
    [
      'a page of another browser',
      '/consent?journey=x',
      400,
      'This page has expired',
      'It belongs to another browser, was changed, or cookies are off.',
      'Go back to the application and begin again there.',
    ],
  ]
  for (const [what, path, status, title, message, who] of rows) {
    test(what, async () => {
      const page = await started.ask(path)
      assert.equal(page.status, status)
      assert.equal(page.headers.get('location'), null)
      assert.deepEqual(saidBy(page), { title, message, who })
      assert.match(page.text, /Reference: <code>[0-9a-z]{26}<\/code>/)
    })
  }

  test('an address with a slip in it, for a browser; a program is told in JSON', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    for (const path of ['/acount', '/api/', '/admin/api/nothing']) {
      const page = await started.ask(path, { headers: { accept } })
      assert.equal(page.status, 404)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
      assert.deepEqual(saidBy(page), {
        title: 'This page does not exist',
        message: 'There is nothing here, or it is not yours, or it has ended.',
        who: 'Check the address, or begin at your account.',
      })
      assert.match(page.text, /<a class="button" href="\/account">Your account<\/a>/)
      for (const other of ['*/*', 'application/json']) {
        const { body } = await started.ask(path, { headers: { accept: other } })
        assert.equal(body.error ?? body.title, 'not_found')
      }
    }
  })

  test('an endpoint at the path of another service, where the browser was sent', async () => {
    const headers = { accept: 'text/html' }
    const page = await started.ask('/oauth2/authorize?client_id=x', { headers })
    assert.equal(page.status, 404)
    assert.deepEqual(saidBy(page), {
      title: 'This page does not exist',
      message:
        'There is no endpoint at this path. /.well-known/oauth-authorization-server names those that there are.',
      who: developer,
    })
  })

  test('a wrong method', async () => {
    const page = await started.ask('/login', { method: 'PUT' })
    assert.equal(page.status, 405)
    assert.equal(page.headers.get('allow'), 'GET, POST, HEAD, OPTIONS')
    assert.deepEqual(saidBy(page), {
      title: 'This page cannot do that',
      message: 'This path has no such method.',
      who: 'Go back, reload the page and send it again.',
    })
  })

  test('a store that cannot be reached, and a fault of ours', async (t) => {
    const faults = [
      [
        new StoreFault('failed', '/var/lib is full'),
        503,
        'Not available right now',
        'The store cannot be reached.',
      ],
      [
        new TypeError('x is not a function at /srv/latchkey/src'),
        500,
        'Something went wrong',
        'Something went wrong in the service.',
      ],
    ] as const
    for (const [fault, status, title, message] of faults) {
      const failing = t.mock.method(started.server().store, 'findClient', async () => {
        throw fault
      })
      const page = await started.ask(authorizePath(codeRequest))
      failing.mock.restore()
      assert.equal(page.status, status)
      assert.equal(page.headers.get('retry-after'), status === 503 ? '1' : null)
      assert.deepEqual(saidBy(page), { title, message, who: operator })
      assert.doesNotMatch(page.text, /\/var\/lib|\/srv|TypeError|StoreFault/)
    }
  })
})

describe('UI-15, UI-05: a page reflects nothing', () => {
  const service = startBefore(() => start({ demo: false }))
  before(async () => {
    const registered = sampleClient({ id: 'photo-printer' as ClientId, redirectUris: [callback] })
    await service.server().store.createClient(registered, trace())
  })

  const canary = 'canary7f3a'
  const hostile = [
    canary,
    `"><script>${canary}</script>`,
    `https://${canary}.example/`,
    `javascript:${canary}`,
    `${canary}\r\nX: y`,
    `{{${canary}}}`,
  ]
  const names = ['client_id', 'redirect_uri', 'journey', 'error', 'error_description', canary]

  for (const text of hostile) {
    test(JSON.stringify(text), async () => {
      for (const path of ['/authorize', '/login', '/consent', '/logout', '/account', '/']) {
        for (const name of names) {
          const query = new URLSearchParams({ [name]: text })
          const page = await service.ask(`${path}?${query}`)
          assert.equal(page.text.includes(canary), false, `${path} ${name}`)
          // The way to the login carries what was asked, sealed; nothing else leads anywhere.
          const location = page.headers.get('location') ?? '/login'
          assert.match(location, /^\/(login|authorize)(\?journey=[A-Za-z0-9_-]*)?$/)
        }
      }
    })
  }

  test('a NUL byte (CVE-2022-4137) is refused', async () => {
    const page = await service.ask(`/authorize?client_id=a%00${canary}`)
    assert.equal(page.status, 400)
    assert.equal(page.text.includes(canary), false)
    assert.equal(saidBy(page).message, 'A parameter holds NUL or is not UTF-8.')
  })

  test('no link but to our own pages', async () => {
    const page = await started.ask(
      authorizePath({ ...codeRequest, redirect_uri: 'https://evil.example/' }),
    )
    const links = [...page.text.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, to]) => to)
    assert.deepEqual(links, ['/assets/latchkey.css', '/assets/icon.svg'])
  })
})

describe('JSON for programs', () => {
  test('an unknown path, whoever asks', async () => {
    for (const path of ['/nowhere', '/token/', '//token', '/TOKEN', '/api']) {
      for (const method of ['GET', 'POST']) {
        const answer = await started.ask(path, { method })
        assert.equal(answer.status, 404, path)
        assert.deepEqual(answer.body, {
          error: 'not_found',
          error_description: 'there is nothing at this path',
        })
      }
    }
  })

  test('an unknown path of the admin API is a problem document', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, headers, body } = await started.ask('/admin/api/nothing', { method })
      assert.deepEqual(
        [status, headers.get('content-type'), body],
        [
          404,
          'application/problem+json',
          {
            type: 'about:blank',
            status: 404,
            title: 'not_found',
            detail: 'there is nothing at this path',
          },
        ],
      )
    }
  })

  test('the path that another service has for an endpoint: the metadata name ours', async () => {
    const said = `there is nothing at this path: the endpoints of this service are named in ${started.issuer}/.well-known/oauth-authorization-server`
    for (const path of ['/oauth/token', '/oauth2/token', '/oauth/authorize', '/a/b/userinfo']) {
      for (const method of ['GET', 'POST']) {
        const answer = await started.ask(path, { method })
        assert.equal(answer.status, 404, path)
        assert.deepEqual(answer.body, { error: 'not_found', error_description: said })
      }
    }
  })

  test('a request without a token is told of no error (RFC 6750 section 3.1)', async () => {
    for (const path of ['/api/photos', '/api/photos/x', '/userinfo', '/register/photo-printer']) {
      const answer = await started.ask(path)
      assert.deepEqual([answer.status, answer.body], [401, {}], path)
      const challenge = answer.headers.get('www-authenticate') ?? ''
      assert.match(challenge, /^Bearer realm="latchkey"/)
      assert.doesNotMatch(challenge, /error/)
    }
  })

  const unsupported = {
    authorization_details: [
      'invalid_authorization_details',
      'authorization_details has to be a JSON list of one object or more',
    ],
    audience: [
      'invalid_request',
      'audience is not supported: name the API with resource (RFC 8707)',
    ],
  } as const
  for (const [name, [error, error_description]] of Object.entries(unsupported)) {
    test(`/token does not pass over ${name}`, async () => {
      const form = { grant_type: 'client_credentials', [name]: '[]' }
      const answer = await started.post('/token', form, nightlyReport)
      assert.equal(answer.status, 400)
      assert.deepEqual(answer.body, { error, error_description })
    })
  }

  test('/token does not pass over a malformed DPoP proof', async () => {
    const answer = await started.ask('/token', {
      form: { grant_type: 'client_credentials' },
      headers: { authorization: basic(nightlyReport), dpop: 'e30.e30.x' },
    })
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body, {
      error: 'invalid_dpop_proof',
      error_description: 'typ of the DPoP proof has to be dpop+jwt',
    })
  })

  test('an unknown grant type says which there are, and not which was asked', async () => {
    const answer = await started.post('/token', { grant_type: 'canary' }, photoPrinter)
    assert.equal(answer.status, 400)
    assert.deepEqual(answer.body, {
      error: 'unsupported_grant_type',
      error_description: `grant_type has to be one of ${tokenGrants.join(', ')}`,
    })
  })

  test('every description is of the characters that RFC 6749 section 5.2 allows', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => text.isWellFormed()),
      fc.constantFrom('authorization_code', 'refresh_token', 'password', 'photo-printer', 'a"b\\c'),
    )
    const name = fc.constantFrom(
      'grant_type',
      'client_id',
      'client_secret',
      'code',
      'redirect_uri',
      'refresh_token',
      'scope',
      'username',
      'password',
      'resource',
      'code_verifier',
      'token',
    )
    const door = fc.constantFrom('/token', '/revoke', '/introspect', '/register')
    const identified = fc.boolean()
    await fc.assert(
      fc.asyncProperty(
        door,
        fc.dictionary(name, value, { noNullPrototype: true }),
        identified,
        async (path, form, withClient) => {
          await started.advance(60)
          const answer = await started.post(path, form, withClient ? photoPrinter : undefined)
          if (answer.status === 200) return
          assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} ${answer.text}`)
          assert.deepEqual(Object.keys(answer.body), ['error', 'error_description'])
          assert.match(answer.body.error, /^[a-z_]+$/)
          assert.match(answer.body.error_description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a refusal that goes back to the client is of such characters, too', async () => {
    const value = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => text.isWellFormed())
    const name = fc.constantFrom('response_type', 'scope', 'prompt', 'max_age', 'response_mode')
    await fc.assert(
      fc.asyncProperty(name, value, async (parameter, text) => {
        const request = { ...codeRequest, prompt: 'none', [parameter]: text }
        const page = await new Browser(started).ask(authorizePath(request))
        const location = page.headers.get('location')
        if (location === null) {
          assert.equal(page.status, 400)
          return
        }
        if (!location.startsWith(callback)) return
        const { searchParams } = new URL(location)
        assert.match(searchParams.get('error') ?? '', /^[a-z_]+$/)
        const said = searchParams.get('error_description') ?? ''
        assert.match(said, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
        assert.equal(searchParams.get('state'), 'xyz')
      }),
      { numRuns: 200 },
    )
  })

  test('the admin API answers with problem details', async () => {
    const answer = await started.ask('/admin/api/clients')
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('content-type'), 'application/problem+json')
    assert.deepEqual(answer.body, { type: 'about:blank', title: 'Unauthorized', status: 401 })
  })
})

describe('UI-16: nothing that an operator saves breaks a header', () => {
  const broken = [
    'https://a.example/\r\nSet-Cookie: a=b',
    'https://a.example/\n',
    'https://a.example/\0',
  ]
  for (const uri of broken) {
    test(`a redirect URI with ${JSON.stringify(uri.slice(18))}`, async () => {
      const ask = await operatorOf(started)
      const { status, body } = await ask('POST', 'clients', {
        client_name: 'Broken',
        redirect_uris: [uri],
        grant_types: ['authorization_code'],
      })
      assert.deepEqual([status, body.title], [400, 'invalid_redirect_uri'])
    })
  }

  test('nor does a state: it comes back encoded', async () => {
    const state = 'a\r\nSet-Cookie: a=b'
    const request = { ...codeRequest, state, prompt: 'none' }
    const page = await new Browser(started).ask(authorizePath(request))
    assert.equal(
      page.headers.getSetCookie().some((cookie) => cookie.startsWith('a=')),
      false,
    )
    const location = page.headers.get('location') ?? ''
    assert.match(location, /^[\x21-\x7e]+$/)
    assert.equal(new URL(location).searchParams.get('state'), state)
  })
})

describe('ST-02, ST-09: who may read may not read secrets', () => {
  test('no answer of the admin API holds a secret, a hash, a salt or a key', async () => {
    const viewer = await operatorOf(
      started,
      'clients:read owners:read authorizations:read events:read',
    )
    const made = await (await operatorOf(started))('POST', 'clients', {
      client_name: 'Shop',
      grant_types: ['client_credentials'],
    })
    assert.match(made.body.client_secret, /^lk_cs_/)
    for (const path of [
      'clients',
      `clients/${made.body.client_id}`,
      'owners',
      'authorizations',
      'events',
    ]) {
      const { status, text } = await viewer('GET', path)
      assert.equal(status, 200)
      // An id is random, and four of its letters may be those of a word.
      const said = text.replaceAll(/\b[0-9a-hjkmnp-tv-z]{26}\b/g, '')
      assert.doesNotMatch(said, /secret"|digest|salt|hash|argon2|lk_cs_|wrapped/i)
    }
    const rotate = await viewer('POST', `clients/${made.body.client_id}/rotate-secret`)
    assert.deepEqual([rotate.status, rotate.body.title], [403, 'insufficient_scope'])
  })
})

describe('where the operator has pages about errors', () => {
  const explained = startBefore(() => start({ errorUri: 'https://docs.example/errors/' }))

  test('each refusal names the page of its code', async () => {
    const error_uri = 'https://docs.example/errors/invalid_scope'
    const form = { grant_type: 'client_credentials', scope: 'attic' }
    assert.equal((await explained.post('/token', form, nightlyReport)).body.error_uri, error_uri)
    const page = await new Browser(explained).ask(authorizePath({ ...codeRequest, scope: 'attic' }))
    const location = new URL(page.headers.get('location') ?? '')
    assert.equal(location.searchParams.get('error_uri'), error_uri)
    const used = await explained.ask('/api/photos', { headers: { authorization: 'Bearer x' } })
    const about = 'https://docs.example/errors/invalid_token'
    assert.equal(used.body.error_uri, about)
    assert.ok(used.headers.get('www-authenticate')?.includes(`error_uri="${about}"`))
  })

  test('a request without a token has none to name', async () => {
    const answer = await explained.ask('/api/photos')
    assert.deepEqual(answer.body, {})
    assert.doesNotMatch(answer.headers.get('www-authenticate') ?? '', /error/)
  })
})
