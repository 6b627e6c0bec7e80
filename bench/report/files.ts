/** Where results are kept: `bench/results/`. */
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sayFault } from '../faults.ts'
import { refuse } from '../usage.ts'

const folder = join(import.meta.dirname, '../results')

/** Ends the program before it has measured for minutes what it could not write. */
export const checkResults = (): void => {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (fault) {
    refuse(`The results could not be written: ${sayFault(fault)}`)
  }
}

/** @param drawing left out where there is none */
export const writeResults = (name: string, found: unknown, drawing?: string): void => {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(found, null, 1)}\n`)
  if (drawing !== undefined) writeFileSync(join(folder, `${name}.svg`), drawing)
}
