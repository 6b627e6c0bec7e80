/** Every URL of the service: the rows of each room. */
import type { Playground } from '../playground/playground.ts'
import type { AskMetrics } from './events/monitoring.ts'
import { openFeatures } from './features/index.ts'
import type { Mailbox } from './mail/sender.ts'
import { openAdminApi } from './operations/surface/api.ts'
import type { ServiceParts } from './registries.ts'
import { openAccount } from './rooms/account/index.ts'
import { openApi } from './rooms/api/index.ts'
import { openConsole } from './rooms/console/index.ts'
import { openLogin } from './rooms/login/index.ts'
import { openMetadata, openOauth } from './rooms/oauth/index.ts'
import { openOperator } from './rooms/operator/index.ts'
import { openPages } from './rooms/pages.ts'
import { openSite } from './rooms/site/index.ts'
import { openWays } from './rooms/ways/index.ts'
import type { RouteRow } from './route.ts'

/** @param playground null outside the demo @param mailbox null where mails are sent, or there are none */
export const listRoutes = (
  parts: ServiceParts,
  metrics: AskMetrics,
  playground: Playground | null,
  mailbox: Mailbox | null = null,
): readonly RouteRow[] => {
  const pages = openPages(parts)
  const protocol = [
    ...openOauth(parts, pages),
    ...openFeatures(parts, pages),
    ...openApi(parts),
    ...openLogin(parts, pages),
  ]
  return [
    ...openSite(parts, playground),
    ...protocol,
    ...openMetadata(protocol, parts),
    ...openWays(parts, pages, mailbox),
    ...openAccount(parts, pages),
    ...openOperator(parts, pages, metrics),
    ...openAdminApi(parts),
    ...openConsole(parts, pages),
    ...(playground?.rows ?? []),
  ]
}
