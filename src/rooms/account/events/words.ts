/** Words of the page of recent events: what happened to an account, in plain words. */
import { defineWords, message } from '../../../paper/catalog.ts'

export const eventWords = defineWords('events', {
  heading: 'What happened to your account',
  about: 'The latest is first. If something was not you, choose another password.',
  nothing: 'There is nothing to show yet.',
  from: message('from {network}', { network: 'markup' }),
  by: {
    you: 'by you',
    operator: 'by whoever runs this service',
    client: message('by {client}', { client: 'markup' }),
  },
  older: 'Show earlier ones',
  goneClient: 'an application that is gone',
  untilTakenBack: 'you take it back',
  othersEnded: message('All other logins were ended, {sessions, number} of them.', {
    sessions: 'number',
  }),
  pausedUnused: message(
    '{client} was paused, because it was not used for {days, plural, one {# day} other {# days}}.',
    { client: 'markup', days: 'number' },
  ),
  newBrowser: 'A new browser logged in.',
  usedCode:
    'A one-time code that had been used, or one from before it, came again for another login. If you did not log in twice within a minute or so, somebody may know your password and have seen that code.',
  separator: ', ',
  permissions: message('{title} ({actions})', { title: 'text', actions: 'text' }),
  actions: { read: 'read', write: 'write' },
  factors: {
    passkey: 'a passkey',
    'one-time codes': 'one-time codes',
    'one-time code': 'a one-time code',
    'recovery codes': 'recovery codes',
    'recovery code': 'a recovery code',
    'passkey only': 'a passkey, beside the password',
    all: 'everything but the password',
  },
  refusals: {
    approved: message('{client} was allowed access: {what}. Not allowed: {refused}.', {
      client: 'markup',
      what: 'text',
      refused: 'text',
    }),
    narrowed: message(
      'An earlier access of {client} lost what you did not allow again: {refused}. Still allowed: {what}.',
      { client: 'markup', what: 'text', refused: 'text' },
    ),
    ended: message(
      'An earlier access of {client} ended, because you did not allow again all that it had: {refused}.',
      { client: 'markup', refused: 'text' },
    ),
  },
  happened: {
    'owner.created': 'Your account was made.',
    'owner.changed': 'Your account was changed by whoever runs this service.',
    'owner.deleted': 'Your account was deleted.',
    'owner.profile_changed': 'You changed your profile.',
    'owner.data_downloaded': 'Everything stored about you was downloaded.',
    'owner.access_ended': 'All your logins and all access of applications were ended.',
    'owner.deletion_requested':
      'You deleted your account. All logins and all access ended. It can be undone for some time.',
    'owner.deletion_undone': 'You kept your account after all.',
    'owner.password_changed': 'Your password was changed. All other logins ended.',
    'owner.email_verified': 'Your email address was confirmed.',
    'link.issued': 'A link to your account was made, such as one to choose a new password.',
    'mail.sent': 'A mail about your account was sent to your email address.',
    'mail.failed': 'A mail about your account could not be delivered.',
    'mail.held_back': 'A mail about your account was not sent, because there were too many.',
    'login.succeeded': 'You logged in.',
    'login.failed': 'Somebody tried your name with a wrong password.',
    'login.second_factor_failed': message(
      'Somebody knew your password, but not what is asked beside it: {factor}.',
      { factor: 'text' },
    ),
    'recovery_code.used': 'A recovery code was used. It does not count again.',
    'passkey.counter_regressed':
      'A passkey was refused, because there may be a copy of it. Remove it if you do not trust it.',
    'factor.added': message('This now counts when you log in: {factor}.', { factor: 'text' }),
    'factor.removed': message('This no longer counts when you log in: {factor}.', {
      factor: 'text',
    }),
    'upstream.linked': 'An account at another service was linked. It logs you in here now.',
    'upstream.unlinked': 'An account at another service no longer logs you in here.',
    'session.ended': 'A login ended.',
    'logout.delivered': message('{client} was told of your logout.', { client: 'markup' }),
    'logout.failed': message(
      '{client} could not be told of your logout. You may still be logged in there.',
      { client: 'markup' },
    ),
    'client.changed_itself': message(
      '{client} changed itself. You are asked again before it gets access anew.',
      { client: 'markup' },
    ),
    'authorization.approved': message('{client} was allowed access: {what}.', {
      client: 'markup',
      what: 'text',
    }),
    'authorization.narrowed': message(
      'The access of {client} was narrowed. Still allowed: {what}.',
      { client: 'markup', what: 'text' },
    ),
    'authorization.end_changed': message('The access of {client} now lasts until {end}.', {
      client: 'markup',
      end: 'markup',
    }),
    'authorization.ended': message('The access of {client} ended.', { client: 'markup' }),
    'authorization.paused': message('{client} was paused.', { client: 'markup' }),
    'authorization.resumed': message('{client} was resumed.', { client: 'markup' }),
    'code.replayed': message('A code for {client} came twice. Its access was ended, to be safe.', {
      client: 'markup',
    }),
    'code.burned': message('A code for {client} came with a wrong proof and was thrown away.', {
      client: 'markup',
    }),
    'refresh_token.repeated': message(
      '{client} renewed its access twice in a row, the second time from another network. That happens when a connection changes. If yours did not, take back its access.',
      { client: 'markup' },
    ),
    'refresh_token.reused': message(
      'An old key of {client} came back, as after a theft. That device has to ask you again.',
      { client: 'markup' },
    ),
    'token.revoked': message('{client} gave a key back.', { client: 'markup' }),
    'family.revoked': message('{client} gave its keys on one device back.', { client: 'markup' }),
  },
})
