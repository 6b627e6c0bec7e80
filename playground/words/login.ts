/** Words of the playground: people who log in to an application. */
import { defineWords } from '../../src/paper/catalog.ts'

export const loginWords = defineWords('playground.login', {
  'ask-login': {
    title: 'Send the owner to log in',
    text: 'The word openid in the scope asks for a login, profile and email for claims. The nonce is a random word that comes back inside the ID token. Log in as alice, password wonderland.',
  },
  'exchange-login': {
    title: 'Exchange the code',
    text: 'The answer has an ID token beside the access token. It is a signed JWT about the login of the owner.',
  },
  'check-id-token': {
    title: 'Check the ID token',
    text: 'The client fetches the keys of the service. It checks the signature, and then the claims. By at_hash, the ID token belongs to the access token beside it.',
  },
  userinfo: {
    title: 'Ask for the claims',
    text: 'Userinfo tells what the owner allows at this moment. The client compares sub with the one of the ID token.',
  },
  'refresh-login': {
    title: 'Refresh',
    text: 'A refresh brings a new ID token about the same login. auth_time stays, and there is no nonce, because nobody has logged in.',
  },
  'other-nonce': {
    title: 'Bring it to another login',
    text: 'An attacker brings this ID token to a browser that has begun a login of its own. Its nonce is another one.',
    meaning:
      'The signature is good, and the nonce is of another request. The client throws the ID token away. This check is its own duty.',
  },
  'no-nonce': {
    title: 'Bring one without nonce',
    text: 'The attacker has the ID token of a refresh, and offers it as the answer to a login.',
    meaning:
      'A client that sent a nonce believes no ID token without one. It is not the answer to its request.',
  },
  'id-token-for-access': {
    title: 'Use the ID token for access',
    text: 'The ID token is shown to userinfo and to the API of the photos.',
    meaning:
      'An ID token says who logged in, and allows nothing. Signature and issuer do not change that.',
  },
  'foreign-code': {
    title: 'Redeem the code as another client',
    text: 'Gallery has found the code of Photo Printer. Try it between coming back and exchanging the code.',
    meaning: 'A code is for the client that asked for it, so there is no ID token for another.',
  },
  'register-hybrid': {
    title: 'Let the operator add a client',
    text: 'By the admin API. The registration says which response types the client uses, and that its ID tokens are signed with ES256.',
  },
  'ask-hybrid': {
    title: 'Ask for a code and an ID token',
    text: 'The response type is code id_token. So the client knows at once who comes back, and still gets its tokens by the code.',
  },
  'arrive-hybrid': {
    title: 'Come back with both',
    text: 'Both are behind the # of the address, so no server sees them. Without scripts, paste the whole address of your browser here.',
  },
  'check-front': {
    title: 'Check the ID token before the code',
    text: 'c_hash is half of the hash of the code. So the client knows that nobody swapped the code on the way.',
  },
  'exchange-hybrid': {
    title: 'Exchange the code',
    text: 'The access token comes from the token endpoint and never passes through the browser. Userinfo answers it.',
  },
  'ask-form-post': {
    title: 'Ask for an ID token in a form',
    text: 'The response type is id_token alone, and form_post the way back. This is the implicit flow for clients with a server.',
  },
  'arrive-form': {
    title: 'Come back with a form',
    text: 'A page of the service makes the browser post the answer to the redirect URI. It stands in no address and in no history.',
  },
  'check-posted': {
    title: 'Check the ID token',
    text: 'There is no access token, so the claims of the scope are inside the ID token.',
  },
  'swapped-code': {
    title: 'Swap the code',
    text: 'An attacker puts a code of their own beside the ID token of alice.',
    meaning: 'The hash of that code is another one. The client stops before it redeems anything.',
  },
  'hybrid-without-nonce': {
    title: 'Leave the nonce out',
    text: 'An attacker hopes that the ID token can then be used again.',
    meaning:
      'An ID token that passes through the browser needs a nonce. The refusal goes back to the client.',
  },
  'type-not-registered': {
    title: 'Ask for a further token',
    text: 'The client asks for code id_token token. It registered only the other two.',
    meaning: 'A client gets the response types that it registered, and no others.',
  },
  'mode-query': {
    title: 'Ask for it in the query',
    text: 'An attacker asks for response_mode=query, because queries stay in logs.',
    meaning: 'No token ever goes to the query. The refusal itself comes in the fragment.',
  },
})
