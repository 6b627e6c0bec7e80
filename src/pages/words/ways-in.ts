/** Words of the pages on which people ask for a link: a forgotten password, a new account. */
import { defineWords, message } from '../catalog.ts'

export const waysInWords = defineWords('ways-in', {
  forgot: {
    title: 'Reset your password',
    about: 'Enter your username or email address. We send you a link to choose a new password.',
    field: 'Username or email address',
    submit: 'Send link',
    sent: 'If there is such an account with an email address, a link is on its way to it.',
    off: 'This service sends no mail. Ask whoever runs it for a link to choose a new password.',
  },
  signup: {
    title: 'Create an account',
    about: 'Enter your email address. We send you a link to go on with.',
    field: 'Email address',
    submit: 'Send link',
    sent: 'A mail is on its way to that address. It says how to go on.',
    off: 'Nobody can create an account here by themselves. Ask whoever runs this service.',
    invited: 'You need an invitation to create an account here. Open the link of your invitation.',
    bad: 'That is not an email address.',
    name: 'Your name (may be empty)',
    forAddress: message('For {address}', { address: 'markup' }),
    create: 'Create account',
  },
  sentTitle: 'Check your email',
  once: message('The link works once, for {span}.', { span: 'text' }),
  halfHour: '30 minutes',
  day: '24 hours',
  spam: 'Nothing arrived? Look in your spam folder, or ask again later.',
  waits: message(
    '{client} waits for you. Open the link in this browser to go on. If you open it on another device, come back here afterwards.',
    { client: 'markup' },
  ),
  goOn: message('Continue to {client}', { client: 'markup' }),
  madeTitle: 'Your account is ready',
  made: 'The application waits in the browser where you began. Go back there and press “Continue”.',
  account: 'Your account',
  throttled: 'There were too many requests.',
  logIn: 'Back to log in',
  mailbox: message('This demo sends no mail. {link} shows what it would have sent.', {
    link: 'markup',
  }),
  mailboxTitle: 'Mailbox of the demo',
  mailboxAbout: 'The mails of this demo, the latest first. None of them is really sent.',
  mailboxEmpty: 'There is no mail yet.',
  to: message('To {address}, {when}', { address: 'markup', when: 'markup' }),
})
