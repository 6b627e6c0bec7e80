/**
 * Public keys of clients (RFC 7517): by value (`jwks`), or at a URL (`jwks_uri`, RFC 7591 section 2).
 */

import type { Client } from '../model/client.ts'
import { isObject, parseJson } from '../model/json.ts'
import { type ClientKey, isKeyFor, isKeyKnown, isSameAlgorithm } from '../model/key.ts'
import { createCopies } from './copies.ts'
import { clientKeyLimits } from './limits.ts'
import type { FetchAsker, KeysFault, WayOut, WaysOut } from './site-fetch.ts'

export interface WantedKey {
  readonly algorithm: string
  readonly use: 'sig' | 'enc'
  /** Null where the message names none. */
  readonly kid: string | null
}

interface WantedCertificate {
  /** DER. */
  readonly certificate: Uint8Array
}

const kept = ['kty', 'kid', 'use', 'alg', 'n', 'e', 'crv', 'x', 'y', 'pub'] as const

/** Members that only a private or a symmetric key has (RFC 7518 section 6, RFC 9964 section 3). */
const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

const isSecret = (key: unknown): boolean =>
  isObject(key) && (key.kty === 'oct' || secret.some((name) => name in key))

const isBase64url = (text: string | undefined, most: number, least = 1): boolean =>
  text !== undefined && text.length >= least && text.length <= most && /^[\w-]+$/.test(text)

/** Whether each looks like DER in base64 (RFC 7517 section 4.7). Only who trusts one reads it. */
const areCertificates = (x5c: readonly unknown[]): boolean => {
  const { most, characters } = clientKeyLimits.certificates
  const areText = x5c.every((one) => typeof one === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(one))
  return areText && x5c.length <= most && x5c.join('').length <= characters
}

/** Whether the numbers of a key have a size that is safe, and cheap to calculate with. */
const isSafe = ({ kty, kid = '', alg = '', n, e, x, y, pub, x5c = [] }: ClientKey): boolean => {
  if (kid.length > clientKeyLimits.kidCharacters || !areCertificates(x5c)) return false
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
const parseKey = (given: unknown): ClientKey | null => {
  if (!isObject(given)) return null
  const members = kept.flatMap((name) => {
    const value = given[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  if (members.some(([, value]) => typeof value !== 'string')) return null
  const { x5c } = given
  const key: ClientKey = {
    ...Object.fromEntries(members),
    ...(Array.isArray(x5c) && x5c.length > 0 ? { x5c } : {}),
  }
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
): readonly ClientKey[] | null => {
  const list = isObject(given) ? given.keys : null
  if (!Array.isArray(list) || list.length > clientKeyLimits.keys || list.some(isSecret)) return null
  const known = list.map(parseKey).filter((key) => key !== null)
  const keys = known.filter(isSafe)
  return unsafe === 'refused' && keys.length < known.length ? null : keys
}

/** Whether the certificate itself is in the key, and not only one of its authorities (RFC 8705 section 2.2.2). */
const isCertifiedBy = ({ x5c: [first = ''] = [] }: ClientKey, { certificate }: WantedCertificate) =>
  Buffer.compare(Buffer.from(first, 'base64'), certificate) === 0

export const selectKeys = (
  keys: readonly ClientKey[],
  { algorithm, use, kid }: WantedKey,
): readonly ClientKey[] =>
  keys.filter(
    (key) =>
      isKeyFor(key, algorithm) &&
      (key.use === undefined || key.use === use) &&
      (key.alg === undefined || isSameAlgorithm(key.alg, algorithm)) &&
      (kid === null || key.kid === kid),
  )

const selectWanted = (
  keys: readonly ClientKey[],
  wanted: WantedKey | WantedCertificate,
): readonly ClientKey[] =>
  'certificate' in wanted
    ? keys.filter((key) => isCertifiedBy(key, wanted))
    : selectKeys(keys, wanted)

export interface ClientKeys<Party = Pick<Client, 'openid' | 'registeredBy'>> {
  /** The keys that fit. Never rejects. */
  find(
    client: Party,
    wanted: WantedKey | WantedCertificate,
    asker: FetchAsker,
  ): Promise<KeysFault | { readonly is: 'found'; readonly keys: readonly ClientKey[] }>
}

const accept = 'application/jwk-set+json, application/json'

const readSet = (text: string): readonly ClientKey[] | null => readKeys(parseJson(text), 'ignored')

export type PublishedKeys = ClientKeys<Pick<Client, 'openid'>>

export const createPublishedKeys = (parts: WayOut): PublishedKeys => {
  const sets = createCopies(parts, accept, readSet, `it has to be ${keySetWords}`)
  return {
    async find({ openid }, wanted, asker) {
      const { jwks, jwks_uri: url } = openid
      if (url === undefined) return { is: 'found', keys: selectWanted(jwks?.keys ?? [], wanted) }
      const known = await sets.find(url, asker, false)
      if (known.is !== 'found') return known
      const keys = selectWanted(known.value, wanted)
      if (keys.length > 0) return { is: 'found', keys }
      // The client may have begun to use another key.
      const newer = await sets.find(url, asker, true)
      if (newer.is !== 'found') return newer
      return { is: 'found', keys: selectWanted(newer.value, wanted) }
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
