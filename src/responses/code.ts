/** The authorization code response (RFC 6749 section 4.1.2). */
import type { ResponseType } from './response.ts'

export const code: ResponseType = {
  type: 'code',
  grantTypes: ['authorization_code'],
  mode: 'query',
  modes: ['query', 'fragment', 'form_post'],
  namesRedirectUri: true,
  exchanged: true,
  tellsLogin: false,
  open:
    ({ tokens }) =>
    async ({ request, redirectUri, authorization, terms, journeyId, trace }) => {
      const { challenge } = request
      const issued = { familyId: journeyId, redirectUri, challenge, terms }
      return { code: tokens.issueCode(authorization, issued, trace.at) }
    },
}
