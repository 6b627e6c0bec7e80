/** Words of the playground: clients that prove themselves by a signed JWT. */
import { defineWords } from '../../src/paper/catalog.ts'

export const assertionWords = defineWords('playground.assertions', {
  'register-key-holder': {
    title: 'Register a client with its key',
    text: 'The operator registers the public key of the client. The client keeps the private key.',
  },
  'assertion-token': {
    title: 'Get a token by a signature',
    text: 'The client signs a JWT for this one request: who it is, for which server, until when, and an id that is used once.',
  },
  'assertion-replay': {
    title: 'Send an assertion twice',
    text: 'A thief has read a whole request, for example in a log, and sends the assertion again.',
    meaning: 'Each assertion counts once: at all nodes, and after a restart.',
  },
  'assertion-elsewhere': {
    title: 'Pass an assertion on',
    text: 'Another server got an assertion of the client, and sends it here.',
    meaning: 'The assertion names the server that it is for, and this is another one.',
  },
  'assertion-other-key': {
    title: 'Sign with another key',
    text: 'A stranger writes the same claims, and signs with a key of their own.',
    meaning: 'Only the registered key counts. The answer does not say what was wrong.',
  },
  'assertion-unsigned': {
    title: 'Leave the signature out',
    text: 'The header says alg none, and there is no signature.',
    meaning: 'The server takes algorithms from the registration, and none is not among them.',
  },
  'register-secret-signer': {
    title: 'Register a client with a secret',
    text: 'The service keeps this secret encrypted, since it has to check signatures with the secret.',
  },
  'secret-assertion-token': {
    title: 'Sign with the secret',
    text: 'The client makes an HMAC of its JWT with the secret. The secret stays at home.',
  },
  'secret-itself': {
    title: 'Send the secret',
    text: 'Somebody sends the secret itself, as most clients do.',
    meaning: 'This client has promised to sign. A secret on the way would be a secret to steal.',
  },
  'guessed-secret': {
    title: 'Sign with a guess',
    text: 'Somebody signs the same claims with a word of their own.',
    meaning: 'The signature fits no secret of the client. After many such tries the client waits.',
  },
  'secret-assertion-replay': {
    title: 'Send an assertion twice',
    text: 'A thief has read a whole request, and sends the assertion again.',
    meaning: 'An assertion under a secret counts once, too.',
  },
  'register-platform': {
    title: 'Trust a platform',
    text: 'The operator says which program of which platform this client is. The client gets neither key nor secret. Here the demo publishes the keys of the platform itself.',
  },
  'platform-token': {
    title: 'Get a token by the platform',
    text: 'The platform has signed who the program is. Such a JWT may come again until it ends, so no id is used up.',
  },
  'other-branch': {
    title: 'Come from another branch',
    text: 'A pull request of a stranger runs on the same platform, and gets a JWT of its own.',
    meaning: 'The subject is compared as a whole. Only the main branch is this client.',
  },
  'other-platform-audience': {
    title: 'Use a JWT for another service',
    text: 'The program showed its JWT to another service, which sends it here.',
    meaning: 'The platform signs the audience, and it has to be this service alone.',
  },
  'other-platform': {
    title: 'Pretend to be the platform',
    text: 'Somebody writes the same claims, and signs with a key of their own.',
    meaning: 'Only a key that the platform publishes counts.',
  },
})
