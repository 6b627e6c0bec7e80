/**
 * Runs commands for tests, one after the other, as processes of their own would. The modules of the
 * program are loaded once, and that is most of the work of a command. A command ends as its
 * process would: as soon as it has ended the process, or nothing is left to wait for.
 */
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import type { Answer, Order } from './hosted.ts'

type Main = { readonly runMain: () => Promise<void> }

const [, , program = '', main = ''] = process.argv
const { runMain }: Main = await import(main)

/** Thrown in place of the end of this process. */
const ended = Symbol('ended')
/** Node's own code for a process that waits in vain. */
const neverSettled = 13

process.exit = (code) => {
  process.exitCode = code ?? process.exitCode ?? 0
  throw ended
}

const replace = (name: 'stdin' | 'stdout' | 'stderr', stream: Readable | Writable): void => {
  Object.defineProperty(process, name, { value: stream, configurable: true })
}

/** A stream that keeps its text. */
const keepIn = (said: string[]): Writable =>
  new Writable({
    decodeStrings: false,
    write(text: string | Buffer, _encoding, done) {
      said.push(String(text))
      done()
    },
  })

/** Which listeners this process has, so that those of a command can be told from them. */
const noteListeners = () =>
  new Map(process.eventNames().map((name) => [name, new Set(process.rawListeners(name))]))

/** Ends a command as its process would. */
const endListeners = (earlier: ReturnType<typeof noteListeners>): void => {
  for (const name of process.eventNames()) {
    for (const listener of process.rawListeners(name)) {
      if (earlier.get(name)?.has(listener) === true) continue
      process.off(name, listener as () => void)
      if (name === 'exit') Reflect.apply(listener, process, [process.exitCode ?? 0])
    }
  }
}

const obey = async ({ args, cwd, env, input }: Order): Promise<Answer> => {
  const said: string[] = []
  process.argv = [process.execPath, program, ...args]
  process.env = env
  process.chdir(cwd)
  process.exitCode = undefined
  replace('stdin', Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false }))
  replace('stdout', keepIn(said))
  replace('stderr', keepIn(said))
  const earlier = noteListeners()
  let isSettled = false
  let fault: unknown = ended
  const running = runMain()
    .catch((thrown: unknown) => {
      fault = thrown
    })
    .finally(() => {
      isSettled = true
    })
  await once(process, 'beforeExit')
  if (isSettled) await running
  if (fault !== ended) throw fault
  endListeners(earlier)
  const code = isSettled ? Number(process.exitCode ?? 0) : neverSettled
  return { code, output: said.join('') }
}

process.on('message', async (order: Order) => {
  // Nothing but the command may hold this process.
  process.channel?.unref()
  const answer = await obey(order)
  process.channel?.ref()
  process.send?.(answer)
})
process.send?.(null)
