/** Words of the playground: one photo in detail. */
import { defineWords } from '../../src/paper/catalog.ts'

export const detailStepWords = defineWords('playground.details', {
  'choose-photo': {
    title: 'Choose a photo',
    text: 'House App lists alice’s photos, and one of them is to be printed.',
  },
  'ask-photo': {
    title: 'Ask for this photo alone',
    text: 'The client names the photo in authorization_details and sends no scope. Log in as alice, password wonderland. The consent page shows the id of the photo.',
  },
  'exchange-details': {
    title: 'Exchange the code',
    text: 'The answer has the details as alice granted them. Its scope is empty: a detail is no permission.',
  },
  'read-photo': {
    title: 'Read the photo',
    text: 'The token opens this one photo.',
  },
  'read-all-photos': {
    title: 'List all photos',
    text: 'The same token, for the list of the photos.',
    meaning: 'A detail with an identifier opens that item and nothing else, so the answer is 403.',
  },
  'grow-at-refresh': {
    title: 'Ask for more at the refresh',
    text: 'The refresh names all photos, and writing as well.',
    meaning:
      'At the token endpoint details only narrow. Nothing was used up: the refresh token still works.',
  },
  'undeclared-member': {
    title: 'Add a member of your own',
    text: 'The client adds an amount, which photos do not have.',
    meaning:
      'The client hears invalid_authorization_details. No owner is asked about a value that nobody understands.',
  },
})
