/** What the built-in API takes of the service. */
import type { ServiceParts } from '../../registries.ts'

export type ApiNeeds = Pick<
  ServiceParts,
  'settings' | 'store' | 'clock' | 'random' | 'signer' | 'resources' | 'tokens' | 'uses' | 'meter'
>
