/** Thread priorities on a busy machine: answering comes before hashing passwords. */
import { readdirSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { cliLimits } from './limits.ts'

/** The threads of Node's pool, as libuv names them since its version 1.50. */
const poolThread = 'libuv-worker'

/**
 * Lets the threads of Node's pool, which hash passwords and write files, give way to all others of
 * this process. On Linux only, where every thread has a priority of its own.
 */
export const letPoolGiveWay = async (): Promise<void> => {
  if (process.platform !== 'linux') return
  try {
    // The pool begins with the first work for it.
    await stat('/proc/self/task')
    const priority = Math.min(getPriority() + cliLimits.poolNiceness, 19)
    for (const thread of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim()
      if (name === poolThread) setPriority(Number(thread), priority)
    }
  } catch {
    // A system that keeps its threads to itself: they share the cores evenly, as they would have.
  }
}
