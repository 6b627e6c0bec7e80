/** Words about accounts at other services that log people in here. */
import { defineWords, message } from '../catalog.ts'

export const upstreamWords = defineWords('upstreams', {
  logIn: message('Log in with {title}', { title: 'text' }),
  newHeading: 'You are new here',
  newIntro: message('Nobody here is linked to your account at {title} yet.', { title: 'markup' }),
  haveAccount:
    'Do you have an account here already? Log in to it another way. Then link the two on its Security page.',
  makeNew: message('Otherwise make a new account: {label} will log you in to it.', {
    label: 'markup',
  }),
  create: 'Make a new account',
  closed: 'New accounts are made only by whoever runs this service. Ask them if you have none.',
  back: 'Log in another way',
  heading: 'Linked logins',
  since: message('Linked {when}. It logs you in here without your password.', { when: 'markup' }),
  notLinked: 'Not linked',
  link: message('Link {title}', { title: 'text' }),
  remove: 'Unlink',
  unlink: message('Unlink {title}', { title: 'text' }),
  unlinkEffect: message('Your account at {title} no longer logs you in here.', { title: 'text' }),
  directoryUsername: message('Username at {title}', { title: 'text' }),
  directoryPassword: message('Password at {title}', { title: 'text' }),
  confirm: message('Confirm with {title}', { title: 'text' }),
  linkSubmit: 'Link the account',
  linkBack: 'Back to Security',
  check: 'Check this',
  earlier: 'Linked before your present password. Keep it if it is yours, else unlink it.',
  gone: 'This service is no longer offered here.',
})
