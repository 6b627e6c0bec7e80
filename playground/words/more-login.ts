/** Words of the playground: single claims, stronger logins, pairwise subjects, and signed requests. */
import { defineWords } from '../../src/paper/catalog.ts'

export const moreLoginWords = defineWords('playground.more-login', {
  'register-claims': {
    title: 'Let the operator add a client',
    text: 'By the admin API. It is a new one each time, so you are asked each time.',
  },
  'ask-claims': {
    title: 'Ask for two claims',
    text: 'The claims parameter names a telephone number for userinfo, and an e-mail address for the ID token. The consent page has a row for each. Untick the telephone number.',
  },
  'told-claims': {
    title: 'Ask for the claims',
    text: 'Without your tick there is no telephone number here. The rest of that row is missing in any case, because nobody asked for it.',
  },
  'claims-inside': {
    title: 'Read the ID token',
    text: 'The e-mail address is inside, if you allowed it. Essential is a wish and no order: the owner may untick it too.',
  },
  'broken-claims': {
    title: 'Send no JSON',
    text: 'The claims parameter is a bare word.',
    meaning: 'The client hears invalid_request. Nothing is guessed.',
  },
  'wider-claims': {
    title: 'Ask for more at a refresh',
    text: 'The client refreshes with the word address in the scope. The owner did not allow it.',
    meaning: 'A refresh never reaches further than the approval. The refresh token still works.',
  },
  'ask-fresh': {
    title: 'Ask for a fresh and strong login',
    text: 'By max_age=0, the owner types the password again, logged in or not. By acr_values=2, a second factor is asked for where the owner has one. Log in as alice, password wonderland.',
  },
  'check-strength': {
    title: 'See how strong it was',
    text: 'auth_time is the new login. alice has no second factor, so acr is 1. The client decides whether that is enough.',
  },
  'ask-strong': {
    title: 'Insist on a second factor',
    text: 'The claims parameter calls the acr essential. The service must not answer with less.',
  },
  'arrive-unmet': {
    title: 'Come back with an error',
    text: 'alice cannot reach it, so the client hears unmet_authentication_requirements.',
  },
  'ask-silently': {
    title: 'Ask without a page',
    text: 'By prompt=none, nobody is asked anything. Gallery has no secret, and any program on this device might answer at its address.',
  },
  'arrive-silent': {
    title: 'Come back with another error',
    text: 'The owner has to be asked each time, so the answer is interaction_required.',
  },
  'silent-stranger': {
    title: 'Ask silently without a login',
    text: 'The same for Photo Printer, in a browser that is not logged in.',
    meaning: 'The client hears login_required. No page is shown.',
  },
  'silent-and-loud': {
    title: 'Ask for a page and for none',
    text: 'The prompt is none and login at once.',
    meaning: 'That is a contradiction, so the request is refused.',
  },
  'register-pairwise': {
    title: 'Let the operator add two clients',
    text: 'By the admin API. Both are to get subjects of their own.',
  },
  'ask-first': {
    title: 'Log in at the first',
    text: 'Log in as alice, password wonderland.',
  },
  'ask-second': {
    title: 'Log in at the second',
    text: 'The same owner, in the same browser.',
  },
  'arrive-second': {
    title: 'Come back to the second',
    text: 'The code is for the second client.',
  },
  'exchange-second': {
    title: 'Exchange the second code',
    text: 'The second client gets its tokens.',
  },
  'two-subjects': {
    title: 'Compare the subjects',
    text: 'Each client asks userinfo. The sub is another one for each, and stays the same at the next login.',
  },
  'many-hosts': {
    title: 'Register for several hosts',
    text: 'A client has redirect URIs on two hosts, so it is unclear whom it belongs to.',
    meaning:
      'Without a sector_identifier_uri that lists both, the registration is refused. No client can join the sector of another.',
  },
  'register-signer': {
    title: 'Let the operator add a client',
    text: 'By the admin API. The registration has the public key of the client, and every request has to be signed with it. Then the client signs one.',
  },
  'ask-signed': {
    title: 'Send the signed request',
    text: 'The whole request is one JWT. Parameters outside would count for nothing.',
  },
  'unsigned-request': {
    title: 'Set alg to none',
    text: 'An attacker takes the signature away. Try it before coming back.',
    meaning: 'An object without a signature is refused, whatever it asks for.',
  },
  'changed-request': {
    title: 'Change the object',
    text: 'An attacker makes it last a year longer. Try it before coming back.',
    meaning: 'The signature does not fit any more, so the request is refused.',
  },
  'plain-request': {
    title: 'Ask without an object',
    text: 'An attacker sends the same parameters without a signature.',
    meaning: 'The client registered that all of its requests are signed. This one is not.',
  },
  push: {
    title: 'Push the request',
    text: 'The client sends all parameters to the service, with its own secret. A wrong request is refused here already. The reference in the answer lives for a minute.',
  },
  'ask-pushed': {
    title: 'Send the reference',
    text: 'The browser carries client_id and request_uri alone. Nobody on the way can read or change the request. Any further parameter would count for nothing.',
  },
  'changed-request-uri': {
    title: 'Change the reference',
    text: 'An attacker changes the reference on its way through the browser.',
    meaning:
      'The reference is the encrypted request itself, and one character changes everything. The refusal is a page, and sends the browser nowhere.',
  },
  'foreign-request-uri': {
    title: 'Send it as another client',
    text: 'Another client has found the reference and sends it under its own client_id.',
    meaning: 'A reference counts for the client that pushed it, and for nobody else.',
  },
  'used-request-uri': {
    title: 'Send it a second time',
    text: 'Somebody found the reference in a history and sends it again, after the client got its answer.',
    meaning:
      'A request has one answer. To reload the page before that does no harm: the reference is used up by the answer, not by the first visit.',
  },
})
