/** The example MCP server behind a port, a service that knows it, and the client of the official SDK. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { createApp } from '../../examples/mcp/server.ts'
import { defaultResources, parseResources } from '../../src/config/resources.ts'
import { answerOf, Browser } from './browser.ts'
import { houseApp } from './demo-clients.ts'
import { freePort } from './port.ts'
import { type Started, start } from './start.ts'

type Send = (url: string | URL, init?: RequestInit) => Promise<Response>

export interface StartedMcp {
  readonly service: Started
  /** The URL of the MCP server: its `resource`. */
  readonly url: string
  /** Sends to the service in this process, or to the MCP server behind its port. */
  readonly send: Send
  close(): Promise<void>
}

/** House App is the client of the MCP server. */
export const startMcp = async (): Promise<StartedMcp> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/mcp`
  const parsed = parseResources([
    {
      name: 'notes',
      title: 'Notes',
      read: 'See your notes',
      write: 'Add notes',
      uri: url,
      introspection_clients: [houseApp[0]],
    },
  ])
  assert.ok('value' in parsed)
  const service = await start({ resources: [...defaultResources, ...parsed.value] })
  const send: Send = (to, init) =>
    String(to).startsWith(service.issuer)
      ? service.server().fetch(new Request(to, { ...init, redirect: 'manual' }), '127.0.0.1')
      : fetch(to, init)
  const [clientId, clientSecret] = houseApp
  const app = createApp({
    issuer: service.issuer,
    resource: url,
    clientId,
    clientSecret,
    fetch: (to, init) => send(to instanceof Request ? to.url : to, init),
    clock: () => service.now() * 1000,
  })
  const server = createServer(app).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    service,
    url,
    send,
    async close() {
      server.closeAllConnections()
      server.close()
      await service.close()
    },
  }
}

/** What a client has kept. */
export interface Kept {
  client?: OAuthClientInformationMixed
  tokens?: OAuthTokens
  verifier?: string
  /** The authorization requests that it sent its person to. */
  readonly asked: URL[]
}

export interface McpClient {
  readonly kept: Kept
  /** Connects with the tokens that it has, or sends its person to the service. */
  connect(): Promise<Client>
  /** The person logs in and allows what is asked. The client takes the code. */
  approve(): Promise<void>
}

const redirectUrl = 'http://127.0.0.1:33418/callback'

/** @param documentUrl the URL of its metadata document; undefined: it registers */
export const createMcpClient = ({ service, url, send }: StartedMcp, documentUrl?: string) => {
  const kept: Kept = { asked: [] }
  const browser = new Browser(service)
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'Helper',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    ...(documentUrl === undefined ? {} : { clientMetadataUrl: documentUrl }),
    state: () => 'xyz',
    clientInformation: () => kept.client,
    saveClientInformation(client) {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens
    },
    redirectToAuthorization(request) {
      kept.asked.push(request)
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
    invalidateCredentials() {
      delete kept.tokens
    },
  }
  const createTransport = () =>
    new StreamableHTTPClientTransport(new URL(url), { authProvider: provider, fetch: send })
  const self: McpClient = {
    kept,
    async connect() {
      const client = new Client({ name: 'helper', version: '1.0.0' })
      // The SDK is not written for `exactOptionalPropertyTypes`.
      await client.connect(createTransport() as Transport)
      return client
    },
    async approve() {
      const request = kept.asked.at(-1)
      let page = await browser.go(request?.href ?? '')
      if (page.url.includes('/login')) page = await browser.logIn(page, 'alice', 'wonderland')
      if (page.url.includes('/consent')) page = await browser.submit(page, { decision: 'allow' })
      const { code, ...rest } = answerOf(page)
      assert.deepEqual(rest, { state: 'xyz', iss: service.issuer })
      await createTransport().finishAuth(code ?? '')
    },
  }
  return self
}
