/** Words of the demo's first page. */
import { allowMarkup, defineWords } from '../../src/paper/catalog.ts'

export const tourWords = defineWords('playground.tour', {
  title: 'Give access, keep your password',
  heading: { give: 'Give access.', keep: 'Keep your password.' },
  purpose:
    'Applications ask, you tick, and what you untick is refused. Try it: this page is alive.',
  tryIt: 'Try as alice',
  playground: 'Open the playground',
  playgroundShort: 'Playground',
  documents: 'Documents',
  logIn: 'Log in',
  ways: 'Demo',
  live: {
    label: 'Consent, account and API in small',
    asks: '{client} wants to',
    see: 'See',
    change: 'Change',
    photos: 'your photos',
    contacts: 'your contacts',
    seesPhotos: 'Sees photos.',
    changesPhotos: 'Changes photos.',
    seesContacts: 'Sees contacts.',
    nothing: 'May do nothing.',
    paused: 'Paused: may do nothing.',
    pause: 'Pause it',
    answers: 'The answers to its requests',
    refused: '403 not allowed',
    halted: '401 paused',
    hint: 'Untick one. Pause it. Watch the answers.',
  },
  doors: {
    try: {
      title: 'Be alice',
      text: allowMarkup(
        'Allow an application, see what it does, end it. Her password is {password}.',
      ),
      leads: 'Log in as alice',
    },
    break: {
      title: 'Break it',
      text: 'Steal the code, replay it, change one character. {attacks, plural, one {# attack} other {# attacks}}, and the answer to each.',
      leads: 'Try an attack',
    },
    protect: {
      title: 'Protect an API',
      text: allowMarkup(
        'One word before each route: {line}. Express, Fastify, Hono, Koa or plain Node.',
      ),
      leads: 'See how',
    },
  },
  flows: '{flows, plural, one {# flow} other {# flows}} to walk through',
  secrets: 'Names and secrets of this demo',
  isDemo: 'This is a demo: its passwords are public. Keep nothing of value in it.',
  asPasted: 'A first token. This works as pasted:',
  command: 'Command',
  password: 'Password',
  applications: 'Applications',
  name: 'Name',
  id: 'client_id',
  secret: 'client_secret',
  grantTypes: 'Grant types',
  publicClient: 'none (public)',
  backTo: allowMarkup('back to {uri}'),
  docs: {
    guard: 'Guard',
    registration: 'Registration',
    settings: 'Settings',
    architecture: 'Architecture',
  },
  forApplications: 'For applications:',
})
