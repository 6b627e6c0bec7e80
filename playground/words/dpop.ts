/** Words of the playground: tokens that are bound to a key. */
import { defineWords } from '../../src/paper/catalog.ts'

export const dpopWords = defineWords('playground.dpop', {
  'dpop-token': {
    title: 'Get a token with a proof',
    text: 'The client signs a proof for this request. The answer says DPoP, and introspection names the key as cnf.',
  },
  'dpop-read': {
    title: 'Read with a new proof',
    text: 'Each request has a proof of its own: for its method, its URL and this token.',
  },
  'dpop-without-key': {
    title: 'Steal the token',
    text: 'A thief has the token without its key, and sends it as Bearer.',
    meaning: 'The token is bound to a key, so alone it opens nothing.',
  },
  'dpop-replay': {
    title: 'Send a proof twice',
    text: 'A thief has seen a whole request with token and proof, and sends it again.',
    meaning: 'Each proof counts once, at all nodes of the service together.',
  },
  'dpop-other-key': {
    title: 'Sign with another key',
    text: 'A thief makes a key and signs a proof with it.',
    meaning: 'The proof is right, and the token is bound to another key.',
  },
  'dpop-other-request': {
    title: 'Use a proof for another request',
    text: 'A thief has a proof that was made for a DELETE, and reads with it.',
    meaning: 'The proof names method and URL, and counts for no other request.',
  },
})
