/** The members of a client that belong to features. */
import type { BackchannelClient } from './backchannel/client.ts'

export type * from './backchannel/client.ts'

/** Members of the registrations of all features. */
export type FeatureClient = object & BackchannelClient
