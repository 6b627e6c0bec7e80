/** Whether a PostgreSQL database keeps what it acknowledges (its documentation, section 20.5). */
import { StoreFault } from '../../fault.ts'
import type { Row } from '../../sql/statement.ts'

/** With anything less, an answer could be given for what a failing machine then forgets. */
const durable = {
  synchronous_commit: ['on', 'remote_write', 'remote_apply'],
  fsync: ['on'],
  full_page_writes: ['on'],
}

/**
 * Sets for this session what a session may set. A setting of the session beats those of the server,
 * the database and the role, also those that change later. A stronger setting stays.
 */
export const setDurable = `select set_config('synchronous_commit',
    case when current_setting('synchronous_commit', true) in ('remote_write', 'remote_apply')
      then current_setting('synchronous_commit', true) else 'on' end,
    false)
  where current_setting('synchronous_commit', true) is not null`

export const durabilityColumns = Object.keys(durable)
  .map((setting) => `current_setting('${setting}', true) as ${setting}`)
  .join(', ')

export const askDurability = `select ${durabilityColumns}`

/** What could be lost and why, or null. A setting that an engine does not know is null. */
export const lossOf = (row: Row): string | null => {
  for (const [setting, good] of Object.entries(durable)) {
    const value = row[setting]
    if (value != null && !good.includes(String(value))) {
      return `has ${setting} = ${value}, expected ${good[0]}: what it says it has kept, it could lose`
    }
  }
  return null
}

/** What the latest answer of the database to this question was. Steps are refused by it. */
export class Durability {
  #loss: string | null = null

  note(row: Row | undefined): void {
    this.#loss = lossOf(row ?? {})
  }

  /** @throws StoreFault `lossy` */
  check(): void {
    if (this.#loss !== null) throw new StoreFault('lossy', `the database ${this.#loss}`)
  }
}
