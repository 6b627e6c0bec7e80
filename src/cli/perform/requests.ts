/** Requests to the service as any client sends them: its metadata, its token endpoint, and the browser (RFC 8252). */

import { spawn } from 'node:child_process'
import { UsageFault } from '../../config/remote.ts'
import { drawRandom, hashText, makeSecret } from '../../crypto/digest.ts'
import { listen } from '../../http/listen.ts'
import { isObject, parseJson } from '../../model/json.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { getMetadataPlace } from '../../resource/issuer.ts'
import { ApiFault, getCause } from '../api.ts'
import { cliLimits } from '../limits.ts'

export interface PerformingClient {
  readonly id: string
  /** '' for a public client. */
  readonly secret: string
}

const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
  const signal = AbortSignal.timeout(cliLimits.commandSeconds * 1000)
  return fetch(url, { ...init, signal, redirect: 'error' }).catch((fault: unknown) => {
    throw new ApiFault(`${url} does not answer: ${getCause(fault)}`)
  })
}

const parseAnswer = async (answer: Response): Promise<JsonRow> => {
  const value = parseJson(await answer.text())
  if (isObject(value)) return value
  throw new ApiFault(`${answer.url} answered no JSON object`, answer.status)
}

/** @throws ApiFault where the metadata is of another issuer (RFC 8414 section 3.3) */
export const findMetadata = async (issuer: string): Promise<JsonRow> => {
  if (!URL.canParse(issuer)) throw new UsageFault('--issuer has to be a URL')
  const metadata = await parseAnswer(await ask(getMetadataPlace(issuer)))
  if (metadata.issuer === issuer) return metadata
  if (typeof metadata.issuer !== 'string') {
    throw new ApiFault(`${issuer} is the issuer of no service: its metadata name none`)
  }
  throw new ApiFault(`the metadata is of the issuer ${metadata.issuer}, not of ${issuer}`)
}

/**
 * The metadata of a service that gets tokens of its own admin API. Its endpoints lie below the issuer: elsewhere
 * somebody else could collect them.
 *
 * @throws ApiFault
 */
export const findOwnMetadata = async (issuer: string): Promise<JsonRow> => {
  const metadata = await findMetadata(issuer)
  for (const name of ['authorization_endpoint', 'token_endpoint', 'revocation_endpoint']) {
    const url = URL.parse(String(metadata[name]))
    if (url?.href.startsWith(`${issuer}/`) !== true) {
      throw new ApiFault(`the ${name} of ${issuer} lies outside of it`)
    }
  }
  return metadata
}

const writeBasic = ({ id, secret }: PerformingClient): string =>
  `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`

/** Sends a form as the client (RFC 6749 section 2.3.1). */
const post = async (
  url: string,
  client: PerformingClient,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<Response> => {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) body.set(name, value)
  }
  const headers: Record<string, string> = {}
  if (client.secret === '') body.set('client_id', client.id)
  else headers.Authorization = writeBasic(client)
  return ask(url, { method: 'POST', headers, body })
}

/** The claims of a JWT as they stand there: the signature is not verified. Null for any other token. */
export const decodeClaims = (token: unknown): JsonRow | null => {
  const [, payload = '', ...rest] = typeof token === 'string' ? token.split('.') : []
  if (rest.length !== 1) return null
  const claims = parseJson(Buffer.from(payload, 'base64url').toString())
  return isObject(claims) ? claims : null
}

/** A refusal as a person reads it, with the way to its explanation. */
const refusalOf = (said: JsonRow, answer: Response): ApiFault => {
  const error = String(said.error)
  const reference = answer.headers.get('latchkey-reference')
  const way = reference === null ? '' : ` (latchkey explain ${reference} tells more)`
  const description = said.error_description === undefined ? '' : `: ${said.error_description}`
  return new ApiFault(`${error}${description}${way}`, answer.status, error)
}

/**
 * What the service says of a token (RFC 7662). Null where the client has no secret, or may not ask.
 */
export const introspect = async (
  metadata: JsonRow,
  client: PerformingClient,
  token: unknown,
): Promise<JsonRow | null> => {
  const { introspection_endpoint: url } = metadata
  if (client.secret === '' || typeof url !== 'string' || typeof token !== 'string') return null
  const answer = await post(url, client, { token })
  return answer.ok ? parseAnswer(answer) : null
}

/** @throws ApiFault with error and description of the refusal (RFC 6749 section 5.2) */
export const askToken = async (
  metadata: JsonRow,
  client: PerformingClient,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<JsonRow> => {
  const answer = await post(String(metadata.token_endpoint), client, parameters)
  const said = await parseAnswer(answer)
  if (answer.ok) return said
  throw refusalOf(said, answer)
}

/** RFC 7009. @throws ApiFault unless the service says that the token has ended */
export const revokeToken = async (
  metadata: JsonRow,
  client: PerformingClient,
  token: string,
): Promise<void> => {
  const answer = await post(String(metadata.revocation_endpoint), client, { token })
  if (!answer.ok) throw refusalOf(await parseAnswer(answer), answer)
}

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

const drawSecret = (): string => makeSecret('', drawRandom)

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
  const [state, verifier] = [drawSecret(), drawSecret()]
  let redirectUri = ''
  const answered = await awaitRedirect(request, state, (uri) => {
    redirectUri = uri
    const url = new URL(String(metadata.authorization_endpoint))
    const parameters = {
      response_type: 'code',
      client_id: client.id,
      redirect_uri: uri,
      state,
      code_challenge: hashText(verifier),
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
