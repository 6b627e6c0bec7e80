/** The members of a client that belong to features. */
import type { BackchannelClient } from './backchannel/client.ts'

export type FeatureClient = object & BackchannelClient
