/** Words of the playground: streams of signals. */
import { defineWords } from '../../src/paper/catalog.ts'

export const signalStepWords = defineWords('playground.signals', {
  'open-stream': {
    title: 'Open a stream',
    text: 'The operator declares an API for shelves, and says which client its server is. The server opens a stream, to poll it later.',
  },
  'signal-token': {
    title: 'Get a token',
    text: 'An application gets a token for the shelves of alice. The server asks about it once, and remembers the answer.',
  },
  'narrow-and-hear': {
    title: 'Narrow the access',
    text: 'The operator takes a permission away, as alice could on the account page. The API polls, and gets a signed set: token-claims-change, with the scope that is left. Until the API acknowledges the set, each poll has it again.',
  },
  'end-and-hear': {
    title: 'End the access',
    text: 'The API now wants to hear of ends alone. The access ends, and the next set is session-revoked.',
  },
  'close-stream': {
    title: 'Close the stream',
    text: 'The API deletes its stream. A poll finds nothing any more.',
  },
  'foreign-stream': {
    title: 'Poll the stream of another API',
    text: 'Another API has learned of the address of the stream.',
    meaning: 'It looks like a stream that never was: nobody learns whether it is there.',
  },
  'stream-of-no-api': {
    title: 'Listen without an API',
    text: 'An application opens a stream, to hear whose access ends.',
    meaning: 'Only servers of an API hear anything, and only of their own resources.',
  },
  'unproven-poll': {
    title: 'Poll without a credential',
    text: 'Somebody knows the address of the stream and nothing else.',
    meaning: 'An address opens nothing.',
  },
  'stream-by-owner-token': {
    title: 'Open a stream with the token of alice',
    text: 'An application uses the token that alice allowed it.',
    meaning: 'A stream is for a client that acts for itself, with ssf.manage.',
  },
  'push-inside': {
    title: 'Let the service post into its own network',
    text: 'The API asks for pushes to a private address in clear.',
    meaning:
      'Endpoints are https, and each post looks at the address first: private ones stay closed.',
  },
  'set-for-other': {
    title: 'Pass a set on to another API',
    text: 'A thief sends the set to Nightly Report, to make it drop a session.',
    meaning: 'Each set names its receiver in aud, so no other one believes it.',
  },
})
