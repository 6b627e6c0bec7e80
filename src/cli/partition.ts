/** `latchkey partition`: partitions tables of a PostgreSQL database by month, before the first start or later. */
import { loadSettings, SettingsFault } from '../config/load.ts'
import { partition as partitionDatabase } from '../store/sql/postgres-partition.ts'
import { paragraphs } from './counts.ts'
import type { Flags } from './store.ts'

export const partition = async (flags: Flags): Promise<string> => {
  const { store } = loadSettings({ flags })
  if (store.startsWith('sqlite:')) {
    throw new SettingsFault(['LATCHKEY_STORE must be postgres://...: SQLite has no partitions'])
  }
  const { partitions } = await partitionDatabase(store, Math.floor(Date.now() / 1000))
  if (flags.json === true) return JSON.stringify({ partitions }, null, 2)
  return paragraphs(
    'These tables are partitioned by month:',
    Object.entries(partitions)
      .map(([table, count]) => `  ${table.padEnd(10)}  ${count} partitions`)
      .join('\n'),
    'The service makes the partitions of the next months, and drops those of past months once they are empty.',
  )
}
