/** Words of the playground: a helper that acts for an owner, by token exchange. */
import { defineWords } from '../../src/paper/catalog.ts'

export const exchangeStepWords = defineWords('playground.exchange', {
  'add-desk': {
    title: 'Say who may act',
    text: 'The operator registers the application Front Desk. Its may_act lists Helper: this client may exchange its tokens.',
  },
  'desk-token': {
    title: 'Get the first token',
    text: 'Front Desk gets a token of alice, for reading and for writing. Introspection names who may act.',
  },
  'exchange-token': {
    title: 'Exchange it',
    text: 'Helper was shown the token, and gets one of its own that only reads. Introspection tells the same sub, and act says who acts.',
  },
  'act-for-alice': {
    title: 'Read with the new token',
    text: 'The photos are those of alice. Her account page shows a branch: Helper for Front Desk.',
  },
  'remove-desk': {
    title: 'Remove the application',
    text: 'The operator removes Front Desk. The token of Helper stands under it, so the next request is refused.',
  },
  'exchange-wider': {
    title: 'Ask for more',
    text: 'Helper asks to write. Its token only reads.',
    meaning:
      'An exchange never widens. At each use, the token also shrinks with every authorization above it.',
  },
  'exchange-foreign': {
    title: 'Exchange a foreign token',
    text: 'Helper has found a token of House App, whose may_act does not list Helper.',
    meaning:
      'The token lives, and Helper does not even learn that. Only listed clients and APIs of the audience may exchange.',
  },
  'exchange-chain': {
    title: 'Pass it on and on',
    text: 'Each new token is exchanged again, so act grows.',
    meaning:
      'A token names four actors at most, the latest first. Nobody drops out of the chain, and no chain goes on for ever.',
  },
  'exchange-ended': {
    title: 'Outlive the first token',
    text: 'Front Desk gives its token back. Helper still has the token from the exchange.',
    meaning:
      'A token ends with the one that it was exchanged for, on the next request. Nothing new comes of a dead one.',
  },
  'exchange-bound': {
    title: 'Launder a bound token',
    text: 'A token is bound to the key of Front Desk. Helper exchanges it without a key, and then with one of its own.',
    meaning:
      'Without a key nothing is issued. With one, the new token is bound to that key: no bound token becomes a bearer token.',
  },
})
