/** The client of an authorization request may be a metadata document, which is fetched first. */
import type { Documents } from '../../clients/documents.ts'
import type { FetchAsker } from '../../clients/site-fetch.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import { refusedDocument } from '../../requests/mistakes.ts'

/**
 * Fetches the client if it is a metadata document. An id that cannot be read is refused later, as is a
 * repeated one.
 *
 * @returns the refusal where the document cannot be used
 */
export const refreshDocument = async (
  read: Parameters | null,
  asker: Exchange & FetchAsker,
  documents: Documents,
): Promise<Refusal | null> => {
  const [id, second] = read?.all('client_id') ?? []
  if (id === undefined || second !== undefined) return null
  const fault = await documents.refresh(id, asker)
  return fault && refusedDocument(id, fault)
}
