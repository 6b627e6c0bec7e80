/** The tables of the benchmark: what stands between two marks follows from a run. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const page = join(import.meta.dirname, '../results/tables.md')

/** @param name of the marks, `<!-- NAME from here -->` and `<!-- NAME to here -->` */
export const writePage = (name: 'run' | 'profile', text: string): void => {
  const [from, to] = [`<!-- ${name} from here -->`, `<!-- ${name} to here -->`]
  const old = readFileSync(page, 'utf8')
  const [start, end] = [old.indexOf(from), old.indexOf(to)]
  if (start < 0 || end < start) throw new Error(`there is no place for the ${name} in ${page}`)
  writeFileSync(page, `${old.slice(0, start)}${from}\n\n${text}\n${old.slice(end)}`)
}
