/** How long a copy of a metadata document serves, by the rules of HTTP caching (RFC 9111), within bounds. */
import type { DocumentCopy } from '../model/client-document.ts'

export const documentLimits = {
  bytes: 64 * 1024,
  etagCharacters: 200,
  /** A copy is fresh for at least and at most so long, whatever the host says. */
  freshAtLeast: 5,
  freshAtMost: 24 * 3600,
  /** Where the host says nothing about it. */
  freshByDefault: 300,
  /** A host that did not answer is asked again after so long, if its copy still serves. */
  retrySeconds: 30,
  /** So many such hosts are remembered by a node. */
  resting: 1000,
  windowSeconds: 60,
  /** When to try again where the store takes no further clients. */
  fullSeconds: 3600,
  /**
   * Fetches of any kind that fail in one window, and fetches under way, of one network (IPv4 /24, IPv6
   * /48). Beyond that the network waits.
   */
  failuresOfNetwork: 30,
  underWayOfNetwork: 4,
  /** A fetch that takes so long counts as failed: meanwhile it holds a place. */
  slowMilliseconds: 2000,
  /** Fetches that fail in one window, of all networks. */
  failures: 600,
} as const

interface Headers {
  /** @param name in lower case */
  get(name: string): string | null
}

/** The directives of `Cache-Control`; '' for one without a value. */
const directivesOf = (headers: Headers): ReadonlyMap<string, string> => {
  const parts = (headers.get('cache-control') ?? '').toLowerCase().split(',')
  return new Map(
    parts.map((part) => {
      const [name = '', value = ''] = part.trim().split('=', 2)
      return [name.trim(), value.trim().replace(/^"(.*)"$/, '$1')]
    }),
  )
}

const secondsIn = (text: string | null | undefined): number | null =>
  /^\d{1,10}$/.test(text ?? '') ? Number(text) : null

/** From `Expires`, which a wrong date makes the past (RFC 9111 section 5.3). */
const untilExpiry = (headers: Headers): number | null => {
  const expires = headers.get('expires')
  if (expires === null) return null
  const seconds = (Date.parse(expires) - Date.parse(headers.get('date') ?? '')) / 1000
  return Number.isFinite(seconds) ? Math.floor(seconds) : 0
}

const forbidden = ['no-store', 'no-cache', 'private']
const strict = [...forbidden, 'must-revalidate', 'proxy-revalidate']

/** RFC 9111 section 4.2.1, for a cache that many people share. */
const lifetimeOf = (directives: ReadonlyMap<string, string>, headers: Headers): number => {
  if (forbidden.some((name) => directives.has(name))) return 0
  const named = secondsIn(directives.get('s-maxage')) ?? secondsIn(directives.get('max-age'))
  const lifetime = named ?? untilExpiry(headers) ?? documentLimits.freshByDefault
  return lifetime - (secondsIn(headers.get('age')) ?? 0)
}

const etagOf = (headers: Headers): string | null => {
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
      etag: etagOf(headers) ?? before.etag,
      fetchedAt: at,
      freshUntil: before.freshUntil + later,
      usableUntil: before.usableUntil + later,
    }
  }
  const directives = directivesOf(headers)
  const { freshAtLeast, freshAtMost } = documentLimits
  const seconds = Math.min(freshAtMost, Math.max(freshAtLeast, lifetimeOf(directives, headers)))
  const isStrict = strict.some((name) => directives.has(name))
  return {
    etag: etagOf(headers) ?? before?.etag ?? null,
    fetchedAt: at,
    freshUntil: at + seconds,
    usableUntil: at + (isStrict ? seconds : freshAtMost),
  }
}
