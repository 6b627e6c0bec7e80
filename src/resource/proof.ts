/** Proofs of possession: what a request has to show beside an access token (RFC 6749 section 7.1). */
import type { HttpRequest } from '../http/request.ts'
import type { Refusal } from '../protocol/refusal.ts'

/** The key of a sender, as a token states it in `cnf` (RFC 7800 section 3): `{ [method]: value }`. */
export interface Confirmation {
  readonly method: string
  readonly value: string
}

export interface ProofOfPossession {
  /** The `token_type` of its tokens, and their scheme in the Authorization header and in challenges. */
  readonly tokenType: string
  /** The key that the request proves to have: null if it proves none, a refusal if its proof is wrong. */
  read(request: HttpRequest): Promise<Confirmation | Refusal | null>
}

/** Anybody with the token may use it (RFC 6750 section 1.2). */
export const bearer: ProofOfPossession = { tokenType: 'Bearer', read: async () => null }

/** The proofs of the service; a further one is one entry. */
export const proofs: readonly ProofOfPossession[] = [bearer]
