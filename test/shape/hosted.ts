/**
 * Runs commands as tests type them, where a process of its own for each would prove nothing more.
 * Signals, terminals, pipes and locks need a process: see `process.ts` and `tool.ts`.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { program } from './made-program.ts'
import type { Outcome } from './tool.ts'

export interface Order {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** What the command may read on standard input. */
  readonly input: string
}

/** Both streams, in the order of their writing. */
export type Answer = Outcome

const idle: ChildProcess[] = []

const keepAlive = (host: ChildProcess, isNeeded: boolean): void => {
  const change = isNeeded ? 'ref' : 'unref'
  host[change]()
  host.channel?.[change]()
}

/** The file with the commands, which the program loads. */
const findMain = (): string => {
  const name = /import\("\.\/(main-[\w-]+\.js)"\)/.exec(readFileSync(program, 'utf8'))?.[1]
  if (name === undefined) throw new Error(`${program} does not load its commands`)
  return pathToFileURL(join(dirname(program), name)).href
}

const startHost = async (): Promise<ChildProcess> => {
  const place = join(import.meta.dirname, 'host.ts')
  const host = fork(place, [program, findMain()], { execArgv: [] })
  await once(host, 'message')
  return host
}

/** Runs a command of the program to its end. */
export const runCommand = async (
  args: readonly string[],
  { cwd, env, input = '' }: Pick<Order, 'cwd' | 'env'> & { readonly input?: string },
): Promise<Outcome> => {
  const host = idle.pop() ?? (await startHost())
  keepAlive(host, true)
  const answer = await new Promise<Answer>((resolve, reject) => {
    const fail = (): void => reject(new Error(`the process ended: latchkey ${args.join(' ')}`))
    host.once('exit', fail)
    host.once('message', (answer: Answer) => {
      host.off('exit', fail)
      resolve(answer)
    })
    const order: Order = { args, cwd, env, input }
    host.send(order)
  })
  keepAlive(host, false)
  idle.push(host)
  return answer
}
