/** The client credentials grant (RFC 6749 section 4.4): the client acts in its own name. */
import { parseAsked } from '../access/scope.ts'
import type { Grant } from './grant.ts'

export const clientCredentials: Grant = {
  type: 'client_credentials',
  clients: 'confidential',
  open:
    ({ resources }) =>
    async (request) => {
      const { permissions, audience } = parseAsked(request, 'client', resources)
      return { for: 'client', permissions, terms: { audience } }
    },
}
