/** Request objects at URLs (RFC 9101 section 5.2): fetched for each request, within bounds for strangers. */
import type { RequestObjects } from '../parts.ts'
import type { WaysOut } from './fetch-bounds.ts'
import { fetchPublished } from './site-fetch.ts'

export const createRequestObjects = (ways: WaysOut): RequestObjects => ({
  async find(uri, { registeredBy }, asker) {
    const way = ways[registeredBy]
    const place = way.bounds.enter(asker)
    if (place.is === 'too_many') return { is: 'unreachable' }
    if (place.is === 'unusable') return place
    const answer = await fetchPublished(uri, 'application/oauth-authz-req+jwt', way)
    place.leave(answer.is === 'fetched' ? 'done' : 'failed')
    return answer
  },
})
