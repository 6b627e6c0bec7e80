/** A thread that writes to one SQLite database after another. Each gets a writer module of its own. */
import { syncBuiltinESMExports } from 'node:module'
import threads, { type MessagePort, parentPort } from 'node:worker_threads'

export interface WriterPlace {
  /** Address of the module of the writer. */
  readonly module: string
  /** The database. */
  readonly path: string
  /** The writer's parent port: `close` ends the writer. */
  readonly port: MessagePort
}

const place = parentPort
let writers = 0

place?.on('message', async ({ module, path, port }: WriterPlace) => {
  port.once('close', () => place.postMessage('free'))
  Object.assign(threads, { parentPort: port, workerData: path })
  syncBuiltinESMExports()
  await import(`${module}?${++writers}`)
})
