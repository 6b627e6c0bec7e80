/** Words of the demo's first page. */
import { allowMarkup, defineWords } from '../../src/paper/catalog.ts'

export const tourWords = defineWords('playground.tour', {
  title: 'Welcome',
  heading: 'Give access, keep your password',
  purpose: '{name} lets you allow applications access to your data, and end it at any time.',
  account: 'Your account',
  isDemo: 'This is the demo.',
  demoWarning: 'Its passwords and secrets are public. Keep nothing of value in it.',
  asPasted: 'A first token. This works as pasted:',
  command: 'Command',
  playground: 'Open the playground',
  flows: 'Every flow, step by step',
  flowsText:
    'Run them against this very service, see each request and answer, and try to break them.',
  people: 'People to log in as',
  password: 'Password',
  applications: 'Applications',
  name: 'Name',
  id: 'client_id',
  secret: 'client_secret',
  grantTypes: 'Grant types',
  publicClient: 'none (public)',
  backTo: allowMarkup('back to {uri}'),
  reading: 'Reading on',
  docs: {
    readme: 'the way in, and running it for real',
    guard: 'protect an API of your own in five minutes',
    registration: 'let clients register themselves',
    admin: 'clients, owners and authorizations for programs',
    extension: 'a grant type of your own',
    settings: 'every setting',
    scale: 'which database when',
    architecture: 'how it is built, and why',
  },
  forApplications: 'For applications:',
})
