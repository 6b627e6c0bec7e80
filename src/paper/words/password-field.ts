/** Words of the button that shows a password. */
import { defineWords } from '../catalog.ts'

export const passwordFieldWords = defineWords('password-field', {
  show: 'Show',
  hide: 'Hide',
  of: ' password',
})
