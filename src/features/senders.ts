/** Work that features do by themselves, such as asking other sites. Each has a turn every second, on each node. */
import { openPings } from './backchannel/pings.ts'
import { openDirectoryChecks } from './leavers/check.ts'
import { openPush } from './signals/push.ts'
import { openIssuerEndings } from './trusted-issuers/index.ts'

export const featureSenders = [openPings, openPush, openIssuerEndings, openDirectoryChecks] as const
