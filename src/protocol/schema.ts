/** Schemas of JSON that comes from outside, made when the first of it comes. */
import { createRequire } from 'node:module'
import type * as zod from 'zod'

/** What schemas are made with. */
export type Z = typeof zod.z

const require = createRequire(import.meta.url)

/**
 * A schema that is made when it is first asked for, and zod loaded with the first of all: that takes
 * a tenth of a start and 10 MB, for what many services are never sent.
 */
export const schemaOf = <Schema>(make: (z: Z) => Schema): (() => Schema) => {
  let made: Schema | null = null
  return () => {
    made ??= make((require('zod') as typeof zod).z)
    return made
  }
}
