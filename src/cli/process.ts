/** The process of a service: faults that nobody caught, and the priorities of its threads. */
import { readdirSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'
import { findHost } from '../http/outbound-exchange.ts'
import { noteFault, type Tell } from '../model/notice.ts'
import { cliLimits } from './limits.ts'

/**
 * Tells of them. One of a connection to a host outside has cost that connection only, and the service
 * lives on. Any other one may have left something half done, and a restart begins anew.
 *
 * @param end ends the process
 */
export const watchUncaught = (tell: Tell, end: () => void): void => {
  process.on('uncaughtException', (fault) => {
    const host = findHost()
    if (host === null) {
      tell({ ...noteFault(fault), message: 'unexpected fault: the service ends' })
      end()
    } else tell({ ...noteFault(fault), message: 'unexpected fault of a connection', host })
  })
}

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
