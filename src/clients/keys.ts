/**
 * Public keys of clients (RFC 7517): by value (`jwks`), or at a URL (`jwks_uri`, RFC 7591 section 2). Key sets
 * at URLs are held in memory by the rules of HTTP caching.
 */

import type { Outbound } from '../http/outbound.ts'
import type { Client, DocumentCopy } from '../model/client.ts'
import { isObject, parseJson } from '../model/json.ts'
import { isKeyFor, isKeyKnown, type PublicKey } from '../model/key.ts'
import { clientKeyLimits } from './limits.ts'
import {
  copyOf,
  type FetchAsker,
  fetchPublished,
  type KeysFault,
  type WayOut,
  type WaysOut,
} from './site-fetch.ts'

interface WantedKey {
  readonly algorithm: string
  readonly use: 'sig' | 'enc'
  /** Null where the message names none. */
  readonly kid: string | null
}

const kept = ['kty', 'kid', 'use', 'alg', 'n', 'e', 'crv', 'x', 'y', 'pub'] as const

/** Members that only a private or a symmetric key has (RFC 7518 section 6, RFC 9964 section 3). */
const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

const isSecret = (key: unknown): boolean =>
  isObject(key) && (key.kty === 'oct' || secret.some((name) => name in key))

const isBase64url = (text: string | undefined, most: number, least = 1): boolean =>
  text !== undefined && text.length >= least && text.length <= most && /^[\w-]+$/.test(text)

/** Whether the numbers of a key have a size that is safe, and cheap to calculate with. */
const isSafe = ({ kty, kid = '', alg = '', n, e, x, y, pub }: PublicKey): boolean => {
  if (kid.length > clientKeyLimits.kidCharacters) return false
  const { least, most } = clientKeyLimits.modulusCharacters
  if (kty === 'RSA')
    return isBase64url(n, most, least) && isBase64url(e, clientKeyLimits.exponentCharacters)
  const { coordinateCharacters, latticeCharacters } = clientKeyLimits
  if (kty === 'AKP') {
    const characters = latticeCharacters[alg] ?? 0
    return isBase64url(pub, characters, characters)
  }
  if (!isBase64url(x, coordinateCharacters)) return false
  return kty === 'OKP' || isBase64url(y, coordinateCharacters)
}

/** The public members; null for a key of another kind. */
const parseKey = (given: unknown): PublicKey | null => {
  if (!isObject(given)) return null
  const members = kept.flatMap((name) => {
    const value = given[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  if (members.some(([, value]) => typeof value !== 'string')) return null
  const key = Object.fromEntries(members) as PublicKey
  return isKeyKnown(key) ? key : null
}

export const keySetWords = `a set of at most ${clientKeyLimits.keys} public keys (RSA of 2,048 to 4,096 bits, EC, Ed25519, X25519, ML-DSA), without private or symmetric ones`

/**
 * The keys of a set, without unknown ones (RFC 7517 section 5). Null for no set, for too long a set, and
 * for one with a private or symmetric key. Such a key is no secret any more.
 *
 * @param unsafe known keys of a wrong size: `refused` with the whole set, or `ignored`
 */
export const readKeys = (
  given: unknown,
  unsafe: 'refused' | 'ignored',
): readonly PublicKey[] | null => {
  const list = isObject(given) ? given.keys : null
  if (!Array.isArray(list) || list.length > clientKeyLimits.keys || list.some(isSecret)) return null
  const known = list.map(parseKey).filter((key) => key !== null)
  const keys = known.filter(isSafe)
  return unsafe === 'refused' && keys.length < known.length ? null : keys
}

const isSameName = (a: string, b: string): boolean =>
  a === b || [a, b].every((name) => name === 'EdDSA' || name === 'Ed25519')

export const selectKeys = (
  keys: readonly PublicKey[],
  { algorithm, use, kid }: WantedKey,
): readonly PublicKey[] =>
  keys.filter(
    (key) =>
      isKeyFor(key, algorithm) &&
      (key.use === undefined || key.use === use) &&
      (key.alg === undefined || isSameName(key.alg, algorithm)) &&
      (kid === null || key.kid === kid),
  )

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
  const keys = readKeys(parseJson(answer.text), 'ignored')
  if (keys !== null) {
    return { copy: { ...copyOf(answer.headers, null, at), keys }, fault: null, triedAt: at }
  }
  const said = `it has to be ${keySetWords}`
  // A set with a private key is withdrawn: whatever it held before counts no more.
  return { copy: null, fault: { is: 'unusable', said }, triedAt: at }
}

/** What a cached set says now: its keys as long as the copy serves, else its fault. */
const readCached = ({ copy, fault }: CachedSet, at: number): SetOf =>
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
      if (before !== undefined) return readCached(before, at)
      return place.is === 'unusable' ? place : { is: 'unreachable' }
    }
    const set = await fetchSet(url, before, at, parts)
    place.leave(set.fault === null ? 'done' : 'failed')
    remember(url, set)
    return readCached(set, at)
  }

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
      return isDue ? fetchOnce(url, asker) : readCached(known, at)
    },
  }
}

export type PublishedKeys = ClientKeys<Pick<Client, 'openid'>>

export const createPublishedKeys = (parts: SetParts): PublishedKeys => {
  const sets = createSets(parts)
  return {
    async find({ openid }, wanted, asker) {
      const { jwks, jwks_uri: url } = openid
      if (url === undefined) return { is: 'found', keys: selectKeys(jwks?.keys ?? [], wanted) }
      const known = await sets.find(url, asker, false)
      if ('is' in known) return known
      const keys = selectKeys(known, wanted)
      if (keys.length > 0) return { is: 'found', keys }
      // The client may have begun to use another key.
      const newer = await sets.find(url, asker, true)
      return 'is' in newer ? newer : { is: 'found', keys: selectKeys(newer, wanted) }
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
