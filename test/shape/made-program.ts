/** The program that the launcher makes of this checkout. It starts three times as fast as the modules. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './source.ts'
import { run } from './tool.ts'

type Make = (args: readonly string[]) => Promise<number | null>
type FindProgram = (root: string, cache: string, make: Make) => Promise<string>

const maker = pathToFileURL(join(root, 'bin/program.js')).href
const { findProgram }: { findProgram: FindProgram } = await import(maker)

const make: Make = async (args) => (await run(process.execPath, args)).code

/** For tests of commands and services. Tests of the launcher start `bin/latchkey.js` itself. */
export const program: string =
  process.env.LATCHKEY_TEST_PROGRAM ?? (await findProgram(root, join(root, '.cache'), make))
