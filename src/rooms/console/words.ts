/** Words around every page of the console, and of its first page. */
import { defineWords, message } from '../../paper/catalog.ts'

export const consoleWords = defineWords('console', {
  console: 'Console',
  menu: 'Menu',
  navigation: 'Console',
  search: 'Find a user, an application or a reference',
  roles: {
    operator: 'Role: operator',
    auditor: 'Role: auditor, who sees everything and changes nothing',
  },
  account: 'My account',
  logOut: 'Log out',
  groups: {
    who: 'Who',
    happened: 'What happened',
    service: 'Service',
  },
  parts: {
    overview: 'Overview',
    owners: 'Users',
    clients: 'Applications',
    authorizations: 'Access',
    events: 'Events',
    refusals: 'Refusals',
    token: 'Tokens',
    resources: 'Resources',
    upstreams: 'Log-in providers',
    keys: 'Keys',
    settings: 'Settings',
  },
  confirmed: 'You confirmed that it is you. Nothing has changed yet: press the button again.',
  more: 'Next page',
  first: 'Back to the first page',
  secondFactor: {
    title: 'Log in with two factors',
    intro: message(
      'You are logged in as {owner} by one factor. The console needs two: a passkey, or a password and a one-time code.',
      { owner: 'markup' },
    ),
    logInAgain: 'Log in again',
    how: 'Log in with your passkey, or with your password and a one-time code.',
    none: 'You have set up neither yet. Do that first, then log in again.',
    setUp: 'Set up a second factor',
  },
  overview: {
    heading: 'Overview',
    about: 'Find a user, an application or a reference above, or look at the latest events.',
    latest: 'Latest events',
    all: 'All events',
  },
})
