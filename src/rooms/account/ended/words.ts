/** Words of the page of accesses that have ended. */
import { defineWords, message } from '../../../paper/catalog.ts'

export const endedWords = defineWords('ended', {
  heading: 'Ended access',
  about: message(
    'These applications no longer have access. Each stays here for {days, plural, one {# day} other {# days}}, with what it did.',
    { days: 'number' },
  ),
  nothing: message('No access has ended in the last {days, plural, one {# day} other {# days}}.', {
    days: 'number',
  }),
  ended: message('Ended {when}', { when: 'markup' }),
  endedAt: 'This access ended:',
  more: 'Show more',
})
