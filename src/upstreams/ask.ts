/** One question to an upstream, over the guarded fetch. */
import type { Outbound, OutboundFault, OutboundRequest } from '../http/outbound.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { upstreamLimits } from './limits.ts'
import { UpstreamFault } from './upstream.ts'

/** Faults of an upstream that is down, not of a wrong configuration. */
const passing: readonly OutboundFault[] = ['no_answer', 'unknown_host', 'too_slow', 'too_busy']

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parsed = (body: Uint8Array): JsonValue => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return null
  }
}

/** The code of an OAuth error, if it is one: nothing else that an upstream says goes to the log. */
export const codeIn = (answer: JsonValue): string =>
  isObject(answer) && typeof answer.error === 'string' && /^[a-z_]{1,40}$/.test(answer.error)
    ? ` ${answer.error}`
    : ''

/**
 * The JSON of a good answer.
 *
 * @param what the question, for the log
 */
export const askForJson = async (
  what: string,
  request: Omit<OutboundRequest, 'mostBytes'>,
  { outbound }: { readonly outbound: Outbound },
): Promise<JsonValue | UpstreamFault> => {
  const headers = { Accept: 'application/json', ...request.headers }
  const answer = await outbound.fetch({ ...request, headers, mostBytes: upstreamLimits.bytes })
  if (answer.outcome === 'failed') {
    const fault = passing.includes(answer.reason) ? 'unreachable' : 'wrong'
    return new UpstreamFault(fault, `${what}: ${answer.reason} ${answer.detail}`.trimEnd())
  }
  const { status, body } = answer
  const said = parsed(body)
  if (status === 200) return said
  const detail = `${what}: status ${status}${codeIn(said)}`
  return new UpstreamFault(status >= 500 || status === 429 ? 'unreachable' : 'wrong', detail)
}

/** The JSON object of a good answer. */
export const askUpstream = async (
  ...question: Parameters<typeof askForJson>
): Promise<JsonObject | UpstreamFault> => {
  const said = await askForJson(...question)
  if (said instanceof UpstreamFault || isObject(said)) return said
  return new UpstreamFault('wrong', `${question[0]}: no JSON object`)
}
