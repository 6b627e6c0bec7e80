/** The authorization code grant (RFC 6749 section 4.1.3). */
import type { Grant } from './grant.ts'

export const authorizationCode: Grant = {
  type: 'authorization_code',
  clients: 'any',
  takesDetails: true,
  open:
    ({ tokens }) =>
    async ({ client, parameters, key, trace }) => {
      const presented = {
        code: parameters.require('code'),
        redirectUri: parameters.require('redirect_uri'),
        verifier: parameters.find('code_verifier'),
        indicators: parameters.all('resource'),
        key,
        details: parameters.find('authorization_details'),
      }
      return tokens.redeemCode(presented, client, trace)
    },
}
