/** `GET /jwks` (RFC 7517): the public halves of signing keys, also of those that are not used yet. */

import { type Answer, answerPublicJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { KeyAlgorithm } from '../../model/key.ts'
import type { ServiceParts } from '../../registries.ts'
import type { MetadataFragment } from '../../route.ts'
import type { StoredKey } from '../../store/contract/key.ts'

const jwkOf = ({ id, algorithm, publicKey }: StoredKey) =>
  publicKey === null ? [] : [{ ...publicKey, kid: id, use: 'sig', ...algorithmOf(algorithm) }]

/** Tokens name this algorithm `EdDSA` or `Ed25519`. Libraries compare with the key, where it says one. */
const algorithmOf = (algorithm: KeyAlgorithm) => (algorithm === 'EdDSA' ? {} : { alg: algorithm })

export const jwks = async (
  _exchange: Exchange,
  { signer }: Pick<ServiceParts, 'signer'>,
): Promise<Answer> => answerPublicJson({ keys: (await signer.published()).flatMap(jwkOf) })

export const jwksMetadata: MetadataFragment = ({ settings }) => ({
  jwks_uri: `${settings.issuer}/jwks`,
})
