/** Words of the playground: registration and metadata. */
import { defineWords } from '../../src/paper/catalog.ts'

export const discoveryWords = defineWords('playground.discovery', {
  register: {
    title: 'Register',
    text: 'A client introduces itself and gets its id, its secret and a token to manage the registration. Each is shown this once. Open in the demo; elsewhere the operator gives out a token for it.',
  },
  'read-registration': {
    title: 'Read the registration',
    text: 'With the registration token the client sees what is kept of it. The secret is not among it: only its digest is kept.',
  },
  'change-registration': {
    title: 'Change it',
    text: 'The whole registration is sent again, with another name.',
  },
  'delete-registration': {
    title: 'Delete it',
    text: 'The client goes, and with it every authorization and token that it had.',
  },
  'script-redirect': {
    title: 'Register a script as redirect URI',
    text: 'An attacker would like the browser to run a script instead of going somewhere.',
    meaning:
      'Redirect URIs are https, http on a loopback address, or a scheme of the application’s own. Nothing else can be registered.',
  },
  'self-trust': {
    title: 'Register as trusted',
    text: 'A client asks for the password grant and calls itself trusted.',
    meaning: 'Trust is given by an operator. What a client says about it is not even read.',
  },
  'foreign-registration': {
    title: 'Read another client’s registration',
    text: 'The registration token of this client, shown for Photo Printer.',
    meaning:
      'A registration token opens one registration. The answer is the same for a client that does not exist.',
  },
  challenge: {
    title: 'Start from a resource alone',
    text: 'A client knows only the address of the photos. It asks without a token, and the challenge tells where to read on.',
  },
  'resource-metadata': {
    title: 'Read the resource’s metadata',
    text: 'Its scopes, the ways to send a token, and its authorization server.',
  },
  'server-metadata': {
    title: 'Read the authorization server’s metadata',
    text: 'Every endpoint and everything that is really switched on. A client needs to be told nothing but the issuer.',
  },
})
