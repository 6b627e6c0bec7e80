/** Which ways to an account are open to people without a login. */
import type { Parts } from '../parts.ts'

type Settled = Pick<Parts, 'settings'>

/** Whether mails reach anybody: over SMTP, or into the mailbox of the demo. */
export const canMail = ({ settings }: Settled): boolean => settings.smtp !== null || settings.demo

/** Open sign-up proves an address by a mail: without mail it takes an invitation. */
export const signUpMode = (parts: Settled): 'off' | 'invited' | 'open' => {
  const { signUp } = parts.settings
  return signUp === 'open' && !canMail(parts) ? 'invited' : signUp
}
