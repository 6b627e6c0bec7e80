/**
 * Public keys of clients: by value (`jwks`), or at a URL (`jwks_uri`, RFC 7591 section 2). Key sets at
 * URLs are held in memory by the rules of HTTP caching.
 */
import type { Outbound } from '../http/outbound.ts'
import type { Client, DocumentCopy } from '../model/client.ts'
import type { PublicKey } from '../model/key.ts'
import { copyOf } from './document-freshness.ts'
import type { WayOut, WaysOut } from './fetch-bounds.ts'
import { keySetWords, keysFor, keysIn, type WantedKey } from './key-set.ts'
import { clientKeyLimits } from './limits.ts'
import { type FetchAsker, fetchPublished, type KeysFault } from './site-fetch.ts'

/** Public keys of clients. */
export interface ClientKeys<Party = Pick<Client, 'openid' | 'registeredBy'>> {
  /** The keys that fit. Never rejects. */
  find(
    client: Party,
    wanted: WantedKey,
    asker: FetchAsker,
  ): Promise<KeysFault | { readonly is: 'found'; readonly keys: readonly PublicKey[] }>
}

interface CachedSet {
  /** The newest keys; null before the first good answer. */
  readonly copy: (DocumentCopy & { readonly keys: readonly PublicKey[] }) | null
  /** Of the latest fetch. */
  readonly fault: KeysFault | null
  /** Unix seconds. */
  readonly triedAt: number
}

type SetOf = readonly PublicKey[] | KeysFault

const accept = 'application/jwk-set+json, application/json'

const fetchSet = async (
  url: string,
  before: CachedSet | undefined,
  at: number,
  parts: { readonly outbound: Outbound },
): Promise<CachedSet> => {
  const answer = await fetchPublished(url, accept, parts)
  const copy = before?.copy ?? null
  if (answer.is !== 'fetched') return { copy, fault: answer, triedAt: at }
  const keys = keysIn(parsed(answer.text), 'ignored')
  if (keys !== null) {
    return { copy: { ...copyOf(answer.headers, null, at), keys }, fault: null, triedAt: at }
  }
  const said = `it has to be ${keySetWords}`
  // A set with a private key is withdrawn: whatever it held before counts no more.
  return { copy: null, fault: { is: 'unusable', said }, triedAt: at }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What a cached set says now: its keys as long as the copy serves, else its fault. */
const saidBy = ({ copy, fault }: CachedSet, at: number): SetOf =>
  copy !== null && at < copy.usableUntil ? copy.keys : (fault ?? { is: 'unreachable' })

interface SetParts extends WayOut {
  /** Key sets that a node holds in memory. */
  readonly mostSets?: number
}

const createSets = (parts: SetParts) => {
  const { bounds, mostSets = clientKeyLimits.setsCached } = parts
  const sets = new Map<string, CachedSet>()
  const underWay = new Map<string, Promise<SetOf>>()

  const remember = (url: string, set: CachedSet): void => {
    sets.delete(url)
    sets.set(url, set)
    const [oldest] = sets.keys()
    if (sets.size > mostSets && oldest !== undefined) sets.delete(oldest)
  }

  const renew = async (url: string, asker: FetchAsker): Promise<SetOf> => {
    const { at } = asker
    const before = sets.get(url)
    const place = bounds.enter(asker)
    if (place.is !== 'entered') {
      if (before !== undefined) return saidBy(before, at)
      return place.is === 'unusable' ? place : { is: 'unreachable' }
    }
    const set = await fetchSet(url, before, at, parts)
    place.leave(set.fault === null ? 'done' : 'failed')
    remember(url, set)
    return saidBy(set, at)
  }

  /** One fetch at a time of each URL. */
  const fetchOnce = (url: string, asker: FetchAsker): Promise<SetOf> => {
    const before = underWay.get(url)
    if (before !== undefined) return before
    const renewing = renew(url, asker).finally(() => underWay.delete(url))
    underWay.set(url, renewing)
    return renewing
  }

  return {
    /** @param again asks the site although the copy is fresh, once in a while */
    async find(url: string, asker: FetchAsker, again: boolean): Promise<SetOf> {
      const { at } = asker
      const known = sets.get(url)
      if (known === undefined) return fetchOnce(url, asker)
      const isFresh = known.copy !== null && at < known.copy.freshUntil
      const hasWaited = at >= known.triedAt + clientKeyLimits.refetchSeconds
      const hasFailed = known.fault !== null
      const isDue = isFresh ? again && hasWaited : !hasFailed || hasWaited
      return isDue ? fetchOnce(url, asker) : saidBy(known, at)
    },
  }
}

/** Keys of parties that all go one way. */
export type PublishedKeys = ClientKeys<Pick<Client, 'openid'>>

export const createPublishedKeys = (parts: SetParts): PublishedKeys => {
  const sets = createSets(parts)
  return {
    async find({ openid }, wanted, asker) {
      const { jwks, jwks_uri: url } = openid
      if (url === undefined) return { is: 'found', keys: keysFor(jwks?.keys ?? [], wanted) }
      const known = await sets.find(url, asker, false)
      if ('is' in known) return known
      const keys = keysFor(known, wanted)
      if (keys.length > 0) return { is: 'found', keys }
      // The client may have begun to use another key.
      const newer = await sets.find(url, asker, true)
      return 'is' in newer ? newer : { is: 'found', keys: keysFor(newer, wanted) }
    },
  }
}

/** Each way has key sets of its own: a stranger learns nothing of those that only the operator may ask for. */
export const createClientKeys = (ways: WaysOut): ClientKeys => {
  const keys = {
    operator: createPublishedKeys(ways.operator),
    itself: createPublishedKeys(ways.itself),
  }
  return {
    find: (client, ...asked) => keys[client.registeredBy].find(client, ...asked),
  }
}
