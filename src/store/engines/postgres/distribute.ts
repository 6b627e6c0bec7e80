/** `latchkey distribute`: a session on a database that is to lie on many machines. */
import { drawRandom } from '../../../crypto/digest.ts'
import { StoreRefusal } from '../../fault.ts'
import type { Row } from '../../sql/statement.ts'
import type { Ask } from '../citus/cluster.ts'
import { type Copying, type Distributed, distributeTables } from '../citus/distribute.ts'
import { createClient, migrationMilliseconds, prepare } from './client.ts'
import { setDurable } from './connection.ts'
import { explain, formatName, prepareDatabase } from './start.ts'
import { writeTables } from './tables.ts'

/**
 * @param isTried whether nothing is to be written
 * @throws StoreRefusal
 */
export const distribute = async (
  named: string,
  isTried: boolean,
  tell: (copying: Copying) => void,
): Promise<Distributed> => {
  const { url } = await prepareDatabase(named, 'distribution')
  const { client } = createClient(url, {
    lock_timeout: migrationMilliseconds,
    // Other connections of this program are those of services.
    application_name: 'latchkey distribute',
  })
  client.on('error', () => {})
  const ask: Ask = async (sql, ...params) =>
    (await client.query<Row>(prepare(sql).text, [...params])).rows
  try {
    await client.connect()
    await ask(setDurable)
    const makeTables = () => writeTables(ask, 0, true)
    return await distributeTables({ ask, random: drawRandom, makeTables, tell }, isTried)
  } catch (error) {
    const why = error instanceof StoreRefusal ? error.message : explain(error)
    throw new StoreRefusal(
      `${formatName(url)} ${why}`,
      error instanceof StoreRefusal && error.inUse,
    )
  } finally {
    await client.end().catch(() => {})
  }
}
