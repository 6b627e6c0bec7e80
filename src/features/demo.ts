/** The clients of the features in the demo. */
import { deviceClients } from './device/demo.ts'

export const featureClients = [...deviceClients] as const
