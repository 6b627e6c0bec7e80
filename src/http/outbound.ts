/**
 * The guarded fetch: requests of this service to URLs that others chose. The fetch connects only to
 * addresses that it has just checked, and bounds size, time and number (RFC 9700 section 4.11;
 * OWASP, "Server-Side Request Forgery Prevention").
 */
import { isIP } from 'node:net'
import { stripBrackets } from '../model/sector.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import { httpLimits } from './limits.ts'
import {
  type Answered,
  type ExchangeFault,
  exchangeWith,
  type Failed,
  makeFailure,
  runForHost,
  type SentRequest,
} from './outbound-exchange.ts'
import { createReach, type Reach, type ReachRule, type Resolve, resolveHost } from './reach.ts'

export interface OutboundRequest
  extends Partial<Omit<SentRequest, 'mostBytes'>>,
    Pick<SentRequest, 'mostBytes'> {
  readonly url: string
  /** `same-origin` follows a few redirects that stay with scheme, host and port. Default: none. */
  readonly redirects?: 'refused' | 'same-origin'
}

/** Why there is no answer. */
export type OutboundFault =
  | ExchangeFault
  /** No absolute http or https URL, or one with a user name or a dot behind the host. */
  | 'bad_url'
  | 'not_https'
  | 'unknown_host'
  /** The host has an address that may not be reached. */
  | 'forbidden_address'
  | 'redirected'
  | 'too_slow'
  /** Too many requests at once, of all or to this host. */
  | 'too_busy'

export type Fetched = Answered | Failed<OutboundFault>

export interface Outbound {
  /** Never rejects. */
  fetch(request: OutboundRequest): Promise<Fetched>
  /** Ends what is under way. */
  close(): void
}

export interface OutboundOptions extends ReachRule {
  readonly resolve?: Resolve
  readonly deadline?: Deadline
  /** Requests under way, of all and to one host. */
  readonly milliseconds?: number
  readonly most?: { readonly atOnce: number; readonly atOncePerHost: number }
}

/** Calls `end` after so many milliseconds, unless what it answers is called before. */
export type Deadline = (milliseconds: number, end: () => void) => () => void

/** Keeps no process alive. */
export const setDeadline: Deadline = (milliseconds, end) => {
  const timer = setTimeout(end, milliseconds).unref()
  return () => clearTimeout(timer)
}

/** A URL that may be asked, if its addresses may be reached. */
const parseTarget = (text: string): URL | null => {
  if (text.length > parameterLimits.textCharacters || !URL.canParse(text)) return null
  const url = new URL(text)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  // With a dot behind it, a host is the same for DNS and another one for lists and certificates.
  const isPlain = url.username === '' && url.password === '' && !url.hostname.endsWith('.')
  return isWeb && isPlain ? url : null
}

/** Always this machine, whatever DNS says (RFC 6761 section 6.3). */
const isLocalName = (host: string): boolean => /(^|\.)localhost$/.test(host)

/** All addresses of a host, where each of them may be reached. */
const resolveAddresses = async (
  { protocol, hostname }: URL,
  reachOf: (address: string) => Reach,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[] | Failed<OutboundFault>> => {
  const host = stripBrackets(hostname)
  const find = (): Promise<readonly string[]> | readonly string[] => {
    if (isIP(host) !== 0) return [host]
    return isLocalName(host)
      ? ['127.0.0.1', '::1'].filter((address) => reachOf(address) !== 'closed')
      : resolve(host, signal)
  }
  const addresses = await find()
  if (addresses.length === 0) {
    return makeFailure(isLocalName(host) ? 'forbidden_address' : 'unknown_host')
  }
  const reaches = addresses.map(reachOf)
  // One is enough to refuse all: which of them is connected to is not for the other side to choose.
  if (reaches.includes('closed')) return makeFailure('forbidden_address')
  const isSecure = protocol === 'https:' || reaches.every((reach) => reach === 'loopback')
  return isSecure ? addresses : makeFailure('not_https')
}

/** How many requests are under way, of all and to each host. */
const createSlots = ({ atOnce, atOncePerHost }: NonNullable<OutboundOptions['most']>) => {
  const hosts = new Map<string, number>()
  let taken = 0
  return {
    take(host: string): boolean {
      const here = hosts.get(host) ?? 0
      if (taken >= atOnce || here >= atOncePerHost) return false
      taken++
      hosts.set(host, here + 1)
      return true
    },
    free(host: string): void {
      const here = hosts.get(host) ?? 0
      taken--
      if (here > 1) hosts.set(host, here - 1)
      else hosts.delete(host)
    },
  }
}

const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308]

/** The target of a redirect; null without one. */
const findRedirect = ({ status, headers, url }: Answered): URL | null => {
  const location = redirectStatuses.includes(status) ? headers.get('location') : null
  return location !== null && URL.canParse(location, url) ? new URL(location, url) : null
}

const isRedirect = ({ status }: Answered): boolean => redirectStatuses.includes(status)

export const createOutbound = ({
  resolve = resolveHost,
  deadline = setDeadline,
  most = httpLimits.outbound,
  milliseconds = httpLimits.outbound.milliseconds,
  ...rule
}: OutboundOptions): Outbound => {
  const reachOf = createReach(rule)
  const slots = createSlots(most)
  const underWay = new Set<AbortController>()

  const hop = async (url: URL, sent: SentRequest, signal: AbortSignal): Promise<Fetched> => {
    const addresses = await resolveAddresses(url, reachOf, resolve, signal)
    if ('outcome' in addresses) return addresses
    if (signal.aborted) return makeFailure('too_slow')
    return runForHost(url.host, () => exchangeWith(url, addresses, sent, signal))
  }

  const follow = async (from: URL, request: OutboundRequest, signal: AbortSignal) => {
    const { method = 'GET', headers = {}, body = null, mostBytes, redirects } = request
    const sent = { method, headers, body, mostBytes }
    let url = from
    for (let hops = 0; hops <= httpLimits.outbound.redirects; hops++) {
      const answer = await hop(url, sent, signal)
      if (answer.outcome === 'failed' || !isRedirect(answer)) return answer
      const next = redirects === 'same-origin' && method === 'GET' ? findRedirect(answer) : null
      if (next === null || parseTarget(next.href)?.origin !== from.origin) break
      url = next
    }
    return makeFailure('redirected')
  }

  return {
    async fetch(request) {
      const url = parseTarget(request.url)
      if (url === null) return makeFailure('bad_url')
      if (!slots.take(url.hostname)) return makeFailure('too_busy')
      const ending = new AbortController()
      underWay.add(ending)
      const cancel = deadline(milliseconds, () => ending.abort())
      const { signal } = ending
      const ended = new Promise<Failed<OutboundFault>>((settle) => {
        signal.addEventListener('abort', () => settle(makeFailure('too_slow')))
      })
      try {
        // Not even a resolver that does not listen to the signal lasts longer.
        const answer = await Promise.race([follow(url, request, signal), ended])
        return signal.aborted ? makeFailure('too_slow') : answer
      } catch {
        return makeFailure('no_answer')
      } finally {
        cancel()
        underWay.delete(ending)
        slots.free(url.hostname)
      }
    },
    close() {
      for (const ending of underWay) ending.abort()
    },
  }
}
