/** The implicit response (RFC 6749 section 4.2.2): a token in the fragment, never a refresh token. */
import type { ResponseType } from './response.ts'

export const token: ResponseType = {
  type: 'token',
  grantTypes: ['implicit'],
  mode: 'fragment',
  modes: ['fragment', 'form_post'],
  namesRedirectUri: false,
  exchanged: false,
  tellsLogin: false,
  open:
    ({ tokens }) =>
    async ({ client, authorization, terms, journeyId, trace }) => {
      // A redirect tells no grant_id: the code beside the token earns it.
      const told = { ...terms, isGrant: false }
      const response = await tokens.issueAlone(client, journeyId, authorization, told, trace)
      return Object.fromEntries(
        Object.entries(response).map(([name, value]) => [name, String(value)]),
      )
    },
}
