/** The sealing keys of a store, for a program beside the services that run on it. */
import type { StoredKey } from '../store.ts'
import { listKeys } from './keys.ts'
import { openSession } from './session.ts'
import { statement } from './statement.ts'

/**
 * All of them, wrapped as they are; none where no service has run on it yet.
 *
 * @param url as the settings have it
 * @throws StoreRefusal
 */
export const readKeys = async (url: string): Promise<readonly StoredKey[]> => {
  const session = await openSession(url, 'snapshot')
  try {
    return await listKeys((sql, values) => session.run(statement(sql, ...values)))
  } finally {
    await session.close()
  }
}
