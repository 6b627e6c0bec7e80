/** The members of a registration that belong to features, and their checks. */
import { backchannelMembers, checkBackchannel } from './backchannel/members.ts'

export const featureMembers = { ...backchannelMembers } as const

export const featureChecks = [checkBackchannel] as const
