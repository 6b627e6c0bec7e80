/** The grant types of the features. */
import type { Grant } from '../grants/grant.ts'

export const featureGrants: readonly Grant[] = []
