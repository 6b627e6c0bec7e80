/**
 * Guarded fetches of small things from the sites of clients: how long a copy serves (RFC 9111), and the bounds on
 * the fetches of strangers.
 */
import { listRegistrationNetworks } from '../http/address.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Fetched, Outbound, OutboundFault } from '../http/outbound.ts'
import type { Answered } from '../http/outbound-exchange.ts'
import type { Client, DocumentCopy } from '../model/client.ts'
import type { Clock } from '../model/ids.ts'
import { decodeUtf8 } from '../model/json.ts'
import { documentLimits } from './limits.ts'

interface Headers {
  /** @param name in lower case */
  get(name: string): string | null
}

/** The directives of `Cache-Control`; '' for one without a value. */
const parseDirectives = (headers: Headers): ReadonlyMap<string, string> => {
  const parts = (headers.get('cache-control') ?? '').toLowerCase().split(',')
  return new Map(
    parts.map((part) => {
      const [name = '', value = ''] = part.trim().split('=', 2)
      return [name.trim(), value.trim().replace(/^"(.*)"$/, '$1')]
    }),
  )
}

const parseSeconds = (text: string | null | undefined): number | null =>
  /^\d{1,10}$/.test(text ?? '') ? Number(text) : null

/** From `Expires`, which a wrong date makes the past (RFC 9111 section 5.3). */
const readExpiry = (headers: Headers): number | null => {
  const expires = headers.get('expires')
  if (expires === null) return null
  const seconds = (Date.parse(expires) - Date.parse(headers.get('date') ?? '')) / 1000
  return Number.isFinite(seconds) ? Math.floor(seconds) : 0
}

const forbidden = ['no-store', 'no-cache', 'private']
const strict = [...forbidden, 'must-revalidate', 'proxy-revalidate']

/** RFC 9111 section 4.2.1, for a cache that many people share. */
const getLifetime = (directives: ReadonlyMap<string, string>, headers: Headers): number => {
  if (forbidden.some((name) => directives.has(name))) return 0
  const named = parseSeconds(directives.get('s-maxage')) ?? parseSeconds(directives.get('max-age'))
  const lifetime = named ?? readExpiry(headers) ?? documentLimits.freshByDefault
  return lifetime - (parseSeconds(headers.get('age')) ?? 0)
}

const readEtag = (headers: Headers): string | null => {
  const etag = headers.get('etag')
  if (etag === null || etag.length > documentLimits.etagCharacters) return null
  return /^(W\/)?"[\x21\x23-\x7e]*"$/.test(etag) ? etag : null
}

/**
 * A confirmation without a word about caching keeps the lifetime of before (RFC 9111 section 4.3.4).
 *
 * @param before the copy that the host confirmed; null for a new one
 * @param at unix seconds
 */
export const copyOf = (headers: Headers, before: DocumentCopy | null, at: number): DocumentCopy => {
  if (before !== null && headers.get('cache-control') === null && headers.get('expires') === null) {
    const later = at - before.fetchedAt
    return {
      etag: readEtag(headers) ?? before.etag,
      fetchedAt: at,
      freshUntil: before.freshUntil + later,
      usableUntil: before.usableUntil + later,
    }
  }
  const directives = parseDirectives(headers)
  const { freshAtLeast, freshAtMost } = documentLimits
  const seconds = Math.min(freshAtMost, Math.max(freshAtLeast, getLifetime(directives, headers)))
  const isStrict = strict.some((name) => directives.has(name))
  return {
    etag: readEtag(headers) ?? before?.etag ?? null,
    fetchedAt: at,
    freshUntil: at + seconds,
    usableUntil: at + (isStrict ? seconds : freshAtMost),
  }
}

export type DocumentFault =
  /** The document breaks a rule, or is gone: `said` names the rule. */
  | { readonly is: 'unusable'; readonly said: string }
  /** Its host does not answer, and no copy serves any more. */
  | { readonly is: 'unreachable' }
  /** The operator takes no documents. */
  | { readonly is: 'off' }
  /** Too much of the network, or of all: again in so many seconds. */
  | { readonly is: 'too_many'; readonly seconds: number }

