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
 * Latchkey as of that commit, on the same engines as this one.
 *
 * @param place the folder of this run
 */
export const openEarlier = (commit: string, place: string) => {
  const checkout = join(place, 'against')
  checkOut(commit, checkout)
  const hasKeys = existsSync(join(checkout, 'src/tokens/proofs'))
  const make = (kept: Parameters<typeof latchkey>[0]): Subject => ({
    ...latchkey(kept, place, [], checkout),
    keyClient: async (port) => (hasKeys ? addKeyClient(port) : null),
    commit,
  })
  return {
    /** Its own benchmark fills its database, so its schema may differ. */
    async onSqlite(families: number): Promise<Subject> {
      const path = join(place, 'against.db')
      const its = (await import(join(checkout, 'bench/stored.ts'))) as typeof import('./stored.ts')
      const mint = await its.makeStored(path, families, false)
      const name = `Latchkey at ${commit}`
      const about = `Latchkey as of commit ${commit}, on SQLite, with as many families stored before`
      return make({ name, about, store: `sqlite:${path}`, stored: null, mint })
    },
    /** @param store an empty database */
    onPostgres(store: string): Subject {
      const name = `Latchkey at ${commit}, PostgreSQL`
      const about = `Latchkey as of commit ${commit}, on the same PostgreSQL`
      return make({ name, about, store, stored: 0 })
    },
  }
}
