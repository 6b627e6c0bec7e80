/** A presented token. It comes in the body, never in a URL. */
import { limits } from '../config/limits.ts'
import { schemaOf } from '../protocol/schema.ts'

export const tokenForm = schemaOf((z) =>
  z.strictObject({
    token: z.string().min(1).max(limits.jsonBytes).describe('the text of a token'),
  }),
)
