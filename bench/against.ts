/** An earlier commit of this program, checked out and made ready to be measured beside this one. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { addKeyClient } from './operator.ts'
import { endCleanly } from './process.ts'
import { latchkey } from './subjects/latchkey.ts'
import type { Subject } from './subjects/subject.ts'
import { refuse } from './usage.ts'

const root = join(import.meta.dirname, '..')

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** The short name of a commit. Ends the program if there is none. */
export const nameCommit = (commit: string): string => {
  try {
    return run('git', ['rev-parse', '--short', '--verify', `${commit}^{commit}`], root)
  } catch {
    return refuse(`--against: expected a commit of this repository, got ${commit}`)
  }
}

const lockOf = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8')

/** Checks the commit out, with the packages that it names. */
const checkOut = (commit: string, folder: string): void => {
  run('git', ['worktree', 'add', '--force', '--detach', folder, commit], root)
  endCleanly(() => void run('git', ['worktree', 'remove', '--force', folder], root))
  if (lockOf(folder) === lockOf(root)) {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  } else {
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder)
  }
  symlinkSync(join(root, '.cache'), join(folder, '.cache'))
}

/**
 * Latchkey as of that commit, on SQLite. Its own benchmark fills its database, so its schema may differ.
 *
 * @param place the folder of this run
 */
export const earlier = async (
  commit: string,
  families: number,
  place: string,
): Promise<Subject> => {
  const checkout = join(place, 'against')
  checkOut(commit, checkout)
  const path = join(place, 'against.db')
  const its = (await import(join(checkout, 'bench/stored.ts'))) as typeof import('./stored.ts')
  const mint = await its.makeStored(path, families, false)
  const name = `Latchkey at ${commit}`
  const about = `Latchkey as of commit ${commit}, on SQLite, with as many families stored before`
  const kept = { name, about, store: `sqlite:${path}`, stored: null, mint }
  const subject = latchkey(kept, place, [], checkout)
  const hasKeys = existsSync(join(checkout, 'src/tokens/proofs'))
  return { ...subject, keyClient: async (port) => (hasKeys ? addKeyClient(port) : null), commit }
}
