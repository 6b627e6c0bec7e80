/** Words of the first page. */
import { defineWords, message } from '../../paper/catalog.ts'

export const homeWords = defineWords('home', {
  title: 'Welcome',
  heading: 'Give access, keep your password',
  purpose: message(
    '{name} lets you allow applications access to your data, and end it at any time.',
    { name: 'text' },
  ),
  account: 'Your account',
  forApplications: 'For applications:',
})
