/** The resource owner password credentials grant (RFC 6749 section 4.3), for trusted clients. */
import { parseAsked } from '../access/scope.ts'
import { needsSecondFactor } from '../model/factor.ts'
import { checkPassword } from '../owners/password-login.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Grant } from './grant.ts'

export const password: Grant = {
  type: 'password',
  clients: 'trusted',
  open: (parts) => async (request) => {
    const { parameters, address, caller, trace } = request
    const username = parameters.require('username')
    const login = { username, password: parameters.require('password'), address, caller }
    const { permissions, audience } = parseAsked(request, 'owner', parts.resources)
    const owner = await checkPassword({ ...login, guesser: { is: 'application' } }, trace, parts)
    if (owner === null) {
      throw new Refusal(
        'invalid_grant',
        'wrong_password',
        'username or password is wrong, or there were too many tries',
      )
    }
    if (needsSecondFactor(await parts.store.findFactors(owner.id))) {
      // A password alone would open what its owner has put a second lock on (RFC 9700 section 2.4).
      throw new Refusal(
        'invalid_grant',
        'second_factor_needed',
        'this owner logs in with a second factor, which this grant cannot carry: use the authorization code grant',
      )
    }
    const { id: ownerId, passwordHash } = owner
    return { for: 'owner', ownerId, permissions, terms: { audience }, proof: { passwordHash } }
  },
}
