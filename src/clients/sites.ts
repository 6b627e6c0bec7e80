/** The parts that ask the sites of clients, all of them through one guarded fetch. */
import { createOutbound, type Outbound } from '../http/outbound.ts'
import type { Resolve } from '../http/resolve.ts'
import type { ClientKeys, Documents, Logos, Parts, RequestObjects, Sectors } from '../parts.ts'
import type { FetchParts } from './document-fetch.ts'
import { createDocuments } from './documents.ts'
import { createClientKeys } from './keys.ts'
import { createLogos } from './logos.ts'
import { createRequestObjects } from './request-objects.ts'
import { createSectors } from './sector.ts'

export interface Sites {
  readonly logos: Logos
  readonly documents: Documents
  readonly sectors: Sectors
  readonly clientKeys: ClientKeys
  readonly requestObjects: RequestObjects
  readonly outbound: Outbound
}

type Given = Pick<Parts, 'settings'> & Omit<FetchParts, keyof Sites>

/** @param resolve finds the addresses of hosts; DNS by default */
export const openSites = (given: Given, resolve?: Resolve): Sites => {
  const { demo, fetchAllow, limits } = given.settings
  const further = resolve === undefined ? {} : { resolve }
  const outbound = createOutbound({
    loopback: demo,
    allowed: fetchAllow,
    most: { atOnce: limits.fetchesAtOnce, atOncePerHost: limits.fetchesPerHost },
    milliseconds: limits.fetchMilliseconds,
    ...further,
  })
  const logos = createLogos({ ...given, outbound })
  const sectors = createSectors({ outbound })
  const documents = createDocuments({ ...given, outbound, logos, sectors })
  const clientKeys = createClientKeys({ outbound, mostSets: limits.keySetsCached })
  const requestObjects = createRequestObjects({ outbound })
  return { outbound, logos, documents, sectors, clientKeys, requestObjects }
}
