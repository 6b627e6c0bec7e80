/** Words of the mails. A mail holds no text that a stranger typed, but for names of accounts. */
import { defineWords } from '../paper/catalog.ts'

export const mailWords = defineWords('mails', {
  reset: {
    subject: 'Choose a new password for {service}',
    why: 'Somebody asked for a new password for the account {username} at {service}.',
    action: 'Choose a new password',
    otherwise: 'If it was not you, do nothing. Your password stays as it is.',
  },
  signup: {
    subject: 'Create your account at {service}',
    why: 'Somebody asked for an account at {service} with this email address.',
    action: 'Create the account',
    otherwise: 'If it was not you, do nothing. No account is made.',
  },
  known: {
    subject: 'You have an account at {service}',
    why: 'Somebody asked for an account at {service} with this email address. You have one already: {username}.',
    action: 'Log in',
    otherwise: 'If you forgot the password, choose a new one from the login page.',
  },
  verify: {
    subject: 'Confirm your email address for {service}',
    why: 'This becomes the email address of the account {username} at {service} once you confirm it.',
    action: 'Confirm the address',
    otherwise: 'If it was not you, do nothing. The address is not used.',
  },
  moving: {
    subject: 'Your email address at {service} may change',
    why: 'The account {username} at {service} is to have another email address. Somebody logged in asked for it, or the directory of your company set it. It counts once the new address is confirmed.',
    action: 'Choose another password',
    otherwise:
      'If you expect it, do nothing. If not, choose another password now, and tell the service.',
  },
  browser: {
    subject: 'New login to your account at {service}',
    why: 'Somebody logged in as {username} at {service} with a browser that this account has not used before.',
    action: 'That was not me',
    otherwise: 'If it was you, do nothing. If not, the page leads you through four steps.',
  },
  asked: {
    subject: 'An application asks for your decision at {service}',
    why: 'An application asks for access to the account {username} at {service}. The page names the application, and says what it asks for.',
    action: 'See the request',
    otherwise: 'If you did not expect it, deny it there, or do nothing: it ends by itself.',
  },
  invite: {
    subject: 'Your account at {service}',
    why: 'You have an account at {service}: {username}. Choose a password for it.',
    action: 'Choose a password',
    otherwise: 'If you do not expect an account there, do nothing.',
  },
  separator: ', ',
  once: 'The link works once, until {end}.',
  waits:
    'To go on to the application, open the link in the browser where you began. If you open it on another device, go back to that browser afterwards.',
})
