/** Runs the auditor beside a service, where the faults of its test do not reach it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'

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
  const child = spawn(process.execPath, [program, issuer, file], {
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
