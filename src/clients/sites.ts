/** The parts that ask the sites of clients, and their guarded fetches. */
import type { Settings } from '../config/settings.ts'
import { httpLimits } from '../http/limits.ts'
import { createOutbound, type Outbound, type OutboundOptions } from '../http/outbound.ts'
import type { Resolve } from '../http/reach.ts'
import type { Client } from '../model/client.ts'
import { createDocuments, type FetchParts } from './documents.ts'
import { createClientKeys } from './keys.ts'
import { createLogos } from './logos.ts'
import { createPlatformKeys } from './platform-keys.ts'
import { createSectors } from './sector.ts'
import {
  createFetchBounds,
  type FetchAsker,
  fetchPublished,
  type Published,
  unreachable,
  type WaysOut,
} from './site-fetch.ts'

type SitesGiven = Omit<FetchParts, 'logos' | 'sectors' | 'ways'>

const makeOptions = ({ demo, fetchAllow, limits: set }: Settings): OutboundOptions => ({
  loopback: demo,
  allowed: fetchAllow,
  most: { atOnce: httpLimits.outbound.atOnce, atOncePerHost: set.fetchesPerHost },
})

/** Request objects at URLs (RFC 9101 section 5.2): fetched for each request, within bounds for strangers. */
const createRequestObjects = (ways: WaysOut) => ({
  /** Never rejects. */
  async find(
    uri: string,
    { registeredBy }: Pick<Client, 'registeredBy'>,
    asker: FetchAsker,
  ): Promise<Published> {
    const way = ways[registeredBy]
    const place = way.bounds.enter(asker)
    if (place.is === 'too_many') return unreachable
    if (place.is === 'unusable') return place
    const answer = await fetchPublished(uri, 'application/oauth-authz-req+jwt', way)
    place.leave(answer.is === 'fetched' ? 'done' : 'failed')
    return answer
  },
})

export type RequestObjects = ReturnType<typeof createRequestObjects>

/**
 * Each fetch has places of its own. Strangers can occupy only theirs: no notice, key or logo of a
 * client of the operator waits for them. The private addresses of the settings are
 * for URLs of the operator. Otherwise a stranger could look around in that network.
 *
 * @param resolve finds the addresses of hosts; DNS by default
 */
export const openSites = (given: SitesGiven, resolve?: Resolve) => {
  const { settings, clock } = given
  const rule = { ...makeOptions(settings), ...(resolve === undefined ? {} : { resolve }) }
  const openFor = (by: Client['registeredBy']): Outbound =>
    createOutbound(by === 'operator' ? rule : { ...rule, allowed: [] })
  const bounded = (by: Client['registeredBy']) => ({
    outbound: openFor(by),
    bounds: createFetchBounds(clock),
  })
  const ways: WaysOut = { operator: bounded('operator'), itself: bounded('itself') }
  const sent = { operator: openFor('operator'), itself: openFor('itself') }
  const logos = createLogos({ ...given, ways })
  const sectors = createSectors(ways)
  return {
    sites: {
      logos,
      sectors,
      documents: createDocuments({ ...given, ways, logos, sectors }),
      clientKeys: createClientKeys(ways),
      platformKeys: createPlatformKeys(ways),
      requestObjects: createRequestObjects(ways),
    },
    /** For what the service sends by itself. Webhooks are the operator's. */
    sent,
    close(): void {
      const outbounds = [ways.operator.outbound, ways.itself.outbound, sent.operator, sent.itself]
      for (const outbound of outbounds) outbound.close()
    },
  }
}
