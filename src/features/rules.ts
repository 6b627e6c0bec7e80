/** The rules behind the refusals of the features. */
import type { RulesBySource } from '../protocol/rules/rule.ts'
import { backchannelRules } from './backchannel/rules.ts'
import { deviceRules } from './device/rules.ts'
import { exchangeRules } from './exchange/rules.ts'
import { grantRules } from './grant-management/rules.ts'
import { scimRules } from './scim/rules.ts'
import { signalRules } from './signals/rules.ts'
import { issuerRules } from './trusted-issuers/rules.ts'

export const featureRules: readonly RulesBySource[] = [
  deviceRules,
  exchangeRules,
  issuerRules,
  backchannelRules,
  grantRules,
  signalRules,
  scimRules,
]
