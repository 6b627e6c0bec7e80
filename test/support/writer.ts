/**
 * Loaded before every test file: one thread writes to the SQLite databases of many stores in turn, by
 * the launcher's program (decision 68). Tests open more than a thousand stores. Starting a thread for
 * each and loading its modules took two thirds of what a store costs. Tests of whole processes, such
 * as `test/wire/kill.test.ts`, have threads as a service has them.
 */
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import threads, { MessageChannel, type Worker } from 'node:worker_threads'
import type { WriterPlace } from './writer-thread.ts'

const { LATCHKEY_TEST_PROGRAM: program = '' } = process.env
const made = join(dirname(program), 'writer.js')

/** What the store uses of a `Worker`. */
type Writer = EventEmitter & Pick<Worker, 'postMessage' | 'ref' | 'unref'>

const { Worker: Thread } = threads
/** Threads that write for no store now. */
const free: Worker[] = []

/** Without the compile cache, which would keep the writer module of each store. */
const startThread = (): Worker =>
  new Thread(new URL('./writer-thread.ts', import.meta.url), {
    execArgv: [],
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  })

/** A writer to the database of a path. Its thread is free again once the writer has exited. */
const openWriter = (path: string): Writer => {
  const thread = free.pop() ?? startThread()
  const events = new EventEmitter()
  const { port1, port2 } = new MessageChannel()
  // A thread that fails ends, as that of a service does.
  const tellError = (error: Error) => events.emit('error', error)
  const tellExit = (code: number) => events.emit('exit', code)
  thread.on('error', tellError).on('exit', tellExit)
  /** Ends that are still to come: the thread is free, and all that the writer said has come. */
  let awaited = 2
  const end = (): void => {
    awaited -= 1
    if (awaited > 0) return
    thread.off('error', tellError).off('exit', tellExit).unref()
    free.push(thread)
    tellExit(0)
  }
  thread.once('message', end)
  port1.on('message', (message) => events.emit('message', message))
  port1.once('close', end).unref()
  const place: WriterPlace = { module: pathToFileURL(made).href, path, port: port2 }
  thread.postMessage(place, [port2])
  thread.ref()
  return Object.assign(events, {
    postMessage: port1.postMessage.bind(port1),
    ref: () => awaited > 0 && thread.ref(),
    unref: () => awaited > 0 && thread.unref(),
  })
}

/** The launcher names its modules where it can make no program. */
if (existsSync(made)) {
  const Worker = new Proxy(Thread, {
    construct: (target, [file, options]) =>
      String(file).endsWith('/sqlite/writer.ts')
        ? openWriter(String(options.workerData))
        : Reflect.construct(target, [file, options]),
  })
  Object.assign(threads, { Worker })
  syncBuiltinESMExports()
}
