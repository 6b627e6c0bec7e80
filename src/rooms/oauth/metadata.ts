/** Authorization server metadata (RFC 8414), made from what is really switched on, and the public keys (RFC 7517). */
import { grantableNames } from '../../access/permission.ts'
import { type Answer, answerPublicJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { contentEncryptions, keyEncryptions } from '../../model/client-algorithms.ts'
import { subjectTypes } from '../../model/client-openid.ts'
import { jwsAlgorithms, type KeyAlgorithm } from '../../model/key.ts'
import type { Resource } from '../../model/resource.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Endpoint, MetadataFragment } from '../../route.ts'
import type { StoredKey } from '../../store/store.ts'
import { collectMetadata } from '../metadata.ts'

/** Members about the service as a whole. */
export const serviceMetadata: MetadataFragment = ({ settings, resources }) => ({
  issuer: settings.issuer,
  scopes_supported: grantableNames(resources),
})

/** What OpenID Connect Discovery section 3 requires beside the members of RFC 8414. */
export const openidMetadata: MetadataFragment = () => ({
  subject_types_supported: subjectTypes,
  id_token_signing_alg_values_supported: jwsAlgorithms,
  id_token_encryption_alg_values_supported: keyEncryptions,
  id_token_encryption_enc_values_supported: contentEncryptions,
  claim_types_supported: ['normal'],
})

/** The document is written once for each list of resources: nothing else in it changes. */
export const metadataEndpoint = (fragments: readonly MetadataFragment[]): Endpoint => {
  const written = new WeakMap<readonly Resource[], Answer>()
  return (_exchange, parts) => {
    const resources = parts.resources.list()
    const known = written.get(resources)
    if (known !== undefined) return known
    const answer = answerPublicJson(collectMetadata(fragments, parts))
    written.set(resources, answer)
    return answer
  }
}

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
