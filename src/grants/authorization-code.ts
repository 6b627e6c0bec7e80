/** The authorization code grant (RFC 6749 section 4.1.3). */
import { redeemCode } from '../tokens/code.ts'
import type { Grant } from './grant.ts'

export const authorizationCode: Grant = {
  type: 'authorization_code',
  clients: 'any',
  async redeem({ client, parameters, trace, narrow }, parts) {
    const code = parameters.require('code')
    const redirectUri = parameters.require('redirect_uri')
    const verifier = parameters.find('code_verifier')
    const earned = await redeemCode({ code, redirectUri, verifier }, client, trace, parts)
    return { ...earned, permissions: narrow(earned.permissions) }
  },
}
