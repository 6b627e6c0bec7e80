/** The keys of access tokens, and the schemes for tokens with such a key (RFC 7800, RFC 9449). */
import { isObject } from '../model/json.ts'
import type { Confirmation } from '../model/terms.ts'

/** A scheme of the Authorization header and of its challenges; the `token_type` of a token response, too. */
export type Scheme = 'Bearer' | 'DPoP'

/** The member of `cnf` for the thumbprint of a key that DPoP proofs are signed with (RFC 9449 section 6.1). */
export const dpopMethod = 'jkt'

/** The same for the thumbprint of a certificate (RFC 8705 section 3.1). */
export const certificateMethod = 'x5t#S256'

/** The scheme of a token: only one that is bound to a key of DPoP proofs comes with such a proof. */
export const getScheme = ({ method }: Confirmation): Scheme =>
  method === dpopMethod ? 'DPoP' : 'Bearer'

/** Of a token that is bound in an unknown way: nobody can prove it. */
const unknownMethod: Confirmation = { method: '', value: '' }

/**
 * The key of a token, as introspection or the claims of a JWT name it. Each member of `cnf` is a demand of
 * its own, and only one can be met here.
 */
export const readConfirmation = ({
  cnf,
  token_type: type,
}: Readonly<Record<string, unknown>>): Confirmation | null => {
  const isDpop = typeof type === 'string' && type.toLowerCase() === 'dpop'
  if (cnf === undefined) return isDpop ? unknownMethod : null
  const [member, second] = isObject(cnf) ? Object.entries(cnf) : []
  if (member === undefined || second !== undefined) return unknownMethod
  const [method, value] = member
  return typeof value === 'string' ? { method, value } : unknownMethod
}

/** `cnf` of a JWT (RFC 7800 section 3). */
export const writeConfirmation = ({ method, value }: Confirmation) => ({ cnf: { [method]: value } })

/** What introspection tells of a bound token (RFC 9449 section 6.2, RFC 8705 section 3.2). */
export const describeBinding = (confirmation: Confirmation) => ({
  token_type: getScheme(confirmation),
  ...writeConfirmation(confirmation),
})
