/** The authorization code response (RFC 6749 section 4.1.2). */
import { issueCode } from '../tokens/code.ts'
import type { ResponseType } from './response.ts'

export const code: ResponseType = {
  type: 'code',
  grantTypes: ['authorization_code'],
  mode: 'query',
  modes: ['query', 'fragment', 'form_post'],
  namesRedirectUri: true,
  exchanged: true,
  tellsLogin: false,
  async answer({ request, redirectUri, authorization, terms, journeyId, trace }, parts) {
    const { challenge } = request
    const issued = { familyId: journeyId, redirectUri, challenge, terms }
    return { code: issueCode(parts, authorization, issued, trace.at) }
  },
}
