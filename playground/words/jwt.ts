/** Words of the playground: JWT access tokens and the feed of revocations. */
import { defineWords } from '../../src/paper/catalog.ts'

export const jwtWords = defineWords('playground.jwt', {
  'add-jwt-api': {
    title: 'Let the operator add an API and a client',
    text: 'By the admin API. access_token_format is jwt, so the API can read its tokens by itself. Its server is Nightly Report.',
  },
  'jwt-token': {
    title: 'Get a token',
    text: 'The client gets a token for itself. To the client it is as opaque as any other.',
  },
  'check-jwt': {
    title: 'Read it, as the API does',
    text: 'The API fetches the keys once, and then makes no call for a request. By typ, iss and aud it knows an access token for itself.',
  },
  'follow-feed': {
    title: 'Follow the feed',
    text: 'Introspection knows the token too. For revocations the API polls the feed. The answer says where to go on.',
  },
  'revoke-jwt': {
    title: 'Revoke it',
    text: 'The client revokes its token. Introspection says active: false at once. The next poll brings a signed event with the jti of the token.',
  },
  'remove-jwt-api': {
    title: 'Remove both',
    text: 'The operator removes the API and the client.',
  },
  'unsigned-jwt': {
    title: 'Set alg to none',
    text: 'An attacker takes the signature away and says so in the header.',
    meaning: 'The token is inactive: there is no algorithm called none here.',
  },
  'changed-jwt': {
    title: 'Change a claim',
    text: 'An attacker adds a year to exp and keeps the signature.',
    meaning: 'The signature fits the old claims only, so the token is inactive.',
  },
  'jwt-elsewhere': {
    title: 'Use it at another API',
    text: 'The token is genuine, and is shown to the API of the photos.',
    meaning: 'Its audience is the reports. It allows nothing here.',
  },
})
