/** `GET /jwks` (RFC 7517): the public halves of signing keys, also of those that are not used yet. */
import { type Answer, answerPublicJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Parts } from '../../parts.ts'
import type { StoredKey } from '../../store/store.ts'
import type { MetadataFragment } from '../door/metadata.ts'

const jwkOf = ({ id, algorithm, publicKey }: StoredKey) =>
  publicKey === null ? [] : [{ ...publicKey, kid: id, use: 'sig', alg: algorithm }]

export const jwks = (_exchange: Exchange, { storedKeys }: Pick<Parts, 'storedKeys'>): Answer =>
  answerPublicJson({ keys: storedKeys('signing').flatMap(jwkOf) })

export const jwksMetadata: MetadataFragment = ({ settings }) => ({
  jwks_uri: `${settings.issuer}/jwks`,
})
