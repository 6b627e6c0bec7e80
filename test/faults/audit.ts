/** Runs the auditor beside a service. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { Findings } from './replay.ts'

const program = new URL('./auditor.ts', import.meta.url).pathname

export interface Recorder {
  /** Resolves when so many acknowledgements have come, counted from the beginning. */
  until(acknowledged: number): Promise<void>
  acknowledged(): number
  /** Begins nothing more, and resolves when it has written down its last. */
  stop(): Promise<void>
}

/** @param t ends the program with its test, however that ends */
export const record = (t: TestContext, issuer: string, file: string): Recorder => {
  const child = spawn(process.execPath, [program, 'record', issuer, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const closed = once(child, 'close')
  let count = 0
  let heard = (): void => {}
  child.stdout.on('data', (dots: Buffer) => {
    count += dots.length
    heard()
  })
  return {
    until: (acknowledged) =>
      new Promise((resolve, reject) => {
        heard = () => {
          if (count >= acknowledged) resolve()
        }
        closed.then(() => reject(new Error('the auditor ended')), reject)
        heard()
      }),
    acknowledged: () => count,
    stop: async () => {
      child.stdin.end()
      await closed
    },
  }
}

const run = async (command: string, issuer: string, file: string): Promise<unknown> => {
  const child = spawn(process.execPath, [program, command, issuer, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')])
  return JSON.parse(said)
}

/** Acknowledged changes that are broken. */
export const replay = async (issuer: string, file: string): Promise<Findings> =>
  (await run('replay', issuer, file)) as Findings

/** How many tokens live of those that were ended. */
export const countLive = async (issuer: string, file: string): Promise<number> =>
  ((await run('live', issuer, file)) as { live: number }).live