export type KeysFault = Extract<DocumentFault, { is: 'unusable' | 'unreachable' }>

export interface FetchAsker extends Pick<Exchange, 'at'> {
  /** A stranger's: then fetches are bounded. Null where the client proved itself. */
  readonly address: string | null
  /** Whether it loads a part of a foreign page, such as an image: then nothing is fetched. */
  readonly isForPart?: boolean
}

export type Published =
  | { readonly is: 'fetched'; readonly text: string; readonly headers: Answered['headers'] }
  | KeysFault

export const makeUnusable = (said: string) => ({ is: 'unusable', said }) as const
export const unreachable = { is: 'unreachable' } as const

/** Faults that may have gone a moment later. All others are the document's. */
export const passing: readonly OutboundFault[] = [
  'no_answer',
  'unknown_host',
  'too_slow',
  'too_busy',
]

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
      : makeUnusable(said[answer.reason] ?? answer.reason)
  }
  const { status } = answer
  if (status === 200 || (status === 304 && hasEtag)) return null
  return status >= 500 || status === 429
    ? unreachable
    : makeUnusable(`its host answers with status ${status} instead of 200`)
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
  if (answer.outcome === 'failed') return unreachable
  const text = decodeUtf8(answer.body)
  return text === null
    ? makeUnusable('it is not UTF-8')
    : { is: 'fetched', text, headers: answer.headers }
}

interface FetchBounds {
  /** A fault while the network or all of them have to wait, and for a part of a foreign page. */
  enter(asker: FetchAsker):
    | {
        readonly is: 'entered'
        /** Gives the place back. A failed or slow fetch counts for the rest of the window. */
        leave(outcome: 'done' | 'failed'): void
      }
    | Extract<DocumentFault, { readonly is: 'unusable' | 'too_many' }>
}

/** A guarded fetch, and the bounds of its strangers. */
export interface WayOut {
  readonly outbound: Outbound
  readonly bounds: FetchBounds
}

/** The operator's clients have a way of their own: strangers cannot occupy it. */
export type WaysOut = Readonly<Record<Client['registeredBy'], WayOut>>

/** For what no stranger can cause. */
export const unbounded: FetchBounds = { enter: () => ({ is: 'entered', leave: () => {} }) }

/** @param clock tells how long a fetch took */
export const createFetchBounds = (clock: Clock): FetchBounds => {
  const underWay = new Map<string, number>()
  /** Of the current window; at most `documentLimits.failures` networks. */
  let failures = { window: 0, total: 0, networks: new Map<string, number>() }

  const leaveWay = (network: string): void => {
    const left = (underWay.get(network) ?? 1) - 1
    if (left === 0) underWay.delete(network)
    else underWay.set(network, left)
  }

  return {
    enter({ address, at, isForPart }) {
      // A page can hold many images, and their visitors have no part in it.
      if (isForPart) return makeUnusable('nothing is fetched for a part of a page of another site')
      if (address === null) return unbounded.enter({ address, at })
      const window = Math.floor(at / documentLimits.windowSeconds)
      if (failures.window !== window) failures = { window, total: 0, networks: new Map() }
      // The widest network: otherwise an IPv6 site would have 65,536 shares.
      const network = listRegistrationNetworks(address).at(-1)?.key ?? ''
      const now = underWay.get(network) ?? 0
      const failed = failures.networks.get(network) ?? 0
      const isFull =
        now >= documentLimits.underWayOfNetwork || failures.total >= documentLimits.failures
      if (isFull || failed + now >= documentLimits.failuresOfNetwork) {
        return { is: 'too_many', seconds: (window + 1) * documentLimits.windowSeconds - at }
      }
      underWay.set(network, now + 1)
      const began = clock()
      return {
        is: 'entered',
        leave(outcome) {
          leaveWay(network)
          if (outcome === 'done' && clock() - began < documentLimits.slowMilliseconds) return
          failures.total++
          failures.networks.set(network, (failures.networks.get(network) ?? 0) + 1)
        },
      }
    },
  }
}
