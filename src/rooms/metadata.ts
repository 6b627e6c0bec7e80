/** The authorization server metadata in fragments: each endpoint names its own members (RFC 8414 section 2). */
import type { MetadataFragment, MetadataParts } from '../route.ts'

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
