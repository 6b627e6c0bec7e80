/** Words of the login page. */
import { defineWords, message } from '../catalog.ts'

export const loginWords = defineWords('login', {
  title: 'Log in',
  forClient: message('to continue to {client}', { client: 'markup' }),
  or: 'or',
  newHere: 'New here?',
  username: 'Username or email address',
  password: 'Password',
  submit: 'Log in',
  forgot: 'Forgot password?',
  signUp: 'Create an account',
  wrong:
    'The username, email address or password is wrong, or there were too many tries. Wait a little, or use a passkey.',
  throttled: 'There were too many wrong tries.',
  passkeySubmit: 'Use a passkey',
  passkey: 'The passkey was not accepted. Try again, or log in with your password.',
  passkeyElsewhere: message(
    'A passkey belongs to a host name, such as localhost, and not to an IP address: to log in with one, go on at {link}.',
    { link: 'markup' },
  ),
  upstreamDown:
    'The other service does not answer just now. Try again later, or log in another way.',
  upstreamWrong:
    'The answer of the other service cannot be trusted. Try again, or log in another way.',
  upstreamRefused:
    'The login at the other service was not finished. Try again, or log in another way.',
  upstreamStale:
    'The other service did not show that you logged in anew, which is needed here. Log in another way, or log out there first.',
  addressTaken:
    'Another account here has confirmed your email address. Log in to that account. Then link the other service on its page Security.',
  begin: 'That took too long, or something changed meanwhile. Please log in again.',
  finished:
    'This login was finished already, but the answer may not have reached you. Please log in again.',
  done: {
    nothing: 'You were logged out by then, so nothing was changed. Log in, then do it again.',
    passwordChosen: 'The new password is saved, and all earlier logins have ended. Log in with it.',
    passwordChosenElsewhere:
      'The new password is saved, and all earlier logins have ended. To go on to the application, go back to the browser where you began.',
    emailConfirmed: 'The email address is confirmed.',
    deleted: 'Your account will be deleted. Log in to undo it.',
  },
  waitSeconds: message('Try again in {seconds, plural, one {# second} other {# seconds}}.', {
    seconds: 'number',
  }),
  waitMinutes: message('Try again in {minutes, plural, one {# minute} other {# minutes}}.', {
    minutes: 'number',
  }),
})
