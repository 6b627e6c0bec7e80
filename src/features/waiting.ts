/** Whether something of a feature waits for an owner: if nothing does, a mail about it would come too late. */
import { isBackchannelWaiting } from './backchannel/waiting.ts'

export const featureWaiting = [isBackchannelWaiting] as const
