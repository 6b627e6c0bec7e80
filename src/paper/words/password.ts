/** Words about choosing a password, on the page for another one and behind links. */
import type { Language } from '../../model/language.ts'
import { ownerLimits } from '../../owners/limits.ts'
import type { PasswordFault } from '../../owners/password-rule.ts'
import { defineWords } from '../catalog.ts'

export const passwordWords = defineWords('password', {
  heading: 'Choose another password',
  effect: 'All other logins end. What you allowed applications stays.',
  old: 'Your current password',
  next: 'The new password',
  again: 'The new password once more',
  rule: 'At least {least, number} characters. Several words are good.',
  submit: 'Change the password',
  problem: {
    wrong: 'Nothing was changed: your current password was wrong.',
    differ: 'Nothing was changed: the two new passwords are not the same.',
    same: 'Nothing was changed: the new password is the current one.',
    throttled: 'Nothing was changed: there were too many wrong tries.',
  },
  done: { changed: 'The password is new. All other logins have ended.' },
})

const faultWords = defineWords('password-fault', {
  short:
    'This password has {count, plural, one {# character} other {# characters}}; at least {least, number} are needed.',
  long: 'This password is too long: it may have at most {most, number} bytes.',
  common:
    'Many people choose this password, or it is a simple row of characters. Choose another one.',
  names: 'This password is made of your name, your address or the name of this service.',
})

/** Why a password cannot be chosen. The length of such a password is no secret. */
export const sayPasswordFault = (
  fault: PasswordFault,
  typed: string,
  least: number,
  language: Language,
): string => {
  const words = faultWords(language)
  if (fault !== 'length') return words[fault]
  const count = [...typed].length
  return count < least
    ? words.short({ count, least })
    : words.long({ most: ownerLimits.passwordBytes })
}
