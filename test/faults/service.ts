/** The whole service as a process of its own, to be killed. */
import { once } from 'node:events'
import { program } from '../shape/made-program.ts'
import { type Running, startProgram } from '../shape/process.ts'
import { freePort } from '../support/port.ts'
import { reach } from '../support/reach.ts'

export interface Killable {
  readonly issuer: string
  readonly pid: number
  /** From the start of the process to the line that says it is ready. */
  readonly milliseconds: number
  /** `kill -9`, and the end of the process. */
  kill(): Promise<void>
}

/** A store keeps its port: the port is a part of the issuer, which every seal is bound to. */
const ports = new Map<string, number>()

const portOf = async (store: string): Promise<number> => {
  const port = ports.get(store) ?? (await freePort())
  ports.set(store, port)
  return port
}

/** @param folder where it runs, so that no file of settings is found */
export const launch = async (store: string, folder: string): Promise<Killable> => {
  const began = performance.now()
  const running: Running = startProgram(process.execPath, [program, 'start'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: String(await portOf(store)),
      LATCHKEY_STORE: store,
      LATCHKEY_SECRET: 'a root secret for the nodes that are killed in tests',
    },
  })
  const issuer = await running.ready
  return {
    issuer,
    pid: running.pid,
    milliseconds: performance.now() - began,
    kill: async () => {
      if (running.child.exitCode !== null || running.child.signalCode !== null) return
      const closed = once(running.child, 'close')
      running.child.kill('SIGKILL')
      await closed
    },
  }
}

/** The time until the service is ready; rejects if that takes too long. */
export const untilReady = async (issuer: string, mostMilliseconds: number): Promise<number> => {
  const began = performance.now()
  const service = reach(issuer)
  while (performance.now() - began < mostMilliseconds) {
    const { status } = await service.ask('/health/ready')
    if (status === 200) return performance.now() - began
  }
  throw new Error(`not ready after ${mostMilliseconds} ms`)
}
