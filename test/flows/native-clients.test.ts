/** Applications that register themselves with a scheme of their own, and the way back to them (RFC 8252 section 7.1). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askFor, assertOnPage, sentTo } from '../support/authorization.ts'
import { answerOf, Browser, type Page } from '../support/browser.ts'
import { challenge, verifier } from '../support/gallery.ts'
import { authorizePath, codeRequest, walk } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'

const service = startBefore()

/** As desktop applications register themselves. */
const register = async (...redirect_uris: readonly string[]): Promise<string> => {
  const { status, body } = await service.ask('/register', {
    json: {
      client_name: 'Editor',
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'photos:read',
      // Members that this service does not know.
      software_statement: null,
      dpop_bound_access_tokens: false,
    },
  })
  assert.equal(status, 201)
  assert.equal(
    body.application_type,
    redirect_uris.some((uri) => !/^https?:/.test(uri)) ? 'native' : 'web',
  )
  assert.deepEqual(body.redirect_uris, redirect_uris)
  return body.client_id
}

const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback'

const request = (client_id: string, redirect_uri: string) => ({
  ...codeRequest,
  ...challenge,
  client_id,
  redirect_uri,
})

const consentOf = async (client_id: string, uri: string): Promise<readonly [Browser, Page]> => {
  const browser = new Browser(service)
  const login = await browser.go(service.issuer + authorizePath(request(client_id, uri)))
  return [browser, await browser.logIn(login, 'alice', 'wonderland')]
}

describe('a private-use scheme', () => {
  const uris = [
    cursor,
    'vscode://vscode.github-authentication/did-authenticate',
    'com.example.app:/callback',
    'myapp:///callback?from=latchkey',
  ]
  for (const uri of uris) {
    it(`${uri} gets its code, and the code gets tokens`, async () => {
      const client_id = await register(uri)
      const page = await walk(service, request(client_id, uri))
      const { code = '', ...rest } = sentTo(page, `${uri}${uri.includes('?') ? '&' : '?'}`)
      assert.deepEqual(rest, { state: 'xyz', iss: service.issuer })
      const changes = { client_id, redirect_uri: uri, code_verifier: verifier }
      const { status, body } = await redeem(service, code, null, changes)
      assert.deepEqual([status, body.scope], [200, 'photos:read'])
    })
  }

  it('is named on the consent page, which lets its form lead there', async () => {
    const [browser, consent] = await consentOf(await register(cursor), cursor)
    assert.match(
      consent.text,
      /this device opens its application for <strong><code>cursor:<\/code><\/strong> links/,
    )
    assert.doesNotMatch(consent.headers.get('content-security-policy') ?? '', /form-action/)
    const denied = await browser.submit(consent, { decision: 'deny' })
    const { error } = sentTo(denied, `${cursor}?`)
    assert.equal(error, 'access_denied')
  })

  it('gets refusals too, but no form', async () => {
    const client_id = await register(cursor)
    const [browser] = await consentOf(client_id, cursor)
    const refused = await askFor(
      service,
      { ...request(client_id, cursor), response_mode: 'form_post' },
      browser,
    )
    assertOnPage(
      refused,
      'The application asked for something that it does not get here. It got no answer',
    )
    const { error, error_description } = answerOf(refused)
    assert.deepEqual(
      [error, error_description],
      [
        'invalid_request',
        'response_mode has to be query or fragment here, each also with .jwt, or jwt',
      ],
    )
  })

  it('of another application is refused on a page', async () => {
    const client_id = await register(cursor)
    for (const other of [
      'cursor://other/oauth/callback',
      'CURSOR://anysphere.cursor-mcp/oauth/callback',
      'vscode://x/y',
      'javascript:alert(1)',
    ]) {
      assertOnPage(
        await askFor(service, request(client_id, other)),
        'redirect_uri is not registered for this client',
      )
    }
  })
})

describe('what editors register together', () => {
  it('https, loopback and a scheme in one list', async () => {
    const uris = [
      'https://vscode.dev/redirect',
      'http://127.0.0.1/',
      'http://127.0.0.1:33418/',
      cursor,
    ]
    const client_id = await register(...uris)
    for (const uri of ['https://vscode.dev/redirect', 'http://127.0.0.1:50123/', cursor]) {
      const page = await walk(service, request(client_id, uri))
      assert.match(sentTo(page, `${uri}?`).code ?? '', /^lk_ac_/)
    }
  })

  it('one bad URI refuses all of it, and is named', async () => {
    const rows = {
      'javascript:alert(1)':
        "'javascript:alert(1)' has a scheme that is neither https nor private to an application",
      'http://192.168.0.7/cb?key=secret':
        "'http://192.168.0.7/cb...' is http but not on a loopback address",
      'cursor://user:secret@anysphere/cb': "'cursor:...@anysphere/cb' has a user name in it",
      'https://*.app.example/cb':
        "'https://*.app.example/cb' holds a character that no redirect URI may have",
    }
    for (const [uri, said] of Object.entries(rows)) {
      const json = { redirect_uris: ['https://app.example/cb', uri, cursor] }
      const { status, body } = await service.ask('/register', { json })
      assert.equal(status, 400)
      assert.deepEqual(body, {
        error: 'invalid_redirect_uri',
        error_description: `redirect_uris[1] ${said}`,
      })
    }
  })

  it('unknown values are dropped, and the answer shows what remains', async () => {
    const { status, body } = await service.ask('/register', {
      json: {
        redirect_uris: [cursor],
        grant_types: ['authorization_code', 'refresh_token', 'urn:example:unknown'],
        response_types: ['code', 'code unknown'],
        scope: 'photos:read mcp:tools openid',
        subject_types: ['none'],
        application_type: 'native',
      },
    })
    assert.equal(status, 201)
    const { grant_types, response_types, scope, application_type } = body
    assert.deepEqual(
      { grant_types, response_types, scope, application_type },
      {
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: 'openid photos:read',
        application_type: 'native',
      },
    )
    assert.equal('subject_types' in body, false)
  })
})
