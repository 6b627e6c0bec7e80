/** The secret of a client. */
import { newSecret } from '../crypto/digest.ts'
import type { Random } from '../model/ids.ts'

/** A new secret of a client; shown once, only its digest is kept. */
export const newClientSecret = ({ random }: { readonly random: Random }): string =>
  newSecret('lk_cs_', random)
