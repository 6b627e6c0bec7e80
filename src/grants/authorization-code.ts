/** The authorization code grant (RFC 6749 section 4.1.3). */
import { redeemCode } from '../tokens/code.ts'
import type { Grant } from './grant.ts'

export const authorizationCode: Grant = {
  type: 'authorization_code',
  clients: 'any',
  redeem({ client, parameters, trace }, parts) {
    const presented = {
      code: parameters.require('code'),
      redirectUri: parameters.require('redirect_uri'),
      verifier: parameters.find('code_verifier'),
      indicators: parameters.all('resource'),
    }
    return redeemCode(presented, client, trace, parts)
  },
}
