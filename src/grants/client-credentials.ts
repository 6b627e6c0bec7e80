/** The client credentials grant (RFC 6749 section 4.4): the client acts in its own name. */
import { parseOwnDetails } from '../access/details/own.ts'
import { parseAsked } from '../access/scope.ts'
import type { Grant } from './grant.ts'

export const clientCredentials: Grant = {
  type: 'client_credentials',
  clients: 'confidential',
  takesDetails: true,
  open:
    ({ resources }) =>
    async (request) => {
      const written = request.parameters.find('authorization_details')
      if (written === null) {
        const { permissions, audience } = parseAsked(request, 'client', resources)
        return { for: 'client', permissions, terms: { audience } }
      }
      const details = await parseOwnDetails(written, request.client, resources)
      const { permissions, ...extent } = parseAsked(request, 'client', resources, details)
      return { for: 'client', permissions, terms: extent }
    },
}
