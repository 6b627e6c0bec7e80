/** One guarded fetch of something small that a client publishes at its own site. */

import type { Exchange } from '../http/exchange.ts'
import type { Fetched, Outbound, OutboundFault } from '../http/outbound.ts'
import type { Answered } from '../http/outbound-exchange.ts'
import { documentLimits } from './limits.ts'

/** Why the client of a metadata document cannot be approved now. */
export type DocumentFault =
  /** The document breaks a rule, or is gone: `said` names the rule. */
  | { readonly is: 'unusable'; readonly said: string }
  /** Its host does not answer, and no copy serves any more. */
  | { readonly is: 'unreachable' }
  /** The operator takes no documents. */
  | { readonly is: 'off' }
  /** Too much of the network, or of all: again in so many seconds. */
  | { readonly is: 'too_many'; readonly seconds: number }

/** Why the keys of a client cannot be had now. */
export type KeysFault = Extract<DocumentFault, { is: 'unusable' | 'unreachable' }>

/** The request that needs something from the site of a client. */
export interface FetchAsker extends Pick<Exchange, 'at'> {
  /** A stranger's: then fetches are bounded. Null where the client proved itself. */
  readonly address: string | null
  /** Whether it loads a part of a foreign page, such as an image: then nothing is fetched. */
  readonly isForPart?: boolean
}

export type Published =
  | { readonly is: 'fetched'; readonly text: string; readonly headers: Answered['headers'] }
  | KeysFault

export const unusable = (said: string) => ({ is: 'unusable', said }) as const
export const unreachable = { is: 'unreachable' } as const

/** Faults that may have gone a moment later. All others are the document's. */
const passing: readonly OutboundFault[] = ['no_answer', 'unknown_host', 'too_slow', 'too_busy']

/** The fault of the document's host, in words for its developer. */
const said: Readonly<Partial<Record<OutboundFault, string>>> = {
  bad_url: 'its URL cannot be fetched',
  not_https: 'its URL has to be https',
  forbidden_address: 'its host has an address that this service does not reach',
  redirected: 'its URL redirects: the document has to be there itself',
  too_large: `it is larger than ${documentLimits.bytes / 1024} KiB`,
  encoded: 'it is compressed, though this service asks for no content coding',
}

/** Null for an answer with a document, or with the news that the copy is the newest. */
export const fetchFault = (answer: Fetched, hasEtag: boolean): KeysFault | null => {
  if (answer.outcome === 'failed') {
    return passing.includes(answer.reason)
      ? unreachable
      : unusable(said[answer.reason] ?? answer.reason)
  }
  const { status } = answer
  if (status === 200 || (status === 304 && hasEtag)) return null
  return status >= 500 || status === 429
    ? unreachable
    : unusable(`its host answers with status ${status} instead of 200`)
}

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
