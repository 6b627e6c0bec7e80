/**
 * Loaded before every test file: the thread that writes to SQLite comes out of the launcher's program
 * (decision 68). Tests open more than a thousand stores. Loading the modules of the thread took half
 * the processor time of each.
 */
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import threads from 'node:worker_threads'

const { LATCHKEY_TEST_PROGRAM: program = '' } = process.env
const made = join(dirname(program), 'writer.js')

/** The launcher names its modules where it can make no program. */
if (existsSync(made)) {
  const started = ([file, ...options]: readonly unknown[]): readonly unknown[] =>
    String(file).endsWith('/sqlite/writer.ts')
      ? [pathToFileURL(made), ...options]
      : [file, ...options]
  const Worker = new Proxy(threads.Worker, {
    construct: (target, given) => Reflect.construct(target, started(given)),
  })
  Object.assign(threads, { Worker })
  syncBuiltinESMExports()
}
