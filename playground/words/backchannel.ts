/** Words of the playground: an owner who is asked elsewhere. */
import { defineWords } from '../../src/paper/catalog.ts'

export const backchannelStepWords = defineWords('playground.backchannel', {
  'backchannel-ask': {
    title: 'Ask the owner',
    text: 'The till names its customer and sends a message that both sides show. No browser is in between.',
  },
  'backchannel-wait': {
    title: 'Ask for the token',
    text: 'The till polls. Nobody has decided, so the answer is authorization_pending.',
  },
  'backchannel-decide': {
    title: 'Let the owner decide',
    text: 'The owner finds the request in the own account. Log in as alice, password wonderland, compare the message, and allow. Then come back here.',
  },
  'backchannel-redeem': {
    title: 'Ask again',
    text: 'The till gets one token, without a refresh token.',
  },
  'backchannel-other-client': {
    title: 'Steal the request',
    text: 'Another client has seen the auth_req_id, and polls with it.',
    meaning: 'It counts for the client that asked, which has to prove itself.',
  },
  'backchannel-used': {
    title: 'Redeem it twice',
    text: 'The till asks once more for the token that it has.',
    meaning: 'An approval is for one token. What was issued keeps working.',
  },
  'backchannel-stranger': {
    title: 'Find out who has an account',
    text: 'The till names a person whom nobody here knows.',
    meaning:
      'It is answered as if that person did not answer. Only a trusted client hears the difference.',
  },
  'backchannel-message': {
    title: 'Send a long message',
    text: 'A message of 101 characters could push the rest off the screen.',
    meaning: 'A message is one short line, and each of its characters is shown.',
  },
})
