/** Device authorization (RFC 8628): somebody approves in a browser what a device without one asks for. */
import type { ServiceParts } from '../../registries.ts'
import type { Pages } from '../../rooms/pages.ts'
import type { RouteRow } from '../../route.ts'
import { openDevicePages } from './browser.ts'
import { openDeviceRequest } from './request.ts'

export const openDevice = (parts: ServiceParts, pages: Pages): readonly RouteRow[] => [
  ...openDeviceRequest(parts),
  ...openDevicePages(parts, pages),
]
