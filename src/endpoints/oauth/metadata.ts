/** Authorization server metadata (RFC 8414), made from what is really switched on. */
import { grantableNames } from '../../access/permission.ts'
import { answerPublicJson } from '../../http/answer.ts'
import type { Endpoint } from '../door/door.ts'
import { collectMetadata, type MetadataFragment } from '../door/metadata.ts'

/** Members about the service as a whole. */
export const serviceMetadata: MetadataFragment = ({ settings, resources }) => ({
  issuer: settings.issuer,
  scopes_supported: grantableNames(resources.list()),
})

export const metadataEndpoint =
  (fragments: readonly MetadataFragment[]): Endpoint =>
  (_exchange, parts) =>
    answerPublicJson(collectMetadata(fragments, parts))
