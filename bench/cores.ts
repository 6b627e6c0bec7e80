/** Which CPUs the servers and the load get, so that they do not take them from one another. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** What stays apart: the servers share a core, since one is measured at a time. Beside: the second of two at once. */
export const places = ['server', 'load', 'server beside', 'load beside'] as const
export type Place = (typeof places)[number]
export type Cores = Readonly<Record<Place, number>>

/** A list of CPUs as Linux writes it, such as `0-3,8`. */
export const cpusIn = (list: string): readonly number[] =>
  list
    .trim()
    .split(',')
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [first = 0, last = first] = part.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    })

/**
 * A CPU for each, of cores of their own where there are enough; null where there is one CPU only.
 *
 * @param siblingsOf the CPUs of the same physical core, itself among them
 */
export const chooseCores = (
  allowed: readonly number[],
  siblingsOf: (cpu: number) => readonly number[],
): Cores | null => {
  const isFirst = (cpu: number): boolean =>
    siblingsOf(cpu).find((one) => allowed.includes(one)) === cpu
  const physical = allowed.filter(isFirst)
  const [a, b, c = b, d = a] = physical.length > 1 ? physical : allowed
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null
  return { server: a, 'server beside': b, load: c, 'load beside': d }
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Only Linux tells this way.
    return ''
  }
}

const siblingsOf = (cpu: number): readonly number[] => {
  const list = read(`/sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`)
  return list === '' ? [cpu] : cpusIn(list)
}

const canPin = (cpu: number): boolean => {
  try {
    execFileSync('taskset', ['-c', String(cpu), 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const findCores = (): Cores | null => {
  const allowed = cpusIn(/^Cpus_allowed_list:(.*)$/m.exec(read('/proc/self/status'))?.[1] ?? '')
  const found = chooseCores(allowed, siblingsOf)
  // A container may see many CPUs and have the time of one.
  return found !== null && availableParallelism() > 1 && canPin(found.server) ? found : null
}

/** Null where nothing is pinned. */
export const cores = findCores()

/** Nobody else runs on the core of a server: then the load generator may keep its own awake. */
export const isPinned = cores !== null

/** Whether server and load are two threads of one core. */
export const isOneCore = cores !== null && siblingsOf(cores.server).includes(cores.load)
