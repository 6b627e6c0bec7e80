/** The notations of password hashes from elsewhere. A new one is one file and one row. */
import { problemOfHash } from '../../crypto/hashes/index.ts'
import { djangoNotation } from './django.ts'
import { firebaseNotation } from './firebase.ts'
import { keycloakNotation } from './keycloak.ts'
import { ldapNotation } from './ldap.ts'
import type { HashNotation, ReadHash } from './notation.ts'
import { phcNotation } from './phc.ts'

const notations: readonly HashNotation[] = [
  phcNotation,
  keycloakNotation,
  firebaseNotation,
  djangoNotation,
  ldapNotation,
]

const taken = notations.map(({ title }) => title).join(', ')

/** A password hash from elsewhere as it is stored, or the reason why it is not taken. */
export const readPasswordHash = (given: unknown): ReadHash => {
  for (const { title, read } of notations) {
    const found = read(given)
    if (found === null) continue
    const problem = 'problem' in found ? found.problem : problemOfHash(found.hash)
    return problem === null ? found : { problem: `is ${title}, but ${problem}` }
  }
  return { problem: `is in no notation that is known: ${taken}` }
}
