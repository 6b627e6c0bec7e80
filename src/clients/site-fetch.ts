/** One guarded fetch of something small that a client publishes at its own site. */

import type { Outbound } from '../http/outbound.ts'
import type { Answered } from '../http/outbound-exchange.ts'
import type { KeysFault } from '../parts.ts'
import { fetchFault } from './document-fetch.ts'
import { documentLimits } from './document-limits.ts'

export type Published =
  | { readonly is: 'fetched'; readonly text: string; readonly headers: Answered['headers'] }
  | KeysFault

export const fetchPublished = async (
  url: string,
  accept: string,
  { outbound }: { readonly outbound: Outbound },
): Promise<Published> => {
  const headers = { Accept: accept }
  const answer = await outbound.fetch({ url, headers, mostBytes: documentLimits.bytes })
  const fault = fetchFault(answer, false)
  if (fault !== null) return fault
  if (answer.outcome === 'failed') return { is: 'unreachable' }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(answer.body)
    return { is: 'fetched', text, headers: answer.headers }
  } catch {
    return { is: 'unusable', said: 'it is not UTF-8' }
  }
}
