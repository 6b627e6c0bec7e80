/** The members of a registration that are about OpenID Connect (OpenID Connect Registration section 2). */
import { jwsAlgorithms } from '../model/key.ts'
import type { Z } from '../protocol/schema.ts'

const algorithm = (z: Z) => z.enum(jwsAlgorithms).nullish().describe(jwsAlgorithms.join(', '))

/** An operator takes one back with `null`. */
export const openidMembers = (z: Z) => ({
  id_token_signed_response_alg: algorithm(z),
})
