/** What the operating system says of a process, and when it has come to rest. Only Linux tells this way. */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pass } from 'node:timers/promises'

/** Whoever used no processor for so long has come to rest; nobody is waited for longer. */
const restMilliseconds = 250
const longestMilliseconds = 5000

const readProcess = (pid: number, file: string): string | null => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}

const namesIn = (pid: number, folder: string): readonly string[] => {
  try {
    return readdirSync(`/proc/${pid}/${folder}`)
  } catch {
    return []
  }
}

const cpuIn = (pid: number, file: string): number | null => {
  const stat = readProcess(pid, file)
  if (stat === null) return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // Of clock ticks, which Linux shows as hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** CPU seconds of a process and all its threads, user and system; null where they are not told. */
export const cpuSeconds = (pid: number): number | null => cpuIn(pid, 'stat')

/** Those of each thread but the first, which runs the requests: its name, and its CPU seconds so far. */
export const otherThreads = (pid: number): readonly (readonly [string, number])[] =>
  namesIn(pid, 'task')
    .filter((thread) => Number(thread) !== pid)
    .map((thread) => [
      (readProcess(pid, `task/${thread}/comm`) ?? '').trim(),
      cpuIn(pid, `task/${thread}/stat`) ?? 0,
    ])

const megabytesIn = (pid: number, name: string): number | null => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readProcess(pid, 'status') ?? '')
  return found === null ? null : Number(found[1]) / 1024
}

/** Memory in megabytes: now, and the most it ever was. */
export const residentMegabytes = (pid: number): number | null => megabytesIn(pid, 'VmRSS')
export const mostMegabytes = (pid: number): number | null => megabytesIn(pid, 'VmHWM')

/** Open files, sockets and the like; null where they are not told. */
export const openHandles = (pid: number): number | null => namesIn(pid, 'fd').length || null

/**
 * Waits until a process has done what its last answers left to do, so that this counts as its own
 * and does not disturb whoever is measured next on its core.
 *
 * @param leastMilliseconds so long something may still begin
 */
export const comeToRest = async (pid: number, leastMilliseconds: number): Promise<void> => {
  await pass(leastMilliseconds)
  for (let waited = 0; waited < longestMilliseconds; waited += restMilliseconds) {
    const before = cpuSeconds(pid)
    await pass(restMilliseconds)
    if (cpuSeconds(pid) === before) return
  }
}
