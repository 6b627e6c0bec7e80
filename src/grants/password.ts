/** The resource owner password credentials grant (RFC 6749 section 4.3), for trusted clients. */
import { checkPassword } from '../owners/password-login.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Grant } from './grant.ts'

export const password: Grant = {
  type: 'password',
  clients: 'trusted',
  async redeem({ parameters, address, trace, asked }, parts) {
    const username = parameters.require('username')
    const login = { username, password: parameters.require('password'), address }
    const permissions = asked()
    // The address is that of the application, which the operator trusts; its users share it.
    const owner = await checkPassword({ ...login, countsAddress: false }, trace, parts)
    if (owner === null) {
      throw new Refusal('invalid_grant', 'wrong_password', 'username or password is wrong')
    }
    const { id: ownerId, passwordHash } = owner
    return { for: 'owner', ownerId, permissions, proof: { passwordHash } }
  },
}
