/** The refresh token grant (RFC 6749 section 6). */
import { rotateRefreshToken } from '../tokens/refresh-token.ts'
import type { Grant } from './grant.ts'

export const refreshToken: Grant = {
  type: 'refresh_token',
  clients: 'any',
  redeem({ client, parameters, trace }, parts) {
    const presented = {
      refreshToken: parameters.require('refresh_token'),
      scope: parameters.find('scope'),
      indicators: parameters.all('resource'),
    }
    return rotateRefreshToken(presented, client, trace, parts)
  },
}
