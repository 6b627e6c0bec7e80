/** The client credentials grant (RFC 6749 section 4.4): the client acts in its own name. */
import type { Grant } from './grant.ts'

export const clientCredentials: Grant = {
  type: 'client_credentials',
  clients: 'confidential',
  async redeem({ asked }) {
    const { permissions, audience } = asked('client')
    return { for: 'client', permissions, terms: { audience } }
  },
}
