/** The ways in of an owner: a password, a passkey, or a link to an upstream that is in the settings. */
import type { Piece } from '../../sql/statement.ts'

const marks = (count: number): string => Array(count).fill('?').join(', ')

/**
 * Another way is left besides this row: a condition of the statement that deletes it. Steps of one
 * turn run statement by statement, so a check before could pass in two of them.
 *
 * @param ways the ids of upstreams in the settings
 */
export const otherWay = (table: 'passkeys' | 'upstream_links', ways: readonly string[]): Piece => ({
  sql: `(exists (select 1 from owners o
    where o.id = ${table}.owner_id and o.password_hash <> '')
  or exists (select 1 from passkeys p
    where p.owner_id = ${table}.owner_id ${table === 'passkeys' ? 'and p.id <> passkeys.id' : ''})
  or exists (select 1 from upstream_links l where l.owner_id = ${table}.owner_id
    ${table === 'upstream_links' ? 'and l.upstream <> upstream_links.upstream' : ''}
    and ${ways.length === 0 ? '1 = 0' : `l.upstream in (${marks(ways.length)})`}))`,
  params: ways,
})
