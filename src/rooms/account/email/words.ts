/** Words of the account page for the email address. */
import { allowMarkup, defineWords } from '../../../paper/catalog.ts'

export const emailWords = defineWords('email', {
  heading: 'Your email address',
  none: 'Your account has no email address. Without one, nobody can send you a link if you forget your password.',
  confirmed: allowMarkup('{email}, confirmed.'),
  unconfirmed: allowMarkup('{email}, not confirmed yet.'),
  verify: 'Send a link to confirm it',
  next: 'New email address',
  effect:
    'We send a link to the new address. It counts once you open that link. The address until now gets a notice.',
  change: 'Send link',
  off: 'This service sends no mail. Ask whoever runs it to change the address.',
  problem: {
    bad: 'That is not an email address.',
    same: 'That is your email address already.',
    throttled: 'There were too many requests.',
  },
  done: {
    sent: 'A link is on its way. It works once, for 24 hours.',
  },
})
