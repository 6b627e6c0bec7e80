/** Words of the page that posts an authorization response to the application. */
import { defineWords, message } from '../../../paper/catalog.ts'

export const formPostWords = defineWords('form-post', {
  title: 'Back to the application',
  heading: message('Back to {client}', { client: 'markup' }),
  where: message('Press the button to go on to {host}.', { host: 'markup' }),
  submit: 'Go on',
})
