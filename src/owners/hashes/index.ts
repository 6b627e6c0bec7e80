/** The notations of password hashes from elsewhere. A new one is one row. */

import { findHashProblem } from '../../crypto/hashes.ts'
import type { Passwords } from '../../crypto/password.ts'
import { getHashKind } from '../../crypto/phc.ts'
import type { Owner } from '../../model/owner.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { ownerLimits } from '../limits.ts'
import { firebase, keycloak } from './json.ts'
import { django, type HashNotation, ldap, phc, type ReadHash } from './text.ts'

const notations: readonly HashNotation[] = [phc, keycloak, firebase, django, ldap]

const taken = notations.map(({ title }) => title).join(', ')

/** A password hash from elsewhere as it is stored, or the reason why it is not taken. */
export const readPasswordHash = (given: unknown): ReadHash => {
  for (const { title, read } of notations) {
    const found = read(given)
    if (found === null) continue
    const problem = 'problem' in found ? found.problem : findHashProblem(found.hash)
    return problem === null ? found : { problem: `is ${title}, but ${problem}` }
  }
  return { problem: `is in no notation that is known: ${taken}` }
}

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
  const kind = getHashKind(passwordHash)
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
