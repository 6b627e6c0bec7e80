/** Words of the page of recent events: what happened to an account, in plain words. */
import { allowMarkup, defineWords } from '../../../paper/catalog.ts'

export const eventWords = defineWords('events', {
  heading: 'What happened to your account',
  about: 'The latest is first. If something was not you, choose another password.',
  nothing: 'There is nothing to show yet.',
  from: allowMarkup('from {network}'),
  by: {
    you: 'by you',
    operator: 'by whoever runs this service',
    client: allowMarkup('by {client}'),
  },
  older: 'Show earlier ones',
  goneClient: 'an application that is gone',
  untilTakenBack: 'you take it back',
  othersEnded: 'All other logins were ended, {sessions, number} of them.',
  pausedUnused: allowMarkup(
    '{client} was paused, because it was not used for {days, plural, one {# day} other {# days}}.',
  ),
  allowedBy: allowMarkup('{issuer} allowed {client} access: {what}.'),
  newBrowser: 'A new browser logged in.',
  usedCode:
    'A one-time code that had been used, or one from before it, came again for another login. If you did not log in twice within a minute or so, somebody may know your password and have seen that code.',
  separator: ', ',
  permissions: '{title} ({actions})',
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
    approved: allowMarkup('{client} was allowed access: {what}. Not allowed: {refused}.'),
    narrowed: allowMarkup(
      'An earlier access of {client} lost what you did not allow again: {refused}. Still allowed: {what}.',
    ),
    ended: allowMarkup(
      'An earlier access of {client} ended, because you did not allow again all that it had: {refused}.',
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
    'login.second_factor_failed':
      'Somebody knew your password, but not what is asked beside it: {factor}.',
    'recovery_code.used': 'A recovery code was used. It does not count again.',
    'passkey.counter_regressed':
      'A passkey was refused, because there may be a copy of it. Remove it if you do not trust it.',
    'factor.added': 'This now counts when you log in: {factor}.',
    'factor.removed': 'This no longer counts when you log in: {factor}.',
    'upstream.linked': 'An account at another service was linked. It logs you in here now.',
    'upstream.unlinked': 'An account at another service no longer logs you in here.',
    'session.ended': 'A login ended.',
    'logout.delivered': allowMarkup('{client} was told of your logout.'),
    'logout.failed': allowMarkup(
      '{client} could not be told of your logout. You may still be logged in there.',
    ),
    'client.changed_itself': allowMarkup(
      '{client} changed itself. You are asked again before it gets access anew.',
    ),
    'authorization.approved': allowMarkup('{client} was allowed access: {what}.'),
    'authorization.delegated': allowMarkup('{client} now acts for {parent}: {what}.'),
    'authorization.denied': allowMarkup(
      'You denied a request of {client}, which asked on {asked}.',
    ),
    'authorization.narrowed': allowMarkup(
      'The access of {client} was narrowed. Still allowed: {what}.',
    ),
    'authorization.end_changed': allowMarkup('The access of {client} now lasts until {end}.'),
    'authorization.ended': allowMarkup('The access of {client} ended.'),
    'authorization.paused': allowMarkup('{client} was paused.'),
    'authorization.resumed': allowMarkup('{client} was resumed.'),
    'authorization.allowed_again': allowMarkup(
      '{issuer} may allow {client} access again, after it ended.',
    ),
    'device.connected': allowMarkup(
      '{client} got access on a device. The device asked on {asked}.',
    ),
    'device.denied': allowMarkup(
      'You denied {client} access on a device. The device asked on {asked}.',
    ),
    'code.replayed': allowMarkup(
      'A code for {client} came twice. Its access was ended, to be safe.',
    ),
    'code.burned': allowMarkup('A code for {client} came with a wrong proof and was thrown away.'),
    'refresh_token.repeated': allowMarkup(
      '{client} renewed its access twice in a row, the second time from another network. That happens when a connection changes. If yours did not, take back its access.',
    ),
    'refresh_token.reused': allowMarkup(
      'An old key of {client} came back, as after a theft. That device has to ask you again.',
    ),
    'token.revoked': allowMarkup('{client} gave a key back.'),
    'family.revoked': allowMarkup('{client} gave its keys on one device back.'),
  },
})
