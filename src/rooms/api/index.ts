/** The built-in resources, `/userinfo`, and what proxies and clients ask about both. */

import type { RouteRow } from '../../route.ts'
import { openForwardAuth } from './forward-auth.ts'
import type { ApiNeeds } from './needs.ts'
import { openResourceMetadata } from './resource-metadata.ts'
import { openItems } from './resources.ts'
import { openUserinfo } from './userinfo.ts'

export const openApi = (needs: ApiNeeds): readonly RouteRow[] => [
  ...openItems(needs),
  ...openUserinfo(needs),
  ...openForwardAuth(needs),
  ...openResourceMetadata(needs),
]
