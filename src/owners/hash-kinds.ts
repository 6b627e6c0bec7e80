/** The kinds of password hashes from elsewhere. Each wrong try at a password computes one hash of each kind. */
import { kindOfHash } from '../crypto/hashes/phc.ts'
import type { Passwords } from '../crypto/password.ts'
import type { Owner } from '../model/owner.ts'
import { Refusal } from '../protocol/refusal.ts'
import { ownerLimits } from './limits.ts'

const refuse = (reason: string, description: string): Refusal =>
  new Refusal('invalid_request', reason, description)

/**
 * Adds the kind of an owner's hash. A kind is measured when it is first taken.
 *
 * @param kinds in use; that of this hash is added
 * @throws Refusal `invalid_request`, where the kinds become too many or too slow together
 */
export const addHashKind = async (
  { passwordHash }: Pick<Owner, 'passwordHash'>,
  kinds: Set<string>,
  { passwords }: { readonly passwords: Pick<Passwords, 'costOf'> },
): Promise<void> => {
  const kind = kindOfHash(passwordHash)
  if (kind === '' || kinds.has(kind)) return
  const { hashKinds, hashKindsMilliseconds: most } = ownerLimits
  if (kinds.size >= hashKinds) {
    const said = `hashes of ${hashKinds} kinds are in use: ${[...kinds].join(' ')}`
    throw refuse('too_many_hash_kinds', `password_hash is of a further kind, and ${said}`)
  }
  let together = 0
  for (const one of [kind, ...kinds]) {
    const cost = await passwords.costOf(one)
    if (cost === null) {
      throw refuse('bad_password_hash', 'password_hash is of a kind that cannot be verified')
    }
    together += cost
  }
  if (together > most) {
    const said = `${Math.round(together)} ms, and ${most} are the most`
    throw refuse('slow_hash_kinds', `with password_hash, a wrong password would take ${said}`)
  }
  kinds.add(kind)
}
