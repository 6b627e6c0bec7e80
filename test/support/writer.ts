/**
 * Loaded before every test file: the thread of the tests also writes to their SQLite databases. Tests
 * open more than a thousand stores. A thread for each would take two thirds of what a store costs.
 * Messages between two threads took a tenth of the processor time. Tests of whole processes, such as
 * `test/wire/kill.test.ts`, have threads as a service has them.
 */
import { EventEmitter } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import threads, { type Worker } from 'node:worker_threads'

/** What the store uses of a `Worker`. */
type Writer = EventEmitter & Pick<Worker, 'postMessage' | 'ref' | 'unref'>

/** A writer to the database of a path. Each message comes in a later turn, as from another thread. */
const openWriter = (path: string): Writer => {
  const [outside, inside] = [new EventEmitter(), new EventEmitter()]
  let isOver = false
  const end = (code: number): void => {
    isOver = true
    outside.emit('exit', code)
  }
  const fail = (error: unknown): void => {
    isOver = true
    outside.emit('error', error)
    outside.emit('exit', 1)
  }
  const attempt = (act: () => void): void => {
    try {
      if (!isOver) act()
    } catch (error) {
      fail(error)
    }
  }
  const port = Object.assign(inside, {
    postMessage: (report: unknown) => process.nextTick(() => outside.emit('message', report)),
    close: () => process.nextTick(end, 0),
  })
  setImmediate(async () => {
    // Loaded late, since this file comes before the hooks that find modules at once.
    const { startWriting } = await import('../../src/store/engines/sqlite/writing.ts')
    attempt(() => startWriting(path, port))
  })
  const postMessage = (order: unknown): void => {
    // As between threads: it fails where the message is no plain value, and nothing is shared.
    const copy = structuredClone(order)
    setImmediate(() => attempt(() => inside.emit('message', copy)))
  }
  return Object.assign(outside, { postMessage, ref: () => {}, unref: () => {} })
}

let isOwn = false

/** A store that is opened by this work has a thread of its own, as in a service. */
export const openWithThread = async <Opened>(open: () => Promise<Opened>): Promise<Opened> => {
  isOwn = true
  try {
    return await open()
  } finally {
    isOwn = false
  }
}

const Replaced = new Proxy(threads.Worker, {
  construct: (target, [file, options]) =>
    String(file).endsWith('/sqlite/writer.ts') && !isOwn
      ? openWriter(String(options.workerData))
      : Reflect.construct(target, [file, options]),
})
Object.assign(threads, { Worker: Replaced })
syncBuiltinESMExports()
