/** The secret of a client. */
import { makeSecret } from '../crypto/digest.ts'
import type { Random } from '../model/ids.ts'

/** A new secret of a client; shown once, only its digest is kept. */
export const makeClientSecret = ({ random }: { readonly random: Random }): string =>
  makeSecret('lk_cs_', random)
