/** Words of the pages behind links: a new password, an invitation, an email address, a dead link. */
import { defineWords, message } from '../../paper/catalog.ts'

export const linkWords = defineWords('links', {
  reset: {
    title: 'Choose a new password',
    about: message('For the account {owner}. All of its logins end.', { owner: 'markup' }),
    submit: 'Save password',
  },
  invite: {
    title: 'Accept the invitation',
    about: message('Choose a password for the account {owner}.', { owner: 'markup' }),
    submit: 'Save password and log in',
  },
  problem: {
    length: 'This password is too short or too long.',
    common: 'This password is too common, or a simple row of characters. Choose another one.',
    names: 'This password is made of your name, your address or the name of this service.',
  },
  username: 'Username',
  password: 'New password',
  until: message('This link works once, until {end}.', { end: 'markup' }),
  onceOnly: 'The link that led you here works once.',
  verify: {
    title: 'Confirm your email address',
    about: message('{email} becomes the confirmed email address of the account {owner}.', {
      owner: 'markup',
      email: 'markup',
    }),
    submit: 'Confirm the address',
  },
  taken: {
    title: 'Another account has this address',
    about: message('{email} belongs to another account. Log in to that one.', {
      email: 'markup',
    }),
  },
  gone: {
    title: 'This link does not work',
    about:
      'It was used, it is too old, or the password or email address of the account changed meanwhile.',
    whatNext: 'If you still need it, ask for a new link.',
    askSender: 'If you still need it, log in and look at your profile, or ask the sender.',
    logIn: 'Log in',
    forgot: 'Reset your password',
  },
})
