/** Rules behind the refusals of backchannel requests. */
import { own, type RulesBySource } from '../../protocol/rules/rule.ts'

export const backchannelRules: RulesBySource = {
  'OpenID CIBA section 4': {
    ping_without_endpoint: [
      'Register where pings go, or the mode poll.',
      'backchannel_client_notification_endpoint backchannel_token_delivery_mode',
    ],
    bad_notification_endpoint: [
      'Register an https URL of the client.',
      'backchannel_client_notification_endpoint',
    ],
  },
  'OpenID CIBA section 7.1': {
    backchannel_grant_not_registered: [
      'Register the grant type urn:openid:params:grant-type:ciba.',
      'client_id grant_types',
    ],
    backchannel_hints: [
      'Send one hint: login_hint with a user name or an email address, or id_token_hint.',
      'login_hint id_token_hint login_hint_token',
      'login_hint or id_token_hint',
    ],
    subject_out_of_reach: ['Name the person by login_hint.', 'id_token_hint', 'login_hint'],
    login_hint_too_long: ['Send a user name or an email address.', 'login_hint'],
    bad_binding_message: [
      'Send a short line of text that the user can compare.',
      'binding_message',
      'at most 100 characters without control characters',
    ],
    bad_requested_expiry: [
      'Send a number of seconds.',
      'requested_expiry',
      'a whole number from 1',
    ],
    missing_notification_token: [
      'Send a secret that comes back with the ping.',
      'client_notification_token',
    ],
    bad_notification_token: [
      'Send a bearer token of at most 1,024 characters.',
      'client_notification_token',
      'a token as RFC 6750 section 2.1 describes it',
    ],
    backchannel_request_too_long: ['Ask for less in one request, such as fewer details.', 'scope'],
  },
  'OpenID CIBA section 7.1.1': {
    unexpected_signed_request: [
      'Register the algorithm of signed requests, or send the parameters in the form.',
      'request backchannel_authentication_request_signing_alg',
    ],
    unsigned_backchannel_request: [
      'Send the request as a JWT in request, since the client is registered for that.',
      'request backchannel_authentication_request_signing_alg',
    ],
    signed_backchannel_claims: ['Add iat, nbf and jti to the signed request.', 'request'],
  },
  'OpenID CIBA section 10.1': {
    malformed_auth_req_id: ['Send the auth_req_id as it was issued.', 'auth_req_id'],
    unknown_auth_req_id: [
      'Begin again at the backchannel authentication endpoint.',
      'auth_req_id',
      'an auth_req_id of this server',
    ],
    auth_req_id_of_other_client: [
      'Poll with the client that made the request.',
      'auth_req_id client_id',
      'an auth_req_id of this client',
      'unknown_auth_req_id',
    ],
    used_auth_req_id: ['Use the token that the request was redeemed for.', 'auth_req_id'],
    auth_req_id_of_ended_authorization: [
      'Begin again: the user has taken the approval back.',
      'auth_req_id',
    ],
  },
  'OpenID CIBA section 11': {
    backchannel_pending: ['Ask again after the interval, or after the ping.', 'auth_req_id'],
    backchannel_too_soon: [
      'Wait five seconds longer between two polls than before, until the end.',
      'auth_req_id',
    ],
    backchannel_denied: [
      'Tell the user, and begin again only if the user wants it.',
      'auth_req_id',
    ],
    backchannel_expired: ['Begin again, once the user wants to.', 'auth_req_id'],
  },
  'OpenID CIBA section 13': {
    unknown_user: [
      'Check the hint. Only clients that the operator trusts are told this.',
      'login_hint id_token_hint',
    ],
  },
  [own('backchannel')]: {
    backchannel_of_hint: [
      'Wait until this person has decided, or until requests have expired.',
      'login_hint',
    ],
    backchannel_in_all: ['Wait a minute, and ask again.', 'client_id'],
    backchannel_over: [
      'Let the application ask again: the request was decided, or has expired.',
      'request',
    ],
    backchannel_changed: ['Read what the application asks now, and decide again.', 'requester'],
    backchannel_paused: ['Resume the application in the account first.', 'request'],
    backchannel_decision: ['Press one of the buttons of the page.', 'decision', 'allow or deny'],
  },
}
