/** Words of the playground: clients that bring themselves. */
import { defineWords } from '../../src/paper/catalog.ts'

export const strangerWords = defineWords('playground.strangers', {
  'read-document': {
    title: 'Publish a document',
    text: 'The client is not registered anywhere. It publishes a document about itself, and the URL of the document is its client_id. The demo serves this one itself; elsewhere the URL has to be https.',
  },
  'ask-by-document': {
    title: 'Ask with the URL as client_id',
    text: 'The authorization server fetches the document. Log in as alice, password wonderland. The consent page shows the host of the client, and when the service first saw it.',
  },
  'exchange-by-document': {
    title: 'Exchange the code',
    text: 'The client has no secret, so it shows the verifier. The document is not fetched again: the token endpoint uses the stored copy.',
  },
  'borrowed-document': {
    title: 'Publish a copy of another document',
    text: 'An attacker copies the document of Travelling Agent to another URL.',
    meaning:
      'The client_id in a document has to be its own URL, character by character. So nobody can publish the document of somebody else as their own.',
  },
  'no-redirects': {
    title: 'Leave out the redirect URIs',
    text: 'The document does not say where answers may be sent.',
    meaning:
      'Without redirect_uris any address would do. The refusal is shown on a page, and nothing is sent to the redirect URI of the request.',
  },
  'page-for-document': {
    title: 'Answer with a page',
    text: 'The host of the document answers programs with a page, for instance to keep robots out.',
    meaning:
      'A page is no document. The client is not stored, so the next request fetches the document anew.',
  },
  'secret-in-document': {
    title: 'Put a secret into the document',
    text: 'The document has a client_secret, for everyone to read.',
    meaning:
      'A document is public, so a secret in it proves nothing. The service refuses it before a developer relies on it.',
  },
  'register-native': {
    title: 'Register as a stranger',
    text: 'An application on a desktop registers itself without any token. Its redirect URIs have schemes of its own. Compare the answer with the request: what the service does not know is dropped.',
  },
  'ask-native': {
    title: 'Ask the owner',
    text: 'Log in as alice, password wonderland. The consent page says that this client registered itself, and suggests one month. The answer comes to the loopback address, which this browser can follow.',
  },
  'exchange-native': {
    title: 'Exchange code and verifier',
    text: 'A client on a desktop cannot keep a secret, so it has none. The verifier proves that both requests come from the same client.',
  },
  'one-bad-redirect': {
    title: 'Register one bad redirect URI among good ones',
    text: 'The second redirect URI is plain http on another machine. Anybody on the way could read the code.',
    meaning:
      'The whole registration is refused, and the description names the bad URI. Nothing is left out in silence.',
  },
  'wildcard-redirect': {
    title: 'Register a wildcard',
    text: 'The redirect URI is to match every host below a domain.',
    meaning: 'Redirect URIs are compared as text, so a pattern is refused at registration.',
  },
  'other-native-redirect': {
    title: 'Ask for another address of the same scheme',
    text: 'The scheme is registered, the rest of the address is not.',
    meaning:
      'The whole address counts, also behind a scheme of the application’s own. The refusal is shown on a page.',
  },
})
