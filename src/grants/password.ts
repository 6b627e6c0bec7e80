/** The resource owner password credentials grant (RFC 6749 section 4.3), for trusted clients. */
import { checkPassword } from '../owners/password-login.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Grant } from './grant.ts'

export const password: Grant = {
  type: 'password',
  clients: 'trusted',
  async redeem({ parameters, address, trace, asked }, parts) {
    const username = parameters.require('username')
    const secret = parameters.require('password')
    const permissions = asked()
    const owner = await checkPassword(username, secret, address, trace, parts)
    if (owner === null) {
      throw new Refusal('invalid_grant', 'wrong_password', 'username or password is wrong')
    }
    return { for: 'owner', ownerId: owner.id, permissions }
  },
}
