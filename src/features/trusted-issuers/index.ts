/** Trusted issuers: a JWT of one opens access for an owner (RFC 7523), also as an ID-JAG. */
import { createJob } from '../../housekeeping.ts'
import type { ServiceParts } from '../../registries.ts'
import { openEntry } from '../../rooms/console/visit.ts'
import type { Pages } from '../../rooms/pages.ts'
import type { RouteRow } from '../../route.ts'
import { makeServiceTrace } from '../../store/trace.ts'
import { openIssuersPage } from './account-page.ts'
import { openConsoleIssuers } from './console-pages.ts'
import { finishEndedIssuers } from './ending.ts'

export const openTrustedIssuers = (parts: ServiceParts, pages: Pages): readonly RouteRow[] => [
  ...openIssuersPage(parts, pages),
  ...openConsoleIssuers(
    { listAll: () => parts.store.listTrustedIssuers() },
    openEntry(parts, pages),
  ),
]

/** Deletions that were cut off go on by themselves. */
export const openIssuerEndings = (
  parts: Pick<ServiceParts, 'store' | 'clock' | 'random' | 'tell'>,
) => {
  const trace = () => makeServiceTrace(Math.floor(parts.clock() / 1000), parts)
  return createJob(() => finishEndedIssuers(parts.store, trace), parts)
}
