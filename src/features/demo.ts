/** The clients of the features in the demo. */
import { backchannelClients } from './backchannel/demo.ts'
import { deviceClients } from './device/demo.ts'
import { helperClient } from './exchange/demo.ts'

export const featureClients = [...deviceClients, helperClient, ...backchannelClients] as const
