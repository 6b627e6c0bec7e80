/** RFC 8252: native applications, which listen on any free loopback port. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operatorOf } from '../flows/operator.ts'
import { askFor, assertOnPage, assertOnTheWay, enter, sentTo } from '../support/authorization.ts'
import { answerOf } from '../support/browser.ts'
import { challenge, verifier } from '../support/gallery.ts'
import { authorizePath, codeRequest, walk } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'

const clients = new Map<string, string>()

/** What one client each has registered. */
const registered = [
  'http://127.0.0.1/cb',
  'http://127.0.0.1:8080/cb?x=1',
  'http://127.0.0.1',
  'http://[::1]/cb',
  'http://localhost/cb',
  'https://127.0.0.1/cb',
  'com.example.app:/callback',
]

const service = startBefore(start, async () => {
  const operator = await operatorOf(service)
  for (const uri of registered) {
    const { status, body } = await operator('POST', 'clients', {
      redirect_uris: [uri],
      token_endpoint_auth_method: 'none',
    })
    assert.equal(status, 201)
    clients.set(uri, body.client_id)
  }
})

/** The request of the client that registered one URI, with another. */
const request = (uri: string, redirect_uri: string) => ({
  ...codeRequest,
  ...challenge,
  client_id: clients.get(uri) ?? '',
  redirect_uri,
})

const assertRefused = async (uri: string, given: string): Promise<void> =>
  assertOnPage(
    await askFor(service, request(uri, given)),
    'redirect_uri is not registered for this client',
  )

describe('section 7.3: loopback redirection', () => {
  const matching = [
    ['http://127.0.0.1/cb', 'http://127.0.0.1/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:65535/cb'],
    ['http://127.0.0.1:8080/cb?x=1', 'http://127.0.0.1/cb?x=1'],
    ['http://127.0.0.1:8080/cb?x=1', 'http://127.0.0.1:9/cb?x=1'],
    ['http://127.0.0.1', 'http://127.0.0.1:4000'],
    ['http://127.0.0.1', 'http://127.0.0.1:4000/'],
    ['http://[::1]/cb', 'http://[::1]:51004/cb'],
    ['http://localhost/cb', 'http://localhost:3000/cb'],
  ] as const
  for (const [uri, given] of matching) {
    test(`R-02: ${given} is ${uri}, and is answered as it was given`, async () => {
      const page = await walk(service, request(uri, given))
      const { code = '' } = sentTo(page, `${given}${given.includes('?') ? '&' : '?'}`)
      const answer = await redeem(service, code, null, {
        client_id: clients.get(uri),
        redirect_uri: given,
        code_verifier: verifier,
      })
      assert.equal(answer.status, 200)
    })
  }

  const strange = [
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb2'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb/'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/CB'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb?x=1'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004/cb#'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:51004'],
    ['http://127.0.0.1/cb', 'http://u@127.0.0.1:1/cb'],
    ['http://127.0.0.1/cb', 'http://u:p@127.0.0.1:1/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1@evil.example/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1.evil.example:1/cb'],
    ['http://127.0.0.1/cb', 'http://127.1:1/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.2:1/cb'],
    ['http://127.0.0.1/cb', 'http://2130706433:1/cb'],
    ['http://127.0.0.1/cb', 'http://0x7f.0.0.1:1/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:65536/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:-1/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1:2/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:１/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1\\@evil.example/cb'],
    ['http://127.0.0.1/cb', 'HTTP://127.0.0.1:1/cb'],
    ['http://127.0.0.1/cb', ' http://127.0.0.1:1/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:1/cb\n'],
    ['http://127.0.0.1/cb', 'https://127.0.0.1:1/cb'],
    ['http://127.0.0.1/cb', 'http://localhost:1/cb'],
    ['http://127.0.0.1/cb', 'http://[::1]:1/cb'],
    ['http://[::1]/cb', 'http://127.0.0.1:1/cb'],
    ['http://[::1]/cb', 'http://[::1]:1/cb2'],
    ['http://[::1]/cb', 'http://u@[::1]:1/cb'],
    ['http://[::1]/cb', 'http://[0:0:0:0:0:0:0:1]:1/cb'],
    ['http://[::1]/cb', 'http://[::1].evil.example:1/cb'],
    ['http://[::1]/cb', 'http://[::ffff:127.0.0.1]:1/cb'],
  ] as const
  for (const [uri, given] of strange) {
    test(`R-02: ${JSON.stringify(given)} is not ${uri}`, () => assertRefused(uri, given))
  }

  test('any port is for http alone', async () => {
    await assertRefused('https://127.0.0.1/cb', 'https://127.0.0.1:51004/cb')
    const page = await askFor(service, request('https://127.0.0.1/cb', 'https://127.0.0.1/cb'))
    assertOnTheWay(page, 'login')
  })
})

describe('section 8.3: localhost', () => {
  test('R-03: is a name like another, good where it is registered', async () => {
    await assertRefused('http://localhost/cb', 'http://127.0.0.1:3000/cb')
    const others = ['http://localhost.evil.example:1/cb', 'http://evil.localhost:1/cb']
    for (const given of [...others, 'http://LOCALHOST:1/cb', 'http://localhost.:1/cb']) {
      await assertRefused('http://localhost/cb', given)
    }
  })
})

describe('section 7.1: private-use schemes', () => {
  const uri = 'com.example.app:/callback'

  test('a scheme in reverse-domain form is answered', async () => {
    const { code } = sentTo(await walk(service, request(uri, uri)), `${uri}?`)
    assert.match(code ?? '', /^lk_ac_/)
  })

  test('to the letter', async () => {
    for (const given of ['com.example.app://callback', 'com.example.app:callback', `${uri}/`]) {
      await assertRefused(uri, given)
    }
  })
})

describe('section 8.6: nobody can tell who a native application is', () => {
  test('so it is shown to the owner each time, whatever was approved before', async () => {
    const browser = await enter(service)
    const asked = request('http://127.0.0.1/cb', 'http://127.0.0.1:5000/cb')
    assert.ok(answerOf(await walk(service, asked, {}, browser)).code)
    assertOnTheWay(await browser.ask(authorizePath(asked)), 'consent')
    const silent = await browser.ask(authorizePath({ ...asked, prompt: 'none' }))
    assert.equal(answerOf(silent).error, 'interaction_required')
  })
})

test('section 8.1: a public client is refused without PKCE', async () => {
  const { code_challenge, code_challenge_method, ...bare } = request(
    'http://127.0.0.1/cb',
    'http://127.0.0.1:5000/cb',
  )
  const page = await askFor(service, bare)
  assert.equal(sentTo(page, 'http://127.0.0.1:5000/cb?').error, 'invalid_request')
})
