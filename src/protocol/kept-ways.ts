/** The member that names the ways to log in to keep, though others may have set them. */
import { parameterLimits } from './parameters.ts'
import type { Z } from './schema.ts'

export const keptWaysSchema = (z: Z) =>
  z
    .array(z.string().max(parameterLimits.emailCharacters))
    .max(100)
    .optional()
    .describe('a list of at most 100 ways to log in')
