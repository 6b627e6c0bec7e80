/** The sealing keys of a store and its time, for a program beside the services that run on it. */
import type { StoredKey } from '../store.ts'
import { listKeys } from './keys.ts'
import { openSession } from './session.ts'
import { type Read, statement } from './statement.ts'
import { latestTime } from './time.ts'

export interface Keys {
  /** All of them, wrapped as they are; none where no service has run on the store yet. */
  readonly keys: readonly StoredKey[]
  /** The latest time that a service has noted, unix seconds; null where none has. */
  readonly notedAt: number | null
}

/**
 * @param url as the settings have it
 * @throws StoreRefusal
 */
export const readKeys = async (url: string): Promise<Keys> => {
  const session = await openSession(url, 'snapshot')
  try {
    const read: Read = (sql, values) => session.run(statement(sql, ...values))
    return { keys: await listKeys(read), notedAt: await latestTime(read) }
  } finally {
    await session.close()
  }
}
