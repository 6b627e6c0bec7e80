/** Keys that access tokens are bound to, and the schemes under which such tokens come (RFC 7800, RFC 9449). */
import type { Confirmation } from '../model/terms.ts'

/** A scheme of the Authorization header and of its challenges; the `token_type` of a token response, too. */
export type Scheme = 'Bearer' | 'DPoP'

/** The member of `cnf` for the thumbprint of a key that DPoP proofs are signed with (RFC 9449 section 6.1). */
export const dpopMethod = 'jkt'

/** The scheme of a token: only one that is bound to a key of DPoP proofs comes with such a proof. */
export const getScheme = (confirmation: Confirmation | null): Scheme =>
  confirmation?.method === dpopMethod ? 'DPoP' : 'Bearer'

/** `cnf` as introspection and JWTs carry it (RFC 7800 section 3); nothing for a token that is not bound. */
export const writeConfirmation = (
  confirmation: Confirmation | null,
): { readonly cnf?: Readonly<Record<string, string>> } =>
  confirmation === null ? {} : { cnf: { [confirmation.method]: confirmation.value } }
