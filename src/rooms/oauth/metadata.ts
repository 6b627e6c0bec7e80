/** Authorization server metadata (RFC 8414), made from what is really switched on. */
import { grantableNames } from '../../access/permission.ts'
import { type Answer, answerPublicJson } from '../../http/answer.ts'
import { subjectTypes } from '../../model/client.ts'
import { contentEncryptions, jwsAlgorithms, keyEncryptions } from '../../model/key.ts'
import type { Resource } from '../../model/resource.ts'
import type { Endpoint, MetadataFragment } from '../../route.ts'
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
