/** Words of the playground: the steps that go through the owner's browser. */
import { defineWords } from '../../src/paper/catalog.ts'

export const browserWords = defineWords('playground.browser', {
  ask: {
    title: 'Ask the owner',
    text: 'The client sends the browser to the authorization server with its wishes. Log in as alice, password wonderland, and untick the permissions that it should not get. Earlier permissions are not asked again.',
  },
  arrive: {
    title: 'Come back with a code',
    text: 'The authorization server sends the browser to the redirect URI. The client compares state with the one it gave out, and iss with the server it asked, before it believes the rest.',
  },
  exchange: {
    title: 'Exchange the code',
    text: 'The client posts the code, its own secret and the same redirect URI to the token endpoint. The browser never sees this. A code lives for one minute and works once.',
  },
  read: {
    title: 'Read the photos',
    text: 'The client shows the access token to the resource server. Each request looks at the authorization anew, so what the owner takes back on the account page is gone on the next request.',
  },
  'forged-state': {
    title: 'Forge the state',
    text: 'An attacker sends your browser to the redirect URI with the attacker’s code. The client would then use the attacker’s things under your name.',
    meaning:
      'The state is not this client’s, so the client stops here. It throws the code away and never asks the token endpoint. That is the client’s part (RFC 6749 section 10.12).',
  },
  'changed-redirect': {
    title: 'Change one character of the redirect URI',
    text: 'An attacker asks to be answered at an address that is almost the registered one.',
    meaning:
      'The address is compared character by character. The refusal is shown on a page and never sent there: otherwise this service would send people anywhere. In the demo the page marks the characters that differ.',
  },
  'other-redirect': {
    title: 'Redeem at another redirect URI',
    text: 'A thief of the code names another redirect URI than the first request. Try it between coming back and exchanging the code.',
    meaning:
      'The code states where it was sent. It is not used up by this: whoever is in the right may still exchange it within its minute.',
  },
  replay: {
    title: 'Replay the code',
    text: 'Somebody found the code in a log and redeems it a second time.',
    meaning:
      'One of the two is a thief and nobody knows which, so all tokens of the code have ended. Introspection says active: false, and the resource server refuses the token. The owner’s authorization itself stays.',
  },
  'ask-with-challenge': {
    title: 'Ask with a challenge',
    text: 'A browser application has no secret. So it makes one up for this request alone, the verifier, and sends only its SHA-256: the challenge.',
  },
  'exchange-with-verifier': {
    title: 'Exchange code and verifier',
    text: 'Now the client shows the verifier. Its SHA-256 is the challenge of the beginning, so both requests come from the same client. A code lives for one minute.',
  },
  'wrong-verifier': {
    title: 'Guess the verifier',
    text: 'A thief has the code but not the verifier. Try it between coming back and exchanging the code.',
    meaning:
      'The wrong verifier is refused and uses the code up: there is one guess, not many. So the right verifier comes too late as well.',
  },
  'no-challenge': {
    title: 'Leave PKCE out',
    text: 'An attacker removes the challenge from the request, hoping that the code is then given to anybody.',
    meaning:
      'A client without a secret has to send a challenge. The refusal goes back to the client’s own redirect URI, with its state; no owner is asked.',
  },
  'ask-token': {
    title: 'Ask for a token at once',
    text: 'The implicit grant answers with the access token itself, without an exchange. New applications use the code with PKCE instead: a token in an address is easily seen by others.',
  },
  'arrive-fragment': {
    title: 'Come back with a fragment',
    text: 'The token is behind the # of the address, and browsers send that part to no server. Only a script on the client’s page can read it. Without scripts, paste the whole address of your browser here.',
  },
  'token-not-registered': {
    title: 'Ask for it as another client',
    text: 'An attacker changes response_type=code to token for Photo Printer, so that the token comes through the address.',
    meaning:
      'A client gets only the response types it registered. Photo Printer is told so at its own redirect URI; no owner is asked.',
  },
})
