/** Words of the playground: logouts. */
import { defineWords } from '../../src/paper/catalog.ts'

export const logoutWords = defineWords('playground.logout', {
  'register-logout': {
    title: 'Let the operator add a client',
    text: 'By the admin API. The registration names an address for the browser after a logout, and one for messages about logouts. Here that is a sample receiver of the demo.',
  },
  'ask-openid': {
    title: 'Send the owner to log in',
    text: 'The client asks for nothing but the login. Log in as alice, password wonderland.',
  },
  'log-out': {
    title: 'Send the owner to log out',
    text: 'The ID token proves that the request is about the session of this browser, so no page asks. After this you are logged out here.',
  },
  'arrive-logged-out': {
    title: 'Come back logged out',
    text: 'The browser comes to the registered address, with the state of the client. There is no code and no iss.',
  },
  'logout-token': {
    title: 'Read the logout token',
    text: 'The service has posted a signed token to every client of the session. The client ends its own session with this sid. If there is no token yet, send it again.',
  },
  'logout-by-link': {
    title: 'Log somebody out by a link',
    text: 'Any page can make a browser go to the logout, here without an ID token.',
    meaning:
      'A page asks whoever is logged in. A link alone logs nobody out, and nothing is sent anywhere.',
  },
  'foreign-return': {
    title: 'Send the browser elsewhere',
    text: 'An attacker names an address that the client did not register.',
    meaning:
      'The addresses after a logout are compared like redirect URIs. The refusal is a page, and nobody is logged out.',
  },
  'logout-token-as-login': {
    title: 'Use the logout token as an ID token',
    text: 'Both are signed by the same key, for the same client, about the same owner.',
    meaning: 'The header says which kind of JWT it is. A logout token never logs anybody in.',
  },
  'forged-logout-token': {
    title: 'Forge a logout token',
    text: 'An attacker posts a token without a signature to the receiver, to log people out.',
    meaning: 'The receiver checks the signature first, and believes nothing before.',
  },
})
