/** Which ways to an account are open to people without a login. */
import type { Settings } from '../config/settings.ts'
import { filterSuspect } from '../model/factor.ts'
import type { OwnerId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import type { Store } from '../store/store.ts'

type Settled = { readonly settings: Settings }

/** Whether mails reach anybody: over SMTP, or into the mailbox of the demo. */
export const canMail = ({ settings }: Settled): boolean => settings.smtp !== null || settings.demo

/** Whether an owner can confirm a login without an upstream: by a password, or one that a mail brings, or a passkey. */
export const canConfirmAlone = async (
  { id, email, passwordHash }: Owner,
  parts: Settled & { readonly store: Store },
): Promise<boolean> =>
  passwordHash !== '' ||
  (email !== '' && canMail(parts)) ||
  (await parts.store.findFactors(id)).passkeys.length > 0

/** Ways in that a thief of the former password could have added. The new password does not end them. */
export const findSuspectWays = async (ownerId: OwnerId, { store }: { readonly store: Store }) => {
  const factors = await store.findFactors(ownerId)
  const links = filterSuspect(await store.listUpstreamLinks(ownerId), factors)
  const passkeys = filterSuspect(factors.passkeys, factors)
  return { passkeys, links, isNone: passkeys.length + links.length === 0 }
}

/** Open sign-up proves an address by a mail: without mail it takes an invitation. */
export const signUpMode = (parts: Settled): 'off' | 'invited' | 'open' => {
  const { signUp } = parts.settings
  return signUp === 'open' && !canMail(parts) ? 'invited' : signUp
}
