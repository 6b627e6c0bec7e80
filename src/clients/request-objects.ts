/** Request objects at URLs (RFC 9101 section 5.2): fetched for each request, within bounds for strangers. */
import type { Outbound } from '../http/outbound.ts'
import type { RequestObjects } from '../parts.ts'
import { createDocumentBounds } from './document-bounds.ts'
import { fetchPublished } from './site-fetch.ts'

export const createRequestObjects = (parts: { readonly outbound: Outbound }): RequestObjects => {
  const bounds = createDocumentBounds()
  return {
    async find(uri, { at, address }) {
      const place = bounds.enter(address ?? '', at)
      if (place === null) return { is: 'unreachable' }
      const answer = await fetchPublished(uri, 'application/oauth-authz-req+jwt', parts)
      place.leave(answer.is === 'fetched' ? 'done' : 'failed')
      return answer
    },
  }
}
