/** Words of the playground: the steps of the grants without a browser. */
import { defineWords } from '../../src/paper/catalog.ts'

export const directWords = defineWords('playground.direct', {
  password: {
    title: 'Send the owner’s password',
    text: 'The owner types name and password into the client, which sends them on. Only for a client that the operator has set trusted; everybody else sends the owner to the login page.',
  },
  'untrusted-password': {
    title: 'Ask with a client that is not trusted',
    text: 'Photo Printer has collected alice’s password and tries the same.',
    meaning:
      'The client may not use this grant, whatever the password is. The password was not even checked.',
  },
  credentials: {
    title: 'Get a token for the client itself',
    text: 'No owner takes part: the client shows its secret and gets a token for what is its own. There is no refresh token, because it can simply ask again.',
  },
  'own-write': {
    title: 'Write something of its own',
    text: 'The client keeps an item under a name that it chose. The items belong to the client; no owner’s things are in reach of this token.',
  },
  'own-read': {
    title: 'Read it again',
    text: 'Only what the client itself has written is there: not one of alice’s appointments.',
  },
  'wrong-secret': {
    title: 'Guess the client’s secret',
    text: 'Somebody knows the client’s name and guesses its secret.',
    meaning:
      'The answer is the same for a wrong secret and for a client that does not exist. Further guesses from this address are slowed down.',
  },
  'operator-scope': {
    title: 'Ask for more than was registered',
    text: 'The client asks for the scope of the operator’s own interface.',
    meaning:
      'A client gets at most what it was registered for. Unknown names are left out, and here none remains.',
  },
  'first-tokens': {
    title: 'Get a first pair of tokens',
    text: 'By the password grant of the trusted House App, so that this page needs no browser trip. The refresh token would be the same after a code.',
  },
  refresh: {
    title: 'Refresh',
    text: 'The client trades the refresh token for a new pair. The old refresh token is used up: it was the first generation of its family, this is the second.',
  },
  'lost-answer': {
    title: 'Ask again, as after a lost answer',
    text: 'The network broke before the answer arrived, so the client asks once more with the old token. Within 30 seconds it gets the same refresh token again: compare.',
  },
  'refresh-again': {
    title: 'Refresh once more',
    text: 'The third generation. Now the first token is two generations old, and no honest client has a reason to send it again.',
  },
  'stolen-refresh': {
    title: 'Use a stolen refresh token',
    text: 'A thief copied the first refresh token long ago and uses it now.',
    meaning:
      'A token that was replaced twice comes back only if a thief has it, or has its successor. So the family ends: its access token is inactive, and its newest refresh token is refused as well.',
  },
  'foreign-refresh': {
    title: 'Refresh as another client',
    text: 'Photo Printer found House App’s refresh token.',
    meaning:
      'A refresh token belongs to one client. The refusal tells nothing about the token, and House App’s tokens go on working.',
  },
  'register-extension': {
    title: 'Register a client for it',
    text: 'A client is registered for the grant types that were added to this service.',
  },
  extension: {
    title: 'Redeem by your own grant',
    text: 'One parameter a line, name=value, as your grant type wants them. The token endpoint authenticates the client and mints the token; your grant says what was earned.',
  },
})
