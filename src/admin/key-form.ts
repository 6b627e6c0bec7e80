/** How an operator asks for new keys. */
import { schemaOf } from '../protocol/schema.ts'

/** The form of a rotation. The description of the API is made of it as well. */
export const rotationForm = schemaOf((z) =>
  z.strictObject({
    use: z
      .enum(['sealing', 'signing', 'both'])
      .optional()
      .describe('sealing, signing or both (the default)'),
    now: z.boolean().optional().describe('within ten seconds, instead of an hour'),
    end_tokens: z.boolean().optional().describe('end all tokens from before, as after a theft'),
  }),
)
