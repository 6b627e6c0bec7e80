/** SCIM 2.0 (RFC 7643, RFC 7644): a directory of a company creates, changes and disables the users and groups that it keeps. */
import type { ServiceParts } from '../../registries.ts'
import type { RouteRow } from '../../route.ts'
import { listUnknownRows, openDiscovery } from './discovery.ts'
import { openGroups } from './groups.ts'
import { openUsers } from './users.ts'

export const openScim = (needs: ServiceParts): readonly RouteRow[] => [
  ...openDiscovery(needs),
  ...openUsers(needs),
  ...openGroups(needs),
  ...listUnknownRows(),
]
