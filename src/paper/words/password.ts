/** Words of the page on which an owner chooses another password. */
import { defineWords } from '../catalog.ts'

export const passwordWords = defineWords('password', {
  heading: 'Choose another password',
  effect:
    'All other logins end, and applications send you through a login here again. What you allowed them stays.',
  old: 'Your current password',
  next: 'The new password',
  again: 'The new password once more',
  rule: 'At least {least, number} characters. Several words are good.',
  submit: 'Change the password',
  problem: {
    wrong: 'Nothing was changed: your current password was wrong.',
    length: 'Nothing was changed: the new password is too short or too long.',
    common:
      'Nothing was changed: the new password is one that many people choose, or a simple row of characters.',
    names:
      'Nothing was changed: the new password is made of your name, your email address or the name of this service.',
    differ: 'Nothing was changed: the two new passwords are not the same.',
    same: 'Nothing was changed: the new password is the current one.',
    throttled: 'Nothing was changed: there were too many wrong tries.',
  },
  done: { changed: 'The password has been changed. All other logins have ended.' },
})
