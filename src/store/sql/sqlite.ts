/** The SQLite driver: reads on this thread, steps in groups on a worker thread. */
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { limits } from '../../config/limits.ts'
import { StoreRefusal } from '../fault.ts'
import type { Database } from './database.ts'
import { faultOf, isFatal } from './sqlite-batch.ts'
import { createCompiler, query } from './sqlite-compiled.ts'
import { lockFile, prepareFile } from './sqlite-file.ts'
import { createPacker } from './sqlite-parcel.ts'
import { failed, Queue } from './sqlite-queue.ts'
import type { Order } from './sqlite-writer.ts'
import type { Value } from './statement.ts'
import type { StepOutcome } from './steps.ts'

/** Next to this file, as TypeScript where it runs unbuilt and as JavaScript where it was built. */
const writerFile = (): URL => {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./sqlite-writer.${extension}`, import.meta.url)
}

const startWriter = (path: string): Promise<Worker> =>
  new Promise((resolve, reject) => {
    const writer = new Worker(writerFile(), { workerData: path, execArgv: [] })
    const refuse = (): void => {
      reject(new StoreRefusal(`the database ${path} cannot be opened for writing`))
    }
    writer.once('error', refuse)
    writer.once('message', () => {
      writer.off('error', refuse)
      resolve(writer)
    })
  })

export interface SqliteOptions {
  /** The database file; made, with its folder, where there is none. */
  readonly path: string
  /** Called once if the disk fails: every answer is a fault from then on, until a restart. */
  readonly onBroken?: () => void
  /**
   * Called where somebody else has written to the file, which the lock keeps no stranger from. It is
   * noticed at the next step.
   */
  readonly onForeign?: () => void
}

/**
 * Opens the database file for this process alone.
 *
 * @throws StoreRefusal where it is in use, damaged, newer than this program or not ours
 */
export const openSqlite = async (options: SqliteOptions): Promise<Database> => {
  const { path } = options
  const lock = lockFile(path)
  try {
    prepareFile(path)
    const writer = await startWriter(path)
    const reader = new DatabaseSync(path, { readOnly: true, timeout: limits.lockMilliseconds })
    return connect(lock, writer, reader, options)
  } catch (error) {
    lock.close()
    throw error
  }
}

const connect = (
  lock: DatabaseSync,
  writer: Worker,
  reader: DatabaseSync,
  { onBroken, onForeign }: SqliteOptions,
): Database => {
  let closing: Promise<void> | null = null
  const compile = createCompiler(reader)
  const pack = createPacker(compile, (text) => writer.postMessage({ text } satisfies Order))
  const tellBroken = (): void => {
    if (closing === null) onBroken?.()
  }
  const queue = new Queue(writer, pack, tellBroken, () => onForeign?.())
  const exited = new Promise((resolve) => writer.once('exit', resolve))

  const close = async (): Promise<void> => {
    await queue.drain()
    // The writer is the last to let go of the file, so that it can empty the journal.
    reader.close()
    writer.ref()
    writer.postMessage(null satisfies Order)
    await exited
    lock.close()
  }

  return {
    read: async (sql: string, params: readonly Value[]) => {
      const refusal = queue.refusal()
      if (refusal !== null) throw refusal
      try {
        return query(compile, { sql, params })
      } catch (error) {
        const fault = faultOf(error)
        if (isFatal(fault)) queue.giveUp()
        throw failed('a read', fault)
      }
    },
    run: (name, ...args) =>
      new Promise((resolve, reject) => {
        queue.add({
          name,
          args,
          resolve: (outcome) => resolve(outcome as StepOutcome<typeof name>),
          reject,
        })
      }),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
