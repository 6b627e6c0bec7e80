/** Words of the pages on which people ask for a link, and of those behind links. */
import { allowMarkup, defineWords } from '../../paper/catalog.ts'

export const waysInWords = defineWords('ways-in', {
  forgot: {
    title: 'Forgot your password?',
    about: 'We send you a link to choose a new one.',
    field: 'Username or email address',
    submit: 'Send link',
    sent: 'If there is such an account with an email address, a link is on its way to it.',
    off: 'This service sends no mail. Ask whoever runs it for a link to choose a new password.',
  },
  signup: {
    title: 'Create an account',
    about: 'We send you a link to go on with.',
    field: 'Email address',
    submit: 'Send link',
    sent: 'A mail is on its way to that address. It says how to go on.',
    off: 'Nobody can create an account here by themselves. Ask whoever runs this service.',
    invited: 'You need an invitation to create an account here. Open the link of your invitation.',
    bad: 'That is not an email address.',
    name: 'Your name (may be empty)',
    forAddress: allowMarkup('For {address}'),
    create: 'Create account',
  },
  sentTitle: 'Check your email',
  check: allowMarkup('Check {address}'),
  once: 'The link works once, for {span}.',
  halfHour: '30 minutes',
  day: '24 hours',
  spam: 'Nothing there after a minute? Look into spam, then send it again.',
  typed: allowMarkup('You entered {address}.'),
  again: 'Send again',
  change: 'Change it',
  cancel: 'Cancel',
  notCancelled: 'This page is too old to cancel its mail. The link in it ends by itself.',
  waits: allowMarkup(
    '{client} waits for you. Open the link in this browser to go on. If you open it on another device, come back here afterwards.',
  ),
  goOn: allowMarkup('Continue to {client}'),
  madeTitle: 'Your account is ready',
  made: 'The application waits in the browser where you began. Go back there and press “Continue”.',
  account: 'Your account',
  throttled: 'There were too many requests.',
  logIn: 'Back to log in',
  mailbox: allowMarkup('This demo sends no mail. {link} shows what it would have sent.'),
  mailboxTitle: 'Mailbox of the demo',
  mailboxAbout: 'The mails of this demo, the latest first. None of them is really sent.',
  mailboxEmpty: 'There is no mail yet.',
  to: allowMarkup('To {address}, {when}'),
})

/** Of the pages behind links: a new password, an invitation, an email address, a dead link. */
export const linkWords = defineWords('links', {
  reset: {
    title: 'Choose a new password',
    about: allowMarkup('For the account {owner}. All of its logins end.'),
    submit: 'Save password',
  },
  invite: {
    title: 'Accept the invitation',
    about: allowMarkup('Choose a password for the account {owner}.'),
    submit: 'Save password and log in',
  },
  username: 'Username',
  password: 'New password',
  until: allowMarkup('This link works once, until {end}.'),
  onceOnly: 'The link that led you here works once.',
  verify: {
    title: 'Confirm your email address',
    about: allowMarkup('{email} becomes the confirmed email address of the account {owner}.'),
    submit: 'Confirm the address',
  },
  taken: {
    title: 'Another account has this address',
    about: allowMarkup('{email} belongs to another account. Log in to that one.'),
  },
  gone: {
    title: 'This link does not work',
    about:
      'It was used or cancelled, it is too old, or the password or email address of the account changed meanwhile.',
    whatNext: 'If you still need it, ask for a new link.',
    askSender: 'If you still need it, log in and look at your profile, or ask the sender.',
    logIn: 'Log in',
    forgot: 'Reset your password',
  },
})
