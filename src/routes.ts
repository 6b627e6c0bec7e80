/** Every URL of the service: the rows of each room. */
import type { Playground } from '../playground/playground.ts'
import type { AskMetrics } from './events/open-metrics.ts'
import type { Mailbox } from './mail/open.ts'
import { adminRoutes } from './operations/surface/api.ts'
import type { ServiceParts } from './registries.ts'
import { accountRows } from './rooms/account/index.ts'
import { openApi } from './rooms/api/index.ts'
import { consoleRows } from './rooms/console/index.ts'
import { loginRows } from './rooms/login/index.ts'
import { openMetadata, openOauth } from './rooms/oauth/index.ts'
import { operatorRows } from './rooms/operator/index.ts'
import { openPages } from './rooms/pages.ts'
import { siteRows } from './rooms/site/index.ts'
import { waysRows } from './rooms/ways/index.ts'
import { bindRows, type RouteRow } from './route.ts'

/** @param playground null outside the demo @param mailbox null where mails are sent, or there are none */
export const routes = (
  parts: ServiceParts,
  metrics: AskMetrics,
  playground: Playground | null,
  mailbox: Mailbox | null = null,
): readonly RouteRow[] => {
  const pages = openPages(parts)
  const protocol = [...openOauth(parts, pages), ...openApi(parts), ...bindRows(loginRows, parts)]
  return [
    ...bindRows(siteRows(playground), parts),
    ...protocol,
    ...openMetadata(protocol, parts),
    ...bindRows(
      [
        ...waysRows(mailbox),
        ...accountRows,
        ...operatorRows(metrics),
        ...adminRoutes,
        ...consoleRows,
        ...(playground?.rows ?? []),
      ],
      parts,
    ),
  ]
}
