/** Words of the playground: the checks of a client that reads a JWT. */
import { defineWords } from '../../src/paper/catalog.ts'

export const checkWords = defineWords('playground.checks', {
  signature: 'A key of /jwks made the signature.',
  exp: 'It has not run out.',
  typ: 'It is of the kind that belongs here.',
  iss: 'It is from the server that the client asked.',
  aud: 'It is for this client, or this API.',
  nonce: 'It is the answer to this very request.',
  at_hash: 'It belongs to this access token.',
  c_hash: 'It belongs to this code.',
  sid: 'It is about the session that the client knows.',
  events: 'It tells of a logout.',
  no_nonce: 'It has no nonce, so it is no answer to a login.',
})

export type CheckName = keyof ReturnType<typeof checkWords>
