/** Every URL of the service: the rows of each room. */
import type { Playground } from '../playground/playground.ts'
import type { AskMetrics } from './events/open-metrics.ts'
import type { Mailbox } from './mail/open.ts'
import { openAdminApi } from './operations/surface/api.ts'
import type { ServiceParts } from './registries.ts'
import { accountRows } from './rooms/account/index.ts'
import { apiRows } from './rooms/api/index.ts'
import { openConsole } from './rooms/console/index.ts'
import { loginRows } from './rooms/login/index.ts'
import { metadataRows, oauthRows, serviceFragments } from './rooms/oauth/index.ts'
import { operatorRows } from './rooms/operator/index.ts'
import { openPages } from './rooms/pages.ts'
import { siteRows } from './rooms/site/index.ts'
import { waysRows } from './rooms/ways/index.ts'
import { bindRows, type MetadataFragment, type RouteRow } from './route.ts'

/** The rows with members of the authorization server metadata are among these. */
const protocolRows = [...oauthRows, ...apiRows, ...loginRows]

/** The authorization server metadata (RFC 8414): each endpoint contributes its own members. */
export const metadataFragments: readonly MetadataFragment[] = [
  ...serviceFragments,
  ...protocolRows.flatMap(({ metadata }) => metadata ?? []),
]

/** @param playground null outside the demo @param mailbox null where mails are sent, or there are none */
export const routes = (
  parts: ServiceParts,
  metrics: AskMetrics,
  playground: Playground | null,
  mailbox: Mailbox | null = null,
): readonly RouteRow[] => [
  ...bindRows(
    [
      ...siteRows(playground),
      ...protocolRows,
      ...metadataRows(metadataFragments),
      ...waysRows(mailbox),
      ...accountRows,
      ...operatorRows(metrics),
    ],
    parts,
  ),
  ...openAdminApi(parts),
  ...openConsole(parts, openPages(parts)),
  ...bindRows(playground?.rows ?? [], parts),
]
