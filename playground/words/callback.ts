/** Words of the pages at the demo's redirect URIs. */
import { defineWords } from '../../src/paper/catalog.ts'

export const callbackWords = defineWords('playground.callback', {
  title: 'The answer',
  code: '{name} has a code',
  codeText:
    'The owner said yes. The code works once, for one minute. This command exchanges it for tokens:',
  exchange: 'Exchange the code',
  verifier:
    'The code_verifier is the one of RFC 7636, appendix B. Put in your own if your request had another code_challenge.',
  afterwards: 'Then use the token. Put the access_token of the answer in place of ACCESS_TOKEN:',
  read: 'Use the token',
  otherCode: 'This code is not from here',
  otherCodeText: 'Codes of this service begin with lk_ac_.',
  error: 'The request was refused',
  noDescription: 'The answer says no more about it.',
  token: '{name} has a token',
  tokenText: 'The owner said yes. This command uses the token:',
  other: 'An answer came',
  none: 'The redirect URI of {name}',
  noneText: 'A browser comes here with the answer of a flow. This time no answer came along.',
  noScript: 'An answer after the # of the address can only be shown by a script.',
  paste: 'Copy the address and paste it in the playground',
  hybrid: 'There, for the hybrid flow',
  fields: 'What came along',
  demo: 'This page is part of the demo.',
  account: 'Take the access back on the account page',
  playground: 'Playground',
})
