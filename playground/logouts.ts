/** A sample receiver of back-channel logouts (OpenID Connect Back-Channel Logout 1.0 section 2.5). */

import { answerJson } from '../src/http/answer.ts'
import { readForm } from '../src/http/body.ts'
import { httpLimits } from '../src/http/limits.ts'
import { Refusal } from '../src/protocol/refusal.ts'
import type { Handler } from '../src/route.ts'
import type { Signer } from '../src/tokens/keys/signing.ts'
import { createTickets } from './runs.ts'

interface LogoutReceiver {
  /** `POST /logouts`, the `backchannel_logout_uri` */
  readonly receive: Handler
  /** `GET /logouts/{client}` */
  readonly show: Handler
}

/** Keeps the newest logout token of each client. Only tokens that this service signed are kept. */
export const createLogoutReceiver = (signer: Signer): LogoutReceiver => {
  const tokens = createTickets()
  return {
    async receive({ request }) {
      const token = (await readForm(request)).find('logout_token') ?? ''
      const claims = await signer.read(token, 'logout+jwt')
      if (claims === null) {
        throw new Refusal('invalid_request', 'bad_logout_token', 'this is no logout token')
      }
      tokens.save(String(claims.aud), token.slice(0, httpLimits.formBytes))
      return answerJson({})
    },
    async show({ params: { client = '' } }) {
      const token = tokens.find(client)
      if (token !== null) return answerJson({ logout_token: token })
      throw new Refusal('not_found', 'no_logout_token', 'no logout token has come yet')
    },
  }
}
