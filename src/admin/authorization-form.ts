/** How an operator changes an authorization. */
import { limits } from '../config/limits.ts'
import { schemaOf } from '../protocol/schema.ts'

/** The form of a change. The description of the API is made of it as well. */
export const authorizationForm = schemaOf((z) =>
  z.strictObject({
    permissions: z
      .array(z.string().max(limits.scopeCharacters))
      .max(limits.parameters)
      .optional()
      .describe('a list of permissions such as photos:read'),
    scope: z.string().optional().describe('permissions separated by spaces'),
    paused: z.boolean().optional().describe('true or false'),
  }),
)
