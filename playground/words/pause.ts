/** Words of the playground: an application that is paused and resumed. */
import { defineWords } from '../../src/paper/catalog.ts'

export const pauseWords = defineWords('playground.pause', {
  pause: {
    title: 'Pause the application',
    text: 'The owner has a button for this on the account page. Here the operator does the same by the admin API: find the authorization of this owner, and set paused.',
  },
  'while-paused': {
    title: 'Try all that worked before',
    text: 'The API answers 401, and introspection says active: false. The refresh is answered with 503: try again later. Nothing is used up.',
  },
  'ask-to-resume': {
    title: 'Ask the owner',
    text: 'The client sends the browser to the authorization server. A page says since when the application is paused, and offers to resume it. Press that button.',
  },
  'arrive-resumed': {
    title: 'Come back with a code',
    text: 'The owner resumed the application, so the request goes on as usual.',
  },
  'works-again': {
    title: 'See that everything works again',
    text: 'The access token and the refresh token of before the pause work, and so does the new code.',
  },
  'refresh-in-a-loop': {
    title: 'Refresh again and again',
    text: 'A client that does not wait sends the same refresh token three times. Try it during the pause.',
    meaning:
      'Each answer is the same 503 with Retry-After. The refresh token is not used up, so this is no theft, and it works after the pause.',
  },
  'resume-itself': {
    title: 'Resume itself',
    text: 'The paused application shows its own token to the admin API.',
    meaning: 'Only the owner and the operator can resume it. The token itself is paused.',
  },
})
