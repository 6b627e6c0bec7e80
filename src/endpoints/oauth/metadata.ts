/** Authorization server metadata (RFC 8414), made from what is really switched on. */
import { ownerPermissions } from '../../access/permission.ts'
import { type Answer, answerPublicJson } from '../../http/answer.ts'
import type { Endpoint } from '../door/door.ts'
import { collectMetadata, type MetadataFragment } from '../door/metadata.ts'

/** Members about the service as a whole. */
export const serviceMetadata: MetadataFragment = ({ settings }) => ({
  issuer: settings.issuer,
  scopes_supported: ownerPermissions(settings.resources),
})

export const jwksMetadata: MetadataFragment = ({ settings }) => ({
  jwks_uri: `${settings.issuer}/jwks`,
})

export const metadataEndpoint =
  (fragments: readonly MetadataFragment[]): Endpoint =>
  (_exchange, parts) =>
    answerPublicJson(collectMetadata(fragments, parts))

/** `GET /jwks`: tokens are opaque, so there is no key that anyone else could check them with. */
export const jwks = (): Answer => answerPublicJson({ keys: [] })
