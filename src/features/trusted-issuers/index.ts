/** Trusted issuers: a JWT of one opens access for an owner (RFC 7523), also as an ID-JAG. */
import type { ServiceParts } from '../../registries.ts'
import { openEntry } from '../../rooms/console/visit.ts'
import type { Pages } from '../../rooms/pages.ts'
import type { RouteRow } from '../../route.ts'
import { openIssuersPage } from './account-page.ts'
import { openConsoleIssuers } from './console-pages.ts'

export const openTrustedIssuers = (parts: ServiceParts, pages: Pages): readonly RouteRow[] => [
  ...openIssuersPage(parts, pages),
  ...openConsoleIssuers(
    { listAll: () => parts.store.listTrustedIssuers() },
    openEntry(parts, pages),
  ),
]
