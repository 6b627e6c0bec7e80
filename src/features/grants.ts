/** The grant types of the features. */
import type { Grant } from '../grants/grant.ts'
import { backchannel } from './backchannel/grant.ts'
import { deviceCode } from './device/grant.ts'
import { tokenExchange } from './exchange/grant.ts'
import { jwtBearer } from './trusted-issuers/grant.ts'

export const featureGrants: readonly Grant[] = [deviceCode, tokenExchange, jwtBearer, backchannel]
