/** Keys of platforms: at a URL of the operator, or at the one in the metadata of the issuer. */
import type { FederatedCredential } from '../model/client.ts'
import { isObject, parseJson } from '../model/json.ts'
import { createCopies } from './copies.ts'
import { type ClientKeys, createPublishedKeys, type WantedKey } from './keys.ts'
import { isFetchable } from './openid-metadata.ts'
import type { FetchAsker, WaysOut } from './site-fetch.ts'

export interface PlatformKeys {
  /** The keys of the issuer that fit. Never rejects. */
  find(
    credential: FederatedCredential,
    wanted: WantedKey,
    asker: FetchAsker,
  ): ReturnType<ClientKeys['find']>
}

interface Discovered {
  readonly issuer: string
  readonly keys: string
}

const readDocument = (text: string): Discovered | null => {
  const said = parseJson(text)
  if (!isObject(said)) return null
  const { issuer, jwks_uri: keys } = said
  const isWhole = typeof issuer === 'string' && typeof keys === 'string' && isFetchable(keys)
  return isWhole ? { issuer, keys } : null
}

const makeDocumentUrl = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

const isSameOrigin = (a: string, b: string): boolean =>
  URL.parse(a)?.origin === URL.parse(b)?.origin

export const createPlatformKeys = ({ operator, itself }: WaysOut): PlatformKeys => {
  const rule = 'it has to name issuer and jwks_uri'
  const documents = createCopies(operator, 'application/json', readDocument, rule)
  const written = createPublishedKeys(operator)
  // Private addresses are open to URLs that the operator wrote. An issuer must not choose one of another host.
  const named = createPublishedKeys({ ...operator, outbound: itself.outbound })

  return {
    async find({ issuer, jwks_uri: uri }, wanted, asker) {
      if (uri !== undefined) return written.find({ openid: { jwks_uri: uri } }, wanted, asker)
      const known = await documents.find(makeDocumentUrl(issuer), asker, false)
      if (known.is !== 'found') return known
      const { issuer: said, keys } = known.value
      // Otherwise it could be the document of another issuer.
      if (said !== issuer) return { is: 'unusable', said: 'its issuer is another one' }
      const published = isSameOrigin(keys, issuer) ? written : named
      return published.find({ openid: { jwks_uri: keys } }, wanted, asker)
    },
  }
}
