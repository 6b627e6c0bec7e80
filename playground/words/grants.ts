/** Words of the playground: grants that a client manages. */
import { defineWords } from '../../src/paper/catalog.ts'

export const grantStepWords = defineWords('playground.grants', {
  'add-bookkeeper': {
    title: 'Register the client',
    text: 'The operator registers Bookkeeper, with the two permissions to see grants and to give them back.',
  },
  'ask-grant': {
    title: 'Begin a grant',
    text: 'The client asks for a new grant. Log in as alice, password wonderland. She is asked even if she allowed the same before.',
  },
  'exchange-grant': {
    title: 'Exchange the code',
    text: 'The answer names the grant: grant_id.',
  },
  'see-grant': {
    title: 'See the grant',
    text: 'With a token of its own the client asks what the grant allows now. Alice may have narrowed it meanwhile.',
  },
  'ask-more': {
    title: 'Ask for more',
    text: 'The client names the grant and asks for contacts. The page shows alice all of the grant, old and new.',
  },
  'arrive-more': {
    title: 'The second answer arrives',
    text: 'The browser brings the second code.',
  },
  'exchange-more': {
    title: 'Exchange the second code',
    text: 'The grant is the same, and the new token has all of it. The earlier tokens have ended.',
  },
  'give-back': {
    title: 'Give it back',
    text: 'The client ends the grant. Alice reads in her account who did it.',
  },
  'foreign-grant': {
    title: 'Name a grant of somebody else',
    text: 'The client invents the id of a grant.',
    meaning:
      'The answer is invalid_grant_id. The grant of another client or person gets the same answer, so ids tell nothing.',
  },
  'grant-by-owner-token': {
    title: 'Ask with the token of alice',
    text: 'The client asks about the grant with the access token that it got for alice.',
    meaning: 'Only a token of the client itself opens a grant. No owner grants these permissions.',
  },
  'unregistered-permission': {
    title: 'Ask for a permission without registering it',
    text: 'Nightly Report asks for the permission to give grants back.',
    meaning: 'Nightly Report is not registered for it, so the answer is invalid_scope.',
  },
})
