/** The authorization server metadata in fragments: each endpoint names its own members (RFC 8414 section 2). */
import type { KnownResources } from '../parts.ts'
import type { EndpointParts } from '../registries.ts'

type MetadataParts = Pick<EndpointParts, 'settings' | 'languages' | 'registries'> & {
  readonly resources: KnownResources
}

/** The members of one endpoint, as they are under the settings and registries of this service. */
export type MetadataFragment = (given: MetadataParts) => Readonly<Record<string, unknown>>

/**
 * The whole document.
 *
 * @throws Error where two fragments have the same member
 */
export const collectMetadata = (
  fragments: readonly MetadataFragment[],
  given: MetadataParts,
): Readonly<Record<string, unknown>> => {
  const document = new Map<string, unknown>()
  for (const fragment of fragments) {
    for (const [member, value] of Object.entries(fragment(given))) {
      if (document.has(member)) throw new Error(`two endpoints set the metadata member ${member}`)
      document.set(member, value)
    }
  }
  return Object.fromEntries(document)
}
