/** The groups that clients name. */
import type { Client } from '../../../model/client.ts'
import type { ClientId } from '../../../model/ids.ts'
import { text } from '../../sql/row.ts'
import { type Piece, type Step, sql } from '../../sql/statement.ts'
import { formatNames } from '../group/client-for.ts'
import { findForChange, writeChange } from './clients.ts'

/** Clients that name a group in either list. */
export const matchNaming = (name: string): Piece => {
  const line = formatNames([name])
  return sql`(allowed_groups > '' or told_groups > '') and deleted_at is null
    and (replace(allowed_groups, ${line}, '') <> allowed_groups
      or replace(told_groups, ${line}, '') <> told_groups)`
}

const rename = (names: readonly string[] | undefined, before: string, after: string) =>
  names === undefined
    ? undefined
    : [...new Set(names.map((name) => (name === before ? after : name)))]

/** A list that is not there stays so. */
const renameIn = (client: Client, before: string, after: string): Client => {
  const { allowed_groups: allowed, told_groups: told, ...others } = client.identity
  const [allows, tells] = [allowed, told].map((names) => rename(names, before, after))
  return {
    ...client,
    identity: {
      ...others,
      ...(allows === undefined ? {} : { allowed_groups: allows }),
      ...(tells === undefined ? {} : { told_groups: tells }),
    },
  }
}

/** Clients name the same group by its new name. */
export function* renameInClients(before: string, after: string): Step<void> {
  const rows = yield sql`select id from clients where ${matchNaming(before)} order by id`
  for (const row of rows) {
    for (let isWritten = false; !isWritten; ) {
      const found = yield* findForChange(text(row.id) as ClientId)
      isWritten =
        found === null || (yield* writeChange(renameIn(found.client, before, after), found))
    }
  }
}
