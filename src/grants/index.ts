/** The grant types of the service; a further one is one file and one line. */
import { featureGrants } from '../features/grants.ts'
import { authorizationCode } from './authorization-code.ts'
import { clientCredentials } from './client-credentials.ts'
import type { Grant } from './grant.ts'
import { password } from './password.ts'
import { refreshToken } from './refresh-token.ts'

export const grants: readonly Grant[] = [
  authorizationCode,
  password,
  clientCredentials,
  refreshToken,
  ...featureGrants,
]
