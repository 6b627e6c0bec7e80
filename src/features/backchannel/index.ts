/** Backchannel requests (OpenID CIBA): a client asks an owner who is elsewhere, and learns of the decision. */
import type { ServiceParts } from '../../registries.ts'
import type { Pages } from '../../rooms/pages.ts'
import type { RouteRow } from '../../route.ts'
import { openRequestsPage } from './browser.ts'
import { openBackchannelRequest } from './request.ts'

export const openBackchannel = (parts: ServiceParts, pages: Pages): readonly RouteRow[] => [
  ...openBackchannelRequest(parts),
  ...openRequestsPage(parts, pages),
]
