/** Words of the mails. A mail holds no text that a stranger typed, but for names of accounts. */
import { defineWords, message } from '../paper/catalog.ts'

export const mailWords = defineWords('mails', {
  reset: {
    subject: message('Choose a new password for {service}', { service: 'text' }),
    why: message('Somebody asked for a new password for the account {username} at {service}.', {
      service: 'text',
      username: 'text',
    }),
    action: 'Choose a new password',
    otherwise: 'If it was not you, do nothing. Your password stays as it is.',
  },
  signup: {
    subject: message('Create your account at {service}', { service: 'text' }),
    why: message('Somebody asked for an account at {service} with this email address.', {
      service: 'text',
    }),
    action: 'Create the account',
    otherwise: 'If it was not you, do nothing. No account is made.',
  },
  known: {
    subject: message('You have an account at {service}', { service: 'text' }),
    why: message(
      'Somebody asked for an account at {service} with this email address. You have one already: {username}.',
      { service: 'text', username: 'text' },
    ),
    action: 'Log in',
    otherwise: 'If you forgot the password, choose a new one from the login page.',
  },
  verify: {
    subject: message('Confirm your email address for {service}', { service: 'text' }),
    why: message(
      'This becomes the email address of the account {username} at {service} once you confirm it.',
      { service: 'text', username: 'text' },
    ),
    action: 'Confirm the address',
    otherwise: 'If it was not you, do nothing. The address is not used.',
  },
  moving: {
    subject: message('Your email address at {service} may change', { service: 'text' }),
    why: message(
      'Somebody logged in as {username} at {service} and asked for another email address. It counts once the new address is confirmed.',
      { service: 'text', username: 'text' },
    ),
    action: 'Choose another password',
    otherwise: 'If it was you, do nothing. If not, choose another password now: that stops it.',
  },
  browser: {
    subject: message('New login to your account at {service}', { service: 'text' }),
    why: message(
      'Somebody logged in as {username} at {service} with a browser that this account has not used before.',
      { service: 'text', username: 'text' },
    ),
    action: 'See where you are logged in',
    otherwise: 'If it was you, do nothing. If not, log that browser out, and change your password.',
  },
  invite: {
    subject: message('Your account at {service}', { service: 'text' }),
    why: message('You have an account at {service}: {username}. Choose a password for it.', {
      service: 'text',
      username: 'text',
    }),
    action: 'Choose a password',
    otherwise: 'If you do not expect an account there, do nothing.',
  },
  separator: ', ',
  once: message('The link works once, until {end}.', { end: 'text' }),
  waits:
    'To go on to the application, open the link in the browser where you began. If you open it on another device, go back to that browser afterwards.',
})
