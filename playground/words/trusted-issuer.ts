/** Words of the playground: a company opens access for its people. */
import { defineWords } from '../../src/paper/catalog.ts'

export const trustedIssuerWords = defineWords('playground.trusted-issuer', {
  'trust-issuer': {
    title: 'Let the operator trust a company',
    text: 'By the admin API. The operator adds an application and the issuer with its public key. Then the company signs assertions for alice.',
  },
  'exchange-assertion': {
    title: 'Get a token for the assertion',
    text: 'The application sends what the company signed, with its own secret. Nobody sees a page, and there is no refresh token.',
  },
  'replayed-assertion': {
    title: 'Send the assertion again',
    text: 'A thief has seen the request, and sends it once more.',
    meaning: 'The jti of an assertion counts once, at all nodes of the service together.',
  },
  'unsigned-assertion': {
    title: 'Take the signature away',
    text: 'An attacker sets alg to none.',
    meaning: 'Only a key of the issuer makes an assertion.',
  },
  'assertion-for-other': {
    title: 'Use an assertion for another server',
    text: 'An attacker has an assertion that the company signed for somebody else.',
    meaning: 'Its aud is another server, so it opens nothing here.',
  },
  'assertion-of-other': {
    title: 'Use the assertion of another application',
    text: 'An attacker has an assertion that the company signed for Photo Printer.',
    meaning: 'The client_id in it has to be the application of the request.',
  },
  'widened-assertion': {
    title: 'Ask for more',
    text: 'The application asks for all photos, contacts and the calendar.',
    meaning:
      'The answer says what was opened: never more than the assertion, the issuer and the client may have.',
  },
  'ended-approval': {
    title: 'Come back after the end',
    text: 'The operator ends the access, as alice could on the account page. The application tries a fresh assertion. Then the operator deletes the issuer.',
    meaning:
      'The company signs as before. It stays ended until alice or the operator allows it again.',
  },
})
