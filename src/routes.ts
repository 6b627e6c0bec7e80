/** Every URL of the service: the rows of each room. */
import type { Playground } from '../playground/playground.ts'
import type { AskMetrics } from './events/monitoring.ts'
import type { Mailbox } from './mail/sender.ts'
import { openAdminApi } from './operations/surface/api.ts'
import type { ServiceParts } from './registries.ts'
import { openAccount } from './rooms/account/index.ts'
import { apiRows } from './rooms/api/index.ts'
import { openConsole } from './rooms/console/index.ts'
import { loginFragments, openLogin } from './rooms/login/index.ts'
import { metadataRows, oauthRows, serviceFragments } from './rooms/oauth/index.ts'
import { openOperator } from './rooms/operator/index.ts'
import { openPages } from './rooms/pages.ts'
import { openSite } from './rooms/site/index.ts'
import { openWays } from './rooms/ways/index.ts'
import { bindRows, type MetadataFragment, type RouteRow } from './route.ts'

/** The rows with members of the authorization server metadata are among these. */
const protocolRows = [...oauthRows, ...apiRows]

/** The authorization server metadata (RFC 8414): each endpoint contributes its own members. */
export const metadataFragments: readonly MetadataFragment[] = [
  ...serviceFragments,
  ...protocolRows.flatMap(({ metadata }) => metadata ?? []),
  ...loginFragments,
]

/** @param playground null outside the demo @param mailbox null where mails are sent, or there are none */
export const routes = (
  parts: ServiceParts,
  metrics: AskMetrics,
  playground: Playground | null,
  mailbox: Mailbox | null = null,
): readonly RouteRow[] => {
  const pages = openPages(parts)
  return [
    ...openSite(parts, playground),
    ...bindRows(protocolRows, parts),
    ...openLogin(parts, pages),
    ...bindRows(metadataRows(metadataFragments), parts),
    ...openWays(parts, pages, mailbox),
    ...openAccount(parts, pages),
    ...openOperator(parts, pages, metrics),
    ...openAdminApi(parts),
    ...openConsole(parts, pages),
    ...(playground?.rows ?? []),
  ]
}
