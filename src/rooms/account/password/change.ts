/** An owner chooses another password, having shown the current one. */
import type { Settings } from '../../../config/settings.ts'
import type { Language } from '../../../model/language.ts'
import type { Owner } from '../../../model/owner.ts'
import { rememberBrowser } from '../../../owners/known-browser.ts'
import { checkPassword } from '../../../owners/password-login.ts'
import { findPasswordFault, type PasswordFault } from '../../../owners/password-rule.ts'
import { hashNewPassword } from '../../../owners/registration.ts'
import { findVisitor } from '../../../owners/session.ts'
import { loginRefused } from '../../../paper/login.ts'
import { passwordWords, sayPasswordFault } from '../../../paper/words/password.ts'
import { traceOf } from '../../../store/trace.ts'
import { getGuesser, type OwnerVisit } from '../../owner-visit.ts'
import type { AccountNeeds } from '../needs.ts'

export const passwordRefused = {
  wrong: loginRefused.wrong,
  length: { reason: 'bad_new_password', status: 400 },
  common: { reason: 'common_new_password', status: 400 },
  names: { reason: 'new_password_of_names', status: 400 },
  differ: { reason: 'new_passwords_differ', status: 400 },
  same: { reason: 'same_password', status: 400 },
  throttled: loginRefused.throttled,
} as const

/** Why the password stays; `typed` is the new one, of which a page says the length alone. */
export interface PasswordProblem {
  readonly is: keyof typeof passwordRefused
  readonly typed: string
}

const isFault = (is: PasswordProblem['is']): is is PasswordFault =>
  is === 'length' || is === 'common' || is === 'names'

export const sayPasswordProblem = (
  { is, typed }: PasswordProblem,
  least: number,
  language: Language,
): string =>
  isFault(is) ? sayPasswordFault(is, typed, least, language) : passwordWords(language).problem[is]

interface Chosen {
  readonly old: string
  readonly next: string
  /** The new one once more, where the page asks for it. */
  readonly again: string
}

/** A problem if the new password cannot be chosen at all. */
export const findChosenProblem = async (
  { old, next, again }: Chosen,
  owner: Owner,
  settings: Settings,
): Promise<PasswordProblem | null> => {
  if (next !== again) return { is: 'differ', typed: next }
  if (next !== '' && next === old) return { is: 'same', typed: next }
  const fault = await findPasswordFault(next, owner, settings)
  return fault && { is: fault, typed: next }
}

/** `cookies`: the headers that set them. `ended`: another browser has ended this login. */
export type PasswordChange =
  | { readonly outcome: 'changed'; readonly cookies: readonly string[] }
  | { readonly outcome: 'wrong' | 'ended' }

/** Guessing the current one is slowed as at a login. */
export const changePassword = async (
  visit: OwnerVisit,
  { old, next }: Pick<Chosen, 'old' | 'next'>,
  needs: AccountNeeds,
): Promise<PasswordChange> => {
  const { request, at, address, login, caller } = visit
  const { passwords, store } = needs
  const { username } = login.owner
  const typed = { username, password: old, address, guesser: getGuesser(visit), caller }
  const owner = await checkPassword(typed, traceOf(visit, needs), needs)
  if (owner === null) return { outcome: 'wrong' }
  // The hash takes a place in the queue that strangers cannot take.
  const password = await passwords.inQueue(owner.id, (hashing) =>
    hashNewPassword({ password: next }, owner, { ...needs, passwords: hashing }),
  )
  const by = { session: login.session.id, passwordHash: owner.passwordHash }
  const changed = await store.changePassword(owner.id, password, by, traceOf(visit, needs))
  if (changed !== null) {
    // The new password ends what made browsers known to the owner.
    const known = rememberBrowser(changed, login.session.methods, request, at, needs)
    return { outcome: 'changed', cookies: [known] }
  }
  // The same form may have come twice. If another browser changed the password, this login has ended.
  const now = (await findVisitor(visit, needs)).login
  if (now === null) return { outcome: 'ended' }
  return (await passwords.verify(now.owner.passwordHash, next))
    ? { outcome: 'changed', cookies: [] }
    : { outcome: 'wrong' }
}
