/** Code that was compiled once is kept for the next start, TypeScript without its types included. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Beside the program and nowhere else: whoever can write here could change the program itself.
 * Where nobody can, every start compiles anew, and nothing else is different.
 */
const place = join(import.meta.dirname, '../../.cache/compiled')

/** From now on, for all threads. Node's own variables `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` come first. */
export const keepCompiled = (): void => {
  process.env.NODE_COMPILE_CACHE ??= place
  enableCompileCache()
}
