/** The features: a folder each, and beside the folders a list for each kind of part (decision 102). */
import type { ServiceParts } from '../registries.ts'
import type { Pages } from '../rooms/pages.ts'
import type { RouteRow } from '../route.ts'
import { openDevice } from './device/index.ts'

/** Opens the endpoints and pages of a feature, once at the start. A row has its members of the metadata. */
export type OpenFeature = (parts: ServiceParts, pages: Pages) => readonly RouteRow[]

const features: readonly OpenFeature[] = [openDevice]

export const openFeatures: OpenFeature = (parts, pages) =>
  features.flatMap((open) => open(parts, pages))
