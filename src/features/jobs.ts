/** The background jobs of the features. Each has a turn every second, on each node. */
import type { Outbound } from '../http/outbound.ts'
import type { Client } from '../model/client.ts'
import type { ServiceParts } from '../registries.ts'
import { openPush } from './signals/push.ts'

/** Beside the service: the fetches by which it sends to the sites of clients. */
export type JobNeeds = Omit<ServiceParts, 'tokens'> & {
  readonly sent: Readonly<Record<Client['registeredBy'], Outbound>>
}

export type OpenJob = (needs: JobNeeds) => { turn(): Promise<void> }

export const featureJobs: readonly OpenJob[] = [openPush]
