/** The implicit response (RFC 6749 section 4.2.2): a token in the fragment, never a refresh token. */
import { issueWithoutRefresh } from '../tokens/issue.ts'
import type { ResponseType } from './response.ts'

export const token: ResponseType = {
  type: 'token',
  grantTypes: ['implicit'],
  mode: 'fragment',
  modes: ['fragment', 'form_post'],
  namesRedirectUri: false,
  exchanged: false,
  tellsLogin: false,
  async answer({ client, authorization, terms, journeyId, trace }, parts) {
    const response = await issueWithoutRefresh(
      parts,
      client,
      journeyId,
      authorization,
      terms,
      trace,
    )
    return Object.fromEntries(
      Object.entries(response).map(([name, value]) => [name, String(value)]),
    )
  },
}
