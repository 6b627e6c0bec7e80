/**
 * `node:sqlite`, looked up at run time. An import of it would end an older Node before
 * `config/node-version.ts` can say what is wrong.
 */
import type * as sqlite from 'node:sqlite'

export type DatabaseSync = sqlite.DatabaseSync
export const DatabaseSync = process.getBuiltinModule('node:sqlite')?.DatabaseSync
