/** A new owner, from what an upstream says of a person. */
import type { UpstreamCommon } from '../config/members.ts'
import type { Settings } from '../config/settings.ts'
import type { Passwords } from '../crypto/password.ts'
import type { Clock, Random } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import type { NewUpstreamOwner } from './ceremony.ts'
import { newOwner } from './registration.ts'

/** Whether the people of this upstream may make accounts. */
export const maySignUp = (
  upstream: { readonly settings: Pick<UpstreamCommon, 'signUp'> },
  { settings }: { readonly settings: Settings },
): boolean => settings.signUp === 'open' || upstream.settings.signUp

/**
 * The username always ends with random digits. So nobody learns by a name at the upstream whether
 * somebody has that name here.
 */
const usernameFor = (suggested: string, { random }: { readonly random: Random }): string => {
  const [a = 0, b = 0, c = 0] = random(3)
  const digits = String(((a << 16) | (b << 8) | c) % 1_000_000).padStart(6, '0')
  return `${suggested || 'user'}-${digits}`
}

/**
 * An address that nobody proved is left out. Otherwise somebody could make an account with the
 * address of another person, whom a link for a new password would then lead into it.
 *
 * @param trustEmail whether the operator trusts what this upstream says of addresses
 */
export const ownerFromUpstream = (
  { username, name, email, emailVerified, picture }: NewUpstreamOwner,
  trustEmail: boolean,
  parts: {
    readonly clock: Clock
    readonly random: Random
    readonly passwords: Passwords
    readonly settings: Settings
  },
): Promise<Owner> => {
  const isProven = trustEmail && emailVerified
  const proven = isProven ? { email, email_verified: true } : { email: '' }
  const person = { username: usernameFor(username, parts), name, ...proven }
  return newOwner({ ...person, claims: { picture }, password: null }, parts)
}
