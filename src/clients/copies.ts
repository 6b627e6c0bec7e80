/** What others publish at URLs, such as key sets: held in memory by the rules of HTTP caching (RFC 9111). */

import type { DocumentCopy } from '../model/client.ts'
import { clientKeyLimits } from './limits.ts'
import {
  copyOf,
  type FetchAsker,
  fetchPublished,
  type KeysFault,
  type WayOut,
} from './site-fetch.ts'

interface Cached<Value> {
  /** The newest good answer; null before the first. */
  readonly copy: (DocumentCopy & { readonly value: Value }) | null
  readonly fault: KeysFault | null
  /** Unix seconds. */
  readonly triedAt: number
}

type PublishedCopy<Value> = KeysFault | { readonly is: 'found'; readonly value: Value }

/** What a copy says now: its value as long as it serves, else its fault. */
const readCached = <Value>({ copy, fault }: Cached<Value>, at: number): PublishedCopy<Value> =>
  copy !== null && at < copy.usableUntil
    ? { is: 'found', value: copy.value }
    : (fault ?? { is: 'unreachable' })

/**
 * @param read null for a text that breaks the rule
 * @param rule says what the text has to be
 */
export const createCopies = <Value>(
  parts: WayOut,
  accept: string,
  read: (text: string) => Value | null,
  rule: string,
) => {
  const copies = new Map<string, Cached<Value>>()
  const underWay = new Map<string, Promise<PublishedCopy<Value>>>()

  const remember = (url: string, cached: Cached<Value>): void => {
    copies.delete(url)
    copies.set(url, cached)
    const [oldest] = copies.keys()
    if (copies.size > clientKeyLimits.setsCached && oldest !== undefined) copies.delete(oldest)
  }

  const fetchCopy = async (
    url: string,
    before: Cached<Value> | undefined,
    at: number,
  ): Promise<Cached<Value>> => {
    const answer = await fetchPublished(url, accept, parts)
    const copy = before?.copy ?? null
    if (answer.is !== 'fetched') return { copy, fault: answer, triedAt: at }
    const value = read(answer.text)
    if (value !== null) {
      return { copy: { ...copyOf(answer.headers, null, at), value }, fault: null, triedAt: at }
    }
    // A set with a private key is withdrawn: whatever it held before counts no more.
    return { copy: null, fault: { is: 'unusable', said: rule }, triedAt: at }
  }

  const renew = async (url: string, asker: FetchAsker): Promise<PublishedCopy<Value>> => {
    const { at } = asker
    const before = copies.get(url)
    const place = parts.bounds.enter(asker)
    if (place.is !== 'entered') {
      if (before !== undefined) return readCached(before, at)
      return place.is === 'unusable' ? place : { is: 'unreachable' }
    }
    const cached = await fetchCopy(url, before, at)
    place.leave(cached.fault === null ? 'done' : 'failed')
    remember(url, cached)
    return readCached(cached, at)
  }

  const fetchOnce = (url: string, asker: FetchAsker): Promise<PublishedCopy<Value>> => {
    const before = underWay.get(url)
    if (before !== undefined) return before
    const renewing = renew(url, asker).finally(() => underWay.delete(url))
    underWay.set(url, renewing)
    return renewing
  }

  return {
    /** @param again asks the site although the copy is fresh, once in a while */
    async find(url: string, asker: FetchAsker, again: boolean): Promise<PublishedCopy<Value>> {
      const { at } = asker
      const known = copies.get(url)
      if (known === undefined) return fetchOnce(url, asker)
      const isFresh = known.copy !== null && at < known.copy.freshUntil
      const hasWaited = at >= known.triedAt + clientKeyLimits.refetchSeconds
      const hasFailed = known.fault !== null
      const isDue = isFresh ? again && hasWaited : !hasFailed || hasWaited
      return isDue ? fetchOnce(url, asker) : readCached(known, at)
    },
  }
}
