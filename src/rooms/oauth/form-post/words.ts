/** Words of the page that posts an authorization response to the application. */
import { allowMarkup, defineWords } from '../../../paper/catalog.ts'

export const formPostWords = defineWords('form-post', {
  title: 'Back to the application',
  heading: allowMarkup('Back to {client}'),
  where: allowMarkup('Press the button to go on to {host}.'),
  submit: 'Go on',
})
