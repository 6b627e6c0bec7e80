/** What features send to other sites by themselves. Each has a turn every second, on each node. */
import { openPings } from './backchannel/pings.ts'
import { openPush } from './signals/push.ts'

export const featureSenders = [openPings, openPush] as const
