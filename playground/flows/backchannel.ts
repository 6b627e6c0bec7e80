/** Backchannel requests (OpenID CIBA): a till asks an owner who has a telephone, and no browser of the till. */
import type { Flow, PlayedClient, RequestRow } from '../flow.ts'
import { cashDesk, noToken, photoPrinter, readStep, token } from './rows.ts'

const grant = 'urn:openid:params:grant-type:ciba'

const asked = (login_hint: string, binding_message = 'Till 7: W4SCT'): RequestRow => ({
  line: 'POST /bc-authorize',
  as: cashDesk,
  form: { login_hint, scope: 'photos:read', binding_message },
  learn: { auth_req_id: 'auth_req_id' },
})

const pollForm = { grant_type: grant, auth_req_id: '{auth_req_id}' }

const refusedFor = (as: PlayedClient): RequestRow => noToken(as, pollForm)

export const backchannelFlow: Flow = {
  name: 'backchannel',
  client: 'Cash Desk',
  owner: 'alice',
  steps: [
    { name: 'backchannel-ask', send: [asked('alice')] },
    { name: 'backchannel-wait', send: [refusedFor(cashDesk)] },
    { name: 'backchannel-decide', to: '/account/requests', visit: {} },
    {
      name: 'backchannel-redeem',
      send: [{ ...token(cashDesk, pollForm), set: { redeemed: 'yes' } }],
    },
    readStep,
  ],
  attacks: [
    { name: 'backchannel-other-client', send: [refusedFor(photoPrinter)] },
    { name: 'backchannel-used', needs: ['redeemed'], send: [refusedFor(cashDesk)] },
    {
      name: 'backchannel-stranger',
      send: [
        { ...asked('mallory'), learn: { auth_req_id: 'unknown_id' } },
        noToken(cashDesk, { grant_type: grant, auth_req_id: '{unknown_id}' }),
      ],
    },
    {
      name: 'backchannel-message',
      send: [{ ...asked('alice', 'x'.repeat(101)), status: 400, learn: {} }],
    },
  ],
}
