/**
 * Clients that are metadata documents. They are fetched for authorization requests and stored like
 * registered clients. The rules of HTTP caching say when they are fetched again.
 */

import type { Client } from '../model/client.ts'
import { type ClientId, isDocumentId } from '../model/ids.ts'
import { type Asker, type Documents, type FetchParts, fetchDocument } from './document-fetch.ts'
import { findClient } from './find.ts'
import { documentLimits as limits } from './limits.ts'
import { type DocumentFault, unusable } from './site-fetch.ts'

const isUrl = (id: string): boolean => /^https?:\/\//i.test(id)

const badId = unusable(
  'client_id has to be an https URL in its normal form, with a path and without user information, dot segments and fragment',
)

/** Documents that are left alone for a while, since their host did not answer and their copy serves. */
const createRest = () => {
  const until = new Map<ClientId, number>()
  return {
    has: (id: ClientId, at: number): boolean => (until.get(id) ?? 0) > at,
    add(id: ClientId, at: number): void {
      until.delete(id)
      until.set(id, at + limits.retrySeconds)
      const [oldest] = until.keys()
      if (until.size > limits.resting && oldest !== undefined) until.delete(oldest)
    },
  }
}

export const createDocuments = (parts: FetchParts): Documents => {
  const rest = createRest()
  const underWay = new Map<ClientId, Promise<DocumentFault | null>>()

  /** One fetch within the bounds. As long as the copy serves, a missing answer is no fault. */
  const renew = async (
    id: ClientId,
    known: Client | null,
    asker: Asker,
  ): Promise<DocumentFault | null> => {
    const serves = (known?.document?.usableUntil ?? 0) > asker.at
    if (serves && rest.has(id, asker.at)) return null
    const place = parts.ways.itself.bounds.enter(asker)
    if (place.is !== 'entered') return serves ? null : place
    let isDone = false
    try {
      const fault = await fetchDocument(id, known, asker, parts)
      isDone = fault === null
      if (!serves || fault?.is !== 'unreachable') return fault
      rest.add(id, asker.at)
      return null
    } finally {
      place.leave(isDone ? 'done' : 'failed')
    }
  }

  return {
    async refresh(text, asker) {
      if (!isUrl(text)) return null
      const known = await findClient(text, parts, 'disabled')
      if (known !== null && (known.document === undefined || known.pinned || known.disabled)) {
        return null
      }
      if (parts.settings.registration === 'off') return { is: 'off' }
      if (!isDocumentId(text, parts.settings)) return badId
      if (known?.document !== undefined && asker.at < known.document.freshUntil) return null
      const id = text as ClientId
      const before = underWay.get(id)
      if (before !== undefined) return before
      const renewing = renew(id, known, asker).finally(() => underWay.delete(id))
      underWay.set(id, renewing)
      return renewing
    },
  }
}
