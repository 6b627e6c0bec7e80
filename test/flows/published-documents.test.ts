/**
 * Client metadata documents as applications published them in 2026. The URL of each is the `client_id`
 * that it has there; here it has the URL of the test's own host.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answerOf, Browser } from '../support/browser.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import { challenge, verifier } from '../support/gallery.ts'
import { jwtBearerType } from '../support/issuers.ts'
import { authorizePath, walk } from '../support/printing.ts'
import { startBefore } from '../support/start.ts'
import { refresh } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

const service = startBefore()
const host = openDocumentSiteBefore()

interface Published {
  /** Where it is published. */
  readonly url: string
  /** The redirect URIs that the application sends. */
  readonly sent: readonly string[]
  readonly document: {
    readonly client_name: string
    readonly redirect_uris: readonly string[]
    readonly [member: string]: unknown
  }
}

const native = ['http://127.0.0.1/callback', 'http://localhost/callback']
const usual = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}

const published: readonly Published[] = [
  {
    url: 'https://chatgpt.com/oauth/client.json',
    sent: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    document: {
      ...usual,
      client_name: 'ChatGPT',
      client_uri: 'https://chatgpt.com/',
      logo_uri: 'https://persistent.oaistatic.com/sonic/misc/openai-logo.png',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
  },
  {
    url: 'https://chatgpt.com/oauth/codex/client.json',
    sent: ['http://127.0.0.1:41823/callback'],
    document: { ...usual, client_name: 'Codex', redirect_uris: native },
  },
  {
    url: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    sent: ['https://claude.ai/api/mcp/auth_callback'],
    document: {
      ...usual,
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      // One more than public clients have here.
      grant_types: [...usual.grant_types, 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    },
  },
  {
    url: 'https://claude.ai/oauth/claude-code-client-metadata',
    sent: ['http://localhost:58135/callback', 'http://127.0.0.1:58135/callback'],
    document: {
      ...usual,
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: native,
    },
  },
  {
    url: 'https://cursor.com/oauth/mcp-client.json',
    sent: ['http://localhost:8787/callback', 'https://www.cursor.com/agents/mcp/oauth/callback'],
    document: {
      client_name: 'Cursor',
      token_endpoint_auth_method: 'none',
      redirect_uris: [
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'https://www.cursor.com/bot/mcp/oauth/callback',
        'http://localhost:8787/callback',
        'http://127.0.0.1:8787/callback',
      ],
    },
  },
  {
    url: 'https://vscode.dev/oauth/client-metadata.json',
    sent: ['http://127.0.0.1:33418/', 'http://127.0.0.1:33418', 'https://vscode.dev/redirect'],
    document: {
      ...usual,
      client_name: 'Visual Studio Code',
      client_uri: 'https://vscode.dev/product',
      logo_uri: 'https://code.visualstudio.com/assets/branding/code-stable.png',
      redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
      grant_types: [...usual.grant_types, 'urn:ietf:params:oauth:grant-type:device_code'],
      application_type: 'native',
    },
  },
  {
    url: 'https://opencode.ai/oauth/opencode/client.json',
    sent: ['http://127.0.0.1:19876/callback'],
    document: {
      ...usual,
      client_name: 'opencode',
      client_uri: 'https://opencode.ai',
      logo_uri: 'https://opencode.ai/web-app-manifest-512x512.png',
      application_type: 'native',
      redirect_uris: native,
      token_endpoint_auth_methods_supported: ['none'],
    },
  },
]

/** The path of its URL, on a host of this machine. */
const serve = ({ url, document }: Published): string =>
  host.answer(new URL(url).pathname, (_request, response) => {
    const client_id = host.url(new URL(url).pathname)
    const type = { 'Content-Type': 'application/json' }
    response.writeHead(200, type).end(JSON.stringify({ ...document, client_id }))
  })

const requestOf = (client_id: string, redirect_uri: string) => ({
  response_type: 'code',
  client_id,
  redirect_uri,
  scope: 'photos:read offline_access',
  resource: `${service.issuer}/api/photos`,
  state: 'xyz',
  ...challenge,
})

describe('documents as applications publish them', () => {
  for (const one of published) {
    const { url, sent, document } = one
    for (const redirect_uri of sent) {
      test(`${url} at ${redirect_uri}: consent, tokens, refresh`, async () => {
        const client_id = serve(one)
        const page = await walk(service, requestOf(client_id, redirect_uri))
        assert.ok(page.headers.get('location')?.startsWith(redirect_uri), page.text)
        const { code = '' } = answerOf(page)
        const form = { grant_type: 'authorization_code', client_id, code, redirect_uri }
        const { status, body } = await service.post('/token', { ...form, code_verifier: verifier })
        const refreshes = document.grant_types !== undefined
        assert.deepEqual([status, typeof body.refresh_token === 'string'], [200, refreshes])
        if (!refreshes) return
        const next = await refresh(service, body.refresh_token, null, { client_id })
        assert.equal(next.status, 200, next.text)
      })
    }

    test(`${url} is a public client with the members that it names`, async () => {
      const client_id = serve(one)
      await new Browser(service).go(authorizePath(requestOf(client_id, sent[0] ?? '')))
      const operator = await operatorOf(service)
      const { body } = await operator('GET', `clients/${encodeURIComponent(client_id)}`)
      const { client_name, redirect_uris, token_endpoint_auth_method, grant_types } = body
      assert.deepEqual(
        { client_name, redirect_uris, token_endpoint_auth_method, grant_types },
        {
          client_name: document.client_name,
          redirect_uris: document.redirect_uris,
          token_endpoint_auth_method: 'none',
          // A public client proves nothing, so no JWT of another opens access for it.
          grant_types: [document.grant_types ?? ['authorization_code']]
            .flat()
            .filter((one) => one !== jwtBearerType),
        },
      )
    })
  }

  test('one without a word about methods but the list', async () => {
    const redirect_uri = 'http://127.0.0.1:19876/callback'
    const document = {
      client_name: 'Helper',
      redirect_uris: native,
      token_endpoint_auth_methods_supported: ['none'],
    }
    const client_id = serve({ url: 'https://helper.example/list.json', sent: [], document })
    const page = await walk(service, requestOf(client_id, redirect_uri))
    assert.match(answerOf(page).code ?? '', /^lk_ac_/)
  })

  test('one that takes keys only is refused clearly', async () => {
    const document = {
      client_name: 'Helper',
      redirect_uris: native,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
    }
    const client_id = serve({ url: 'https://helper.example/keys.json', sent: [], document })
    const path = authorizePath(requestOf(client_id, 'http://127.0.0.1:1/callback'))
    const { status, text } = await new Browser(service).go(path)
    assert.equal(status, 400)
    assert.match(text, /<code>token_endpoint_auth_method has to be none, or /)
  })
})
