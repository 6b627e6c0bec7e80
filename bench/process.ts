/** Processes on cores of their own, none of which outlives this one. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { cores, type Place } from './cores.ts'

/** A server that is not ready after so long will not be. */
const readySeconds = 60
/** Of what a server says before it gives up. */
const lastCharacters = 2048

const children = new Set<ChildProcess>()
/** What has to be said by those who ended before they were ready. */
const lastWords = new WeakMap<ChildProcess, () => string>()

/** However this process ends, nothing that it started stays behind; `undo` may tidy up as well. */
export const endCleanly = (undo: () => void): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(128 + constants.signals[signal]))
  }
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL')
    undo()
  })
}

/** Starts Node with a script. What a server writes to standard error goes nowhere. */
export const spawnNode = (
  place: Place,
  args: readonly string[],
  options: {
    readonly env?: NodeJS.ProcessEnv
    readonly cwd?: string
    readonly channel?: boolean
  } = {},
): ChildProcess => {
  const pinned = cores === null ? [] : ['taskset', '-c', String(cores[place])]
  const [command = '', ...rest] = [...pinned, process.execPath, ...args]
  const { env = process.env, cwd, channel = false } = options
  const about = {
    env: { ...env, NODE_NO_WARNINGS: '1' },
    ...(cwd === undefined ? {} : { cwd }),
  }
  const stdio = channel
    ? (['ignore', 'inherit', 'inherit', 'ipc'] as const)
    : (['ignore', 'pipe', 'ignore'] as const)
  const child = spawn(command, rest, { ...about, stdio: [...stdio] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  // To hear each line of a log would cost what is measured: who gave up is heard the second time.
  lastWords.set(child, () => {
    const again = { ...about, encoding: 'utf8', timeout: 5000, killSignal: 'SIGKILL' } as const
    const said = spawnSync(command, rest, again).stderr
    return said.replaceAll(/\s+/g, ' ').trim().slice(-lastCharacters)
  })
  return child
}

/** Resolves with the port in the line `listening on http://...`. */
export const listeningPort = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`not ready after ${readySeconds} seconds`)),
      readySeconds * 1000,
    )
    let said = ''
    child.stdout?.on('data', (piece) => {
      said += String(piece)
      const [, port] = /listening on http:\/\/[^\s:]+:(\d+)/.exec(said) ?? []
      if (port === undefined) return
      clearTimeout(late)
      resolve(Number(port))
    })
    child.once('error', reject)
    child.once('exit', () => {
      clearTimeout(late)
      reject(new Error(`it ended before it was ready: ${lastWords.get(child)?.() ?? said}`))
    })
  })

export const end = async (
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
