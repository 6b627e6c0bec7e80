/** Rules behind refused token exchanges. */
import { own, type RulesBySource } from '../../protocol/rules/rule.ts'

const tokenType = 'urn:ietf:params:oauth:token-type:access_token'

export const exchangeRules: RulesBySource = {
  'RFC 8693 section 2.1': {
    missing_subject_token: [
      'Send the access token on whose behalf the client acts.',
      'subject_token',
      'an access token of this server',
    ],
    missing_subject_token_type: [
      'Send the type of the subject token.',
      'subject_token_type',
      tokenType,
    ],
    missing_actor_token_type: ['Send the type of the actor token.', 'actor_token_type', tokenType],
    bad_subject_token_type: [
      'Send the type of an access token. ID tokens and refresh tokens are not exchanged.',
      'subject_token_type',
      tokenType,
    ],
    bad_actor_token_type: ['Send the type of an access token.', 'actor_token_type', tokenType],
    actor_token_type_alone: [
      'Send actor_token as well, or leave both out.',
      'actor_token_type actor_token',
    ],
    bad_requested_token_type: [
      'Leave requested_token_type out. Only access tokens are issued.',
      'requested_token_type',
      tokenType,
    ],
  },
  'RFC 8693 section 2.2.2': {
    subject_token_unknown: [
      'Get a new access token: this one has expired or was revoked, its access is paused, or it is of another server.',
      'subject_token',
      'a living access token that the client may exchange',
    ],
    subject_token_of_other_client: [
      'The token is neither of this client nor for its API. The operator may list this client in may_act of the other one.',
      'subject_token',
      'a living access token that the client may exchange',
      'subject_token_unknown',
    ],
    subject_token_ended: [
      'Get a new access token: this one ended during the request.',
      'subject_token',
    ],
    subject_without_owner: [
      'Exchange a token for a user. For less of its own, a client asks by client_credentials.',
      'subject_token',
    ],
    bad_actor_token: [
      'Get the actor token with the same client by client_credentials. Or leave it out.',
      'actor_token',
    ],
  },
  'RFC 8693 section 2.1, RFC 9700 section 2.3': {
    scope_beyond_subject: [
      'Ask for names that the subject token has, or leave scope out.',
      'scope',
    ],
    nothing_to_exchange: [
      'Register the client for permissions of the subject token.',
      'scope subject_token',
    ],
  },
  [own('token-exchange')]: {
    subject_token_bound: [
      'Send a DPoP proof or a certificate. The new token is then bound to that key.',
      'DPoP subject_token',
    ],
    bound_subject_of_other_client: [
      'Ask the operator to list this client in may_act of the client of the token.',
      'subject_token',
    ],
    too_many_exchanges: [
      'Wait as Retry-After says, and use each token until it expires.',
      'subject_token',
    ],
    too_many_actors: ['Exchange a token that is nearer to the user.', 'subject_token'],
    delegation_taken: [
      'Ask the user to log in again at the application that the user approved.',
      'subject_token',
    ],
  },
}
