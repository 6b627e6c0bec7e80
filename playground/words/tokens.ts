/** Words of the playground: introspection, revocation, and tokens that run out. */
import { defineWords } from '../../src/paper/catalog.ts'

export const tokenWords = defineWords('playground.tokens', {
  introspect: {
    title: 'Ask about the access token',
    text: 'Tokens are opaque, so an API asks the server about each one. The answer holds for this moment.',
  },
  revoke: {
    title: 'Revoke the refresh token',
    text: 'The client has no more use for its tokens, for instance because its user logged out. Revoking the refresh token ends the whole family, access tokens included.',
  },
  'after-revocation': {
    title: 'See that it is over',
    text: 'Introspection says active: false, and the resource server refuses the access token on the next request. Nothing has to expire first.',
  },
  'foreign-revocation': {
    title: 'Revoke a token of another client',
    text: 'Nightly Report found House App’s access token and tries to end it.',
    meaning:
      'Only the client to which a token was issued may revoke it. The token is still active, as its own client sees.',
  },
  'unknown-revocation': {
    title: 'Revoke a token that does not exist',
    text: 'Somebody tries out which tokens there are.',
    meaning:
      'The answer is the same as for a token that was revoked, so it tells nothing. For the client the goal is reached: the token does not work.',
  },
  'introspect-refresh': {
    title: 'Ask about the refresh token',
    text: 'A refresh token is told about to its own client only; a resource server has no use for it.',
  },
  'introspect-unknown': {
    title: 'Ask about a token that does not exist',
    text: 'Unknown, expired, revoked and not yours all look the same: active: false and nothing more.',
  },
  'foreign-introspection': {
    title: 'Ask about a token of another client',
    text: 'Nightly Report found House App’s access token and would like to know whose it is.',
    meaning:
      'It learns nothing: active: false, as for a token that does not exist. Resource servers are allowed to ask about all tokens by the operator.',
  },
  'public-introspection': {
    title: 'Ask without a secret',
    text: 'Gallery is a public client: anybody can say that they are Gallery.',
    meaning: 'Only an authenticated client may ask, so nobody can try out tokens here.',
  },
  'short-client': {
    title: 'Let the operator make a client',
    text: 'By the admin API: a client whose access tokens live for three seconds. First the operator’s own token, then the client.',
  },
  'short-token': {
    title: 'Get a token and use it at once',
    text: 'Three seconds are enough for this.',
  },
  expired: {
    title: 'Use it three seconds later',
    text: 'Count to three, then send. The token is refused, and it is told why: a client now gets itself a new one.',
  },
})
