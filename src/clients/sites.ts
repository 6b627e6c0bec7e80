/** The parts that ask the sites of clients, and their guarded fetches. */
import type { Settings } from '../config/settings.ts'
import { httpLimits } from '../http/limits.ts'
import { createOutbound, type Outbound, type OutboundOptions } from '../http/outbound.ts'
import type { Resolve } from '../http/reach.ts'
import type { Client } from '../model/client.ts'
import { createDocuments, type Documents, type FetchParts } from './documents.ts'
import { type ClientKeys, createClientKeys } from './keys.ts'
import { createLogos, type Logos } from './logos.ts'
import { createSectors, type Sectors } from './sector.ts'
import {
  createFetchBounds,
  type FetchAsker,
  fetchPublished,
  type KeysFault,
  type WaysOut,
} from './site-fetch.ts'

export interface RequestObjects {
  /** Never rejects. */
  find(
    uri: string,
    client: Pick<Client, 'registeredBy'>,
    asker: FetchAsker,
  ): Promise<KeysFault | { readonly is: 'fetched'; readonly text: string }>
}

interface Sites {
  readonly logos: Logos
  readonly documents: Documents
  readonly sectors: Sectors
  readonly clientKeys: ClientKeys
  readonly requestObjects: RequestObjects
}

interface OpenedSites {
  readonly sites: Sites
  /** For what the service sends by itself. Webhooks are the operator's. */
  readonly sent: Readonly<Record<Client['registeredBy'], Outbound>>
  close(): void
}

type SitesGiven = { readonly settings: Settings } & Omit<FetchParts, keyof Sites | 'ways'>

const ruleFor = ({ demo, fetchAllow, limits: set }: Settings): OutboundOptions => ({
  loopback: demo,
  allowed: fetchAllow,
  most: { atOnce: httpLimits.outbound.atOnce, atOncePerHost: set.fetchesPerHost },
})

/** Request objects at URLs (RFC 9101 section 5.2): fetched for each request, within bounds for strangers. */
const createRequestObjects = (ways: WaysOut): RequestObjects => ({
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

/**
 * Each fetch has places of its own. Strangers can occupy only theirs: no notice, key or logo of a
 * client of the operator waits for them. The private addresses of the settings are
 * for URLs of the operator. Otherwise a stranger could look around in that network.
 *
 * @param resolve finds the addresses of hosts; DNS by default
 */
export const openSites = (given: SitesGiven, resolve?: Resolve): OpenedSites => {
  const { settings, clock } = given
  const rule = { ...ruleFor(settings), ...(resolve === undefined ? {} : { resolve }) }
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
  const documents = createDocuments({ ...given, ways, logos, sectors })
  const clientKeys = createClientKeys(ways)
  const requestObjects = createRequestObjects(ways)
  return {
    sites: { logos, documents, sectors, clientKeys, requestObjects },
    sent,
    close() {
      const outbounds = [ways.operator.outbound, ways.itself.outbound, sent.operator, sent.itself]
      for (const outbound of outbounds) outbound.close()
    },
  }
}
