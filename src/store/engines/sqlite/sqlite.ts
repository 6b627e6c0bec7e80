/** The SQLite driver: reads on this thread, steps in groups on a worker thread. */
import { rm, writeFile } from 'node:fs/promises'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { StoreFault, StoreRefusal } from '../../fault.ts'
import type { Database } from '../../sql/database.ts'
import type { Value } from '../../sql/statement.ts'
import { openRoom, runBy } from '../room.ts'
import { createCompiler, query } from './compiled.ts'
import { failed, findReason, getFaultCode, isFatal } from './fault.ts'
import { claimFile, openReader } from './file.ts'
import { Queue } from './queue.ts'
import type { Report, WriterOrder } from './writing.ts'

/** Beside this file: TypeScript in a checkout, JavaScript in a build. */
const locateWriter = new URL(`./writer.${import.meta.url.slice(-2)}`, import.meta.url)

const startWriter = (path: string): Promise<Worker> =>
  new Promise((resolve, reject) => {
    const writer = new Worker(locateWriter, { workerData: path, execArgv: [] })
    let fault: unknown = null
    writer.once('error', (error) => {
      fault = error
    })
    writer.once('message', () => resolve(writer))
    // By then its connection is closed. After the first message nobody hears of this any more.
    writer.once('exit', () => {
      const reason = findReason(fault) ?? 'the thread that writes has ended'
      reject(new StoreRefusal(`the database ${path} cannot be opened for writing: ${reason}`))
    })
  })

/** Writes so many bytes beside the database, and removes them. @throws StoreFault where it finds no room */
const writeBeside = async (path: string, bytes: number): Promise<void> => {
  const beside = `${path}.room`
  try {
    await writeFile(beside, new Uint8Array(bytes), { flush: true })
  } catch (error) {
    throw new StoreFault('failed', `a write of ${bytes} bytes has no room: ${findReason(error)}`)
  } finally {
    await rm(beside, { force: true })
  }
}

export interface SqliteOptions {
  /** The database file; made, with its folder, where there is none. */
  readonly path: string
  /** Called once if the disk fails: every answer is a fault from then on, until a restart. */
  readonly onBroken?: () => void
  /** Called after a foreign write, which the lock cannot prevent. The next step notices it. */
  readonly onForeign?: () => void
}

/**
 * Opens the database file for this process alone.
 *
 * @throws StoreRefusal where it is in use, damaged, newer than this program or not ours
 */
export const openSqlite = async (options: SqliteOptions): Promise<Database> => {
  const { path } = options
  const lock = claimFile(path)
  let reader: DatabaseSync | null = null
  try {
    // Before the writer: whoever closes a database last deletes its journal. Where the writer fails
    // it must not be the last, for the file is marked as open.
    reader = openReader(path)
    return connect(lock, await startWriter(path), reader, options)
  } catch (error) {
    reader?.close()
    lock.close()
    throw error
  }
}

const connect = (
  lock: DatabaseSync,
  writer: Worker,
  reader: DatabaseSync,
  { path, onBroken, onForeign }: SqliteOptions,
): Database => {
  let closing: Promise<void> | null = null
  const compile = createCompiler(reader)
  const room = openRoom((bytes) => writeBeside(path, bytes))
  const queue = new Queue(writer, compile, room, {
    onBroken: () => {
      if (closing === null) onBroken?.()
    },
    onForeign: () => onForeign?.(),
  })
  const run = runBy((step) => queue.add(step))
  const exited = new Promise<boolean>((resolve) => writer.once('exit', () => resolve(false)))
  const marked = new Promise<boolean>((resolve) => {
    writer.on('message', (report: Report) => {
      if (report === 'closed') resolve(true)
    })
  })

  const close = async (): Promise<void> => {
    await queue.drain()
    writer.ref()
    if (queue.refusal?.reason !== 'broken') {
      writer.postMessage('closing' satisfies WriterOrder)
      // Only a writer that marked the file is the last to close it, and so deletes the journal.
      if (await Promise.race([marked, exited])) reader.close()
    }
    writer.postMessage(null satisfies WriterOrder)
    await exited
    if (reader.isOpen) reader.close()
    lock.close()
  }

  return {
    read: async (sql: string, params: readonly Value[]) => {
      if (queue.refusal !== null) throw queue.refusal
      try {
        return query(compile, { sql, params })
      } catch (error) {
        const fault = getFaultCode(error)
        if (isFatal(fault)) queue.giveUp()
        throw failed('a read', fault)
      }
    },
    // A taken ping is queued at once, so that a closing store still answers it.
    run: (name, ...args) =>
      name === 'ping' && room.isLacking()
        ? room.prove().then(() => run(name, ...args))
        : run(name, ...args),
    readsWait: false,
    isAlone: true,
    watched: {
      load: () => ({ stepsWaiting: queue.waiting, pool: null }),
      sizeSql:
        'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
    },
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
