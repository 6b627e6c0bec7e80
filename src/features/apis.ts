/** APIs of features for programs of the operator. No owner grants their permissions, and no client takes them by itself. */
import { scimApi } from './scim/api.ts'

export const featureApis = [scimApi] as const
