/** Runs a tool of the checkout as a program of its own. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './source.ts'

export interface Outcome {
  readonly code: number | null
  /** What it said on standard output and standard error. */
  readonly output: string
}

/** Runs a program to its end; `input` is what it may read on standard input. */
export const run = (
  command: string,
  args: readonly string[],
  options: {
    readonly cwd?: string
    readonly env?: NodeJS.ProcessEnv
    readonly input?: string
  } = {},
): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const { input = '', ...others } = options
    const child = spawn(command, args, { cwd: root, ...others, stdio: ['pipe', 'pipe', 'pipe'] })
    // A program that ignores its input may have ended before it could be written.
    child.stdin.on('error', () => {}).end(input)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })

/** Runs the JavaScript of an installed tool, by its path in `node_modules`. */
export const runTool = (path: string, ...args: readonly string[]): Promise<Outcome> =>
  run(process.execPath, [join(root, 'node_modules', path), ...args])
