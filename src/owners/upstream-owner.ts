/** A new owner, from what an upstream says of a person. */
import type { Owner } from '../model/owner.ts'
import type { Parts } from '../parts.ts'
import type { NewUpstreamOwner } from './ceremony.ts'
import { newOwner } from './registration.ts'

/** Whether people may make accounts themselves. */
export const isSignUpOpen = ({ settings }: Pick<Parts, 'settings'>): boolean =>
  settings.signUp === 'open'

/**
 * The username always ends with random digits. So nobody learns by a name at the upstream whether
 * somebody has that name here.
 */
const usernameFor = (suggested: string, { random }: Pick<Parts, 'random'>): string => {
  const [a = 0, b = 0, c = 0] = random(3)
  const digits = String(((a << 16) | (b << 8) | c) % 1_000_000).padStart(6, '0')
  return `${suggested || 'user'}-${digits}`
}

/** @param trustEmail whether the operator trusts what this upstream says of addresses */
export const ownerFromUpstream = (
  { username, name, email, emailVerified }: NewUpstreamOwner,
  trustEmail: boolean,
  parts: Pick<Parts, 'clock' | 'random' | 'passwords' | 'settings'>,
): Promise<Owner> => {
  const verified = { email_verified: trustEmail && emailVerified }
  const person = { username: usernameFor(username, parts), name, email, ...verified }
  return newOwner({ ...person, password: null }, parts)
}
