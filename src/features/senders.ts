/** Work that features do by themselves, such as sending to other sites. Each has a turn every second, on each node. */
import { openPings } from './backchannel/pings.ts'
import { openPush } from './signals/push.ts'
import { openIssuerEndings } from './trusted-issuers/index.ts'

export const featureSenders = [openPings, openPush, openIssuerEndings] as const
