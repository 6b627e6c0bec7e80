/** Requests to the service as any client sends them: its metadata, and its token endpoint. */
import { UsageFault } from '../../config/remote.ts'
import { isObject, parseJson } from '../../model/json.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { metadataPlace } from '../../resource/issuer.ts'
import { ApiFault, causeOf } from '../api.ts'
import { cliLimits } from '../limits.ts'

export interface PerformingClient {
  readonly id: string
  /** '' for a public client. */
  readonly secret: string
}

const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
  const signal = AbortSignal.timeout(cliLimits.commandSeconds * 1000)
  return fetch(url, { ...init, signal, redirect: 'error' }).catch((fault: unknown) => {
    throw new ApiFault(`${url} does not answer: ${causeOf(fault)}`)
  })
}

const parsed = async (answer: Response): Promise<JsonRow> => {
  const value = parseJson(await answer.text())
  if (isObject(value)) return value
  throw new ApiFault(`${answer.url} answered no JSON object`, answer.status)
}

/** @throws ApiFault where the metadata is of another issuer (RFC 8414 section 3.3) */
export const findMetadata = async (issuer: string): Promise<JsonRow> => {
  if (!URL.canParse(issuer)) throw new UsageFault('--issuer has to be a URL')
  const metadata = await parsed(await ask(metadataPlace(issuer)))
  if (metadata.issuer === issuer) return metadata
  if (typeof metadata.issuer !== 'string') {
    throw new ApiFault(`${issuer} is the issuer of no service: its metadata name none`)
  }
  throw new ApiFault(`the metadata is of the issuer ${metadata.issuer}, not of ${issuer}`)
}

const basic = ({ id, secret }: PerformingClient): string =>
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
  else headers.Authorization = basic(client)
  return ask(url, { method: 'POST', headers, body })
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
  return answer.ok ? parsed(answer) : null
}

/** @throws ApiFault with error and description of the refusal (RFC 6749 section 5.2) */
export const askToken = async (
  metadata: JsonRow,
  client: PerformingClient,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<JsonRow> => {
  const answer = await post(String(metadata.token_endpoint), client, parameters)
  const said = await parsed(answer)
  if (answer.ok) return said
  throw refusalOf(said, answer)
}
