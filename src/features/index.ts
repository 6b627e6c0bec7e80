/** The features: a folder each, and beside the folders a list for each kind of part (decision 102). */
import type { ServiceParts } from '../registries.ts'
import type { Pages } from '../rooms/pages.ts'
import type { RouteRow } from '../route.ts'
import { openBackchannel } from './backchannel/index.ts'
import { openDevice } from './device/index.ts'
import { openGrantManagement } from './grant-management/index.ts'
import { openScim } from './scim/index.ts'
import { openSignals } from './signals/index.ts'
import { openTrustedIssuers } from './trusted-issuers/index.ts'
import { seedIssuers } from './trusted-issuers/seed.ts'

/** Opens the endpoints and pages of a feature, once at the start. A row has its members of the metadata. */
export type OpenFeature = (parts: ServiceParts, pages: Pages) => readonly RouteRow[]

const features: readonly OpenFeature[] = [
  openDevice,
  openTrustedIssuers,
  openBackchannel,
  openGrantManagement,
  openSignals,
  openScim,
]

/** Prepares the store for a feature, before the service answers. */
export type BeginFeature = (
  parts: Pick<ServiceParts, 'settings' | 'store' | 'clock' | 'random' | 'tell'>,
) => Promise<void>

const begins: readonly BeginFeature[] = [seedIssuers]

export const beginFeatures: BeginFeature = async (parts) => {
  for (const begin of begins) await begin(parts)
}

export const openFeatures: OpenFeature = (parts, pages) =>
  features.flatMap((open) => open(parts, pages))
