/** An authorization request through the browser, answered at a loopback address (RFC 8252). */
import { spawn } from 'node:child_process'
import { digest, newSecret, systemRandom } from '../../crypto/digest.ts'
import { listen } from '../../http/listen.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { ApiFault } from '../api.ts'
import { askToken, type PerformingClient } from './ask-token.ts'

interface CodeRequest {
  readonly client: PerformingClient
  readonly scope: string | undefined
  readonly resource: string | undefined
  readonly prompt: string | undefined
  /** 0 = a free one. */
  readonly port: number
  /** Of the redirect URI, as it is registered. */
  readonly path: string
  readonly seconds: number
  /** Shows somebody the URL to open. */
  readonly open: (url: string) => void
}

const random = (): string => newSecret('', systemRandom)

/** Opens a URL as the desktop does; where it cannot, the printed one is there. */
export const openBrowser = (url: string): void => {
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(command, [url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

const page = (words: string) => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain;charset=UTF-8', 'Cache-Control': 'no-store' },
  body: `${words}\n`,
})

/** The query of the first request to the redirect URI that carries our state. */
const awaitRedirect = async (
  { port, path, seconds }: CodeRequest,
  state: string,
  begin: (redirectUri: string) => void,
): Promise<URLSearchParams> => {
  const listener = await listen({ port, host: '127.0.0.1' })
  const arrived = Promise.withResolvers<URLSearchParams>()
  const late = setTimeout(
    () => arrived.reject(new ApiFault(`nobody came back within ${seconds} seconds`)),
    seconds * 1000,
  )
  listener.serve(
    async (request) => {
      const { pathname, searchParams } = new URL(request.url)
      // Another page may ask this address, and knows no state.
      if (pathname !== path || searchParams.get('state') !== state) {
        return { ...page('Nothing is here.'), status: 404 }
      }
      arrived.resolve(searchParams)
      return page('Done. Go back to the terminal.')
    },
    () => {},
  )
  try {
    begin(`http://127.0.0.1:${listener.port}${path}`)
    return await arrived.promise
  } finally {
    clearTimeout(late)
    await listener.close()
  }
}

/** @throws ApiFault where the service refuses, or nobody comes back */
export const performCode = async (metadata: JsonRow, request: CodeRequest): Promise<JsonRow> => {
  const { client, scope, resource, prompt, open } = request
  const [state, verifier] = [random(), random()]
  let redirectUri = ''
  const answered = await awaitRedirect(request, state, (uri) => {
    redirectUri = uri
    const url = new URL(String(metadata.authorization_endpoint))
    const parameters = {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: uri,
      state,
      code_challenge: digest(verifier),
      code_challenge_method: 'S256',
      scope,
      resource,
      prompt,
    }
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    open(url.href)
  })
  // A response of another server is a mix-up (RFC 9207 section 2.4).
  if (answered.get('iss') !== metadata.issuer) {
    throw new ApiFault(`the answer is of the issuer ${answered.get('iss')}`)
  }
  const error = answered.get('error')
  if (error !== null) {
    const reference = answered.get('latchkey_reference')
    const way = reference === null ? '' : ` (latchkey explain ${reference} tells more)`
    throw new ApiFault(`${error}: ${answered.get('error_description') ?? ''}${way}`, null, error)
  }
  return askToken(metadata, client, {
    grant_type: 'authorization_code',
    code: answered.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
    resource,
  })
}
