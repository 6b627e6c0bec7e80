/** What features send to other sites by themselves. */
import { openPings } from './backchannel/pings.ts'

export const featureSenders = [openPings] as const
