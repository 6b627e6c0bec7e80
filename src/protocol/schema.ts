/** Schemas of JSON that comes from outside, made when the first of it comes. */
import { createRequire } from 'node:module'
import type * as zod from 'zod'
import { parameterLimits } from './parameters.ts'

/** The builder of schemas. */
export type Z = typeof zod.z

const require = createRequire(import.meta.url)

/**
 * A schema made at its first use; the first of all loads zod. That takes a tenth of a start and 10
 * MB, and many services never need it.
 */
export const makeSchema = <Schema>(make: (z: Z) => Schema): (() => Schema) => {
  let made: Schema | null = null
  return () => {
    made ??= make((require('zod') as typeof zod).z)
    return made
  }
}

/** The member that names the ways to log in to keep, though others may have set them. */
export const defineKeptWays = (z: Z) =>
  z
    .array(z.string().max(parameterLimits.emailCharacters))
    .max(100)
    .optional()
    .describe('a list of at most 100 ways to log in')
