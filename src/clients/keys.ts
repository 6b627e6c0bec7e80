/**
 * Public keys of clients (RFC 7517): by value (`jwks`), or at a URL (`jwks_uri`, RFC 7591 section 2).
 */

import type { Client } from '../model/client.ts'
import { parseJson } from '../model/json.ts'
import { type ClientKey, isKeyFor, isSameAlgorithm } from '../model/key.ts'
import { keySetWords, readKeys } from '../model/key-set.ts'
import { createCopies } from './copies.ts'
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
