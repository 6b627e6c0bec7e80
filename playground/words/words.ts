/** Words of the playground: what stands around its flows and steps. */
import { defineWords } from '../../src/paper/catalog.ts'

export const playgroundWords = defineWords('playground.words', {
  title: 'Playground',
  lead: 'Every flow, step by step, against this service. Every message was really sent or received. Each field is explained, with its place in the RFC. Then try to break it.',
  start: 'Start',
  crumbs: 'You are here',
  groups: {
    browser: 'People in a browser',
    programs: 'Without a browser',
    login: 'Who is it',
    tokens: 'Tokens and APIs',
    clients: 'Clients',
  },
  steps: 'Steps',
  done: 'done',
  breakIt: 'Break it',
  breakItText: 'What an attacker would try, and how the service answers.',
  startOver: 'Start over',
  party: {
    owner: 'Resource owner',
    client: 'Client',
    server: 'Authorization server',
    api: 'Resource server',
  },
  sends: '{from} → {to}',
  through: '{from} → {by} → {to}',
  refused: '{sent}: refused',
  shown: 'What the browser shows',
  source: 'Source of the page',
  noOwner: 'not needed',
  willBeSent: 'This will be sent',
  request: 'Request',
  answer: 'Answer',
  thenRequest: 'What the browser then asks for',
  command: 'As curl',
  copy: 'Copy',
  copied: 'Copied',
  fields: 'What each part means',
  cut: '{characters, number} more characters are not shown',
  section: '{document} §{section}',
  send: 'Send it',
  sendAgain: 'Send it again',
  attack: 'Break it',
  attackAgain: 'Try again',
  visit: 'Go there with this browser',
  qr: 'The address as a QR code, for a telephone',
  typed: 'Parameters',
  pasted: 'The whole address, with everything behind the #',
  take: 'Hand it to the client',
  next: 'Next: {step}',
  first: 'Before this: {step}',
  runBefore: 'Run what comes before',
  over: 'Its code or token is used up by now. Start over for another round.',
  otherAnswer:
    'This is not the answer that the step is about. Perhaps a code or token has run out, or the owner did not allow it. Start over for another round.',
  meaning: 'What it meant',
  checks: 'What the client checks',
  holds: 'holds:',
  fails: 'fails:',
  header: 'Header of the JWT',
  claims: 'Claims of the JWT',
  arrival: {
    came: 'The state is the client’s own and iss is the server that it asked: the client believes the answer.',
    denied:
      'The checks hold, and the answer is a no. The client tells its user so, and has nothing else to do.',
    refused:
      'The checks hold, and the error is the one that this step is about. The client knows what to do next.',
    returned: 'The state is the client’s own: the logout that it asked for has ended.',
    forged:
      'The state is not the one that this client gave out. It stops here and throws the answer away.',
    'mixed-up':
      'The answer names another server than the one that was asked. The client throws it away.',
  },
})

export type PlaygroundWords = ReturnType<typeof playgroundWords>
