/** The rules behind the refusals of the features. */
import type { RulesBySource } from '../protocol/rules/rule.ts'

export const featureRules: readonly RulesBySource[] = []
